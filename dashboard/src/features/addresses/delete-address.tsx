import type { Address } from '@mayfly-mail/sdk'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { mayfly } from '../../api/session.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { showDone } from '../../ui/notify.tsx'
import { dropAddresses } from './drop-addresses.ts'
import { addressTexts as texts } from './texts.ts'

/** Asks, deletes the address with its mail, and shows all addresses. */
export function DeleteAddress({ address, onClose }: { address: Address, onClose: () => void }) {
  const navigate = useNavigate()
  const remove = useMutation({
    mutationFn: () => mayfly.addresses.delete(address.id),
    async onSuccess() {
      showDone(texts.delete.done(address.address))
      onClose()
      await navigate({ to: '/mail' })
      dropAddresses(new Set([address.id]))
    },
  })
  return (
    <Confirm
      title={texts.delete.title} confirm={texts.delete.confirm} isBusy={remove.isPending}
      onConfirm={() => remove.mutate()} onClose={onClose}
    >
      {texts.delete.hint(address.address)}
    </Confirm>
  )
}
