import type { ForwardingAddress } from '@mayfly-mail/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { keys } from '../../api/keys.ts'
import { mayfly } from '../../api/session.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { showDone } from '../../ui/notify.tsx'
import { forwardingTexts } from './texts.ts'

const texts = forwardingTexts.destinations

export function DeleteDestination({ destination: { id, email }, onClose }: { destination: ForwardingAddress, onClose: () => void }) {
  const client = useQueryClient()
  const remove = useMutation({
    mutationFn: () => mayfly.forwardingAddresses.delete(id),
    async onSuccess() {
      await client.invalidateQueries({ queryKey: keys.forwarding() })
      showDone(texts.removed(email))
    },
    onSettled: onClose,
  })
  return (
    <Confirm
      title={texts.removeTitle} confirm={texts.removeConfirm} isBusy={remove.isPending} onConfirm={() => remove.mutate()} onClose={onClose}
    >
      {texts.removeHint(email)}
    </Confirm>
  )
}
