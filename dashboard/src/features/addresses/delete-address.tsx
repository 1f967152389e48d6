import type { Address } from '@mayfly-mail/sdk'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { keys } from '../../api/keys.ts'
import { dropRows } from '../../api/live-rows.ts'
import { queryClient } from '../../api/query-client.ts'
import { mayfly } from '../../api/session.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { showDone } from '../../ui/notify.tsx'
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
      dropRows('addresses', ({ id }) => id === address.id)
      dropRows<{ id: string, addressId: string }>('emails', ({ addressId }) => addressId === address.id)
      void queryClient.invalidateQueries({ queryKey: keys.addresses() })
      void queryClient.invalidateQueries({ queryKey: keys.emails() })
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
