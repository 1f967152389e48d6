import type { AddressCreate } from '@mayfly-mail/sdk'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { mayfly } from '../../api/session.ts'
import { copyText } from '../../ui/copy-text.ts'
import { showDone } from '../../ui/notify.tsx'
import { addressTexts as texts } from './texts.ts'
import { showNewAddress } from './use-addresses.ts'

/** Creates an address, copies it to the clipboard and shows its mail. Without input it is a random one. */
export function useNewAddress({ showsOwnError = false } = {}) {
  const navigate = useNavigate()
  return useMutation({
    meta: { showsOwnError },
    gcTime: 0, // the password of a login is dropped with the component
    mutationFn: (input: AddressCreate) => mayfly.addresses.create(input),
    async onSuccess(created) {
      showNewAddress(created)
      showDone(texts.created(created.address, await copyText(created.address)))
      await navigate({ to: '/mail/$addressId', params: { addressId: created.id } })
    },
  })
}
