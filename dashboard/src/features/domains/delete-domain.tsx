import type { Domain } from '@mayfly-mail/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { keys } from '../../api/keys.ts'
import { mayfly } from '../../api/session.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { showDone } from '../../ui/notify.tsx'
import { domainTexts as texts } from './texts.ts'

export function DeleteDomain({ domain: { id, domain }, onClose }: { domain: Domain, onClose: () => void }) {
  const client = useQueryClient()
  const remove = useMutation({
    mutationFn: () => mayfly.domains.delete(id),
    async onSuccess() {
      await client.invalidateQueries({ queryKey: keys.domains('list') })
      showDone(texts.removed(domain))
    },
    onSettled: onClose,
  })
  return (
    <Confirm
      title={texts.removeTitle} confirm={texts.removeConfirm} isBusy={remove.isPending} onConfirm={() => remove.mutate()} onClose={onClose}
    >
      {texts.removeHint(domain)}
    </Confirm>
  )
}
