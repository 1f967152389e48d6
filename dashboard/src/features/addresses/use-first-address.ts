import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useAccount } from '../../api/account.ts'
import { useMode } from '../../api/mode.ts'
import { mayfly } from '../../api/session.ts'
import { showError } from '../../ui/notify.tsx'
import { showNewAddress, useAddresses } from './use-addresses.ts'

const storageKey = (accountId: string) => `mayfly-first-address-${accountId}`

/** Creates an address at the first visit of an account that has none: once, also in two tabs, and not again when it is deleted. */
export function useFirstAddress() {
  const account = useAccount()
  const mode = useMode()
  const navigate = useNavigate()
  const { isLoading, error, total } = useAddresses('all')
  const isFirst = mode === 'live' && !isLoading && !error && total === 0

  useEffect(() => {
    if (!isFirst || localStorage.getItem(storageKey(account.id))) return
    localStorage.setItem(storageKey(account.id), 'created')
    mayfly.addresses.create({}, { idempotencyKey: storageKey(account.id) }).then((created) => {
      showNewAddress(created)
      return navigate({ to: '/mail/$addressId', params: { addressId: created.id }, replace: true })
    }).catch((failure: unknown) => {
      localStorage.removeItem(storageKey(account.id))
      showError(failure)
    })
  }, [isFirst, account.id, navigate])
}
