import { useNavigate, useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useAccount, useMayChange } from '../../api/account.ts'
import { useMode } from '../../api/mode.ts'
import { mayfly } from '../../api/session.ts'
import { showError } from '../../ui/notify.tsx'
import { showNewAddress, useAddresses } from './use-addresses.ts'

const storageKey = (accountId: string) => `mayfly-first-address-${accountId}`

/** Creates an address at the first visit of an account that has none: once, also in two tabs, and not again when it is deleted. */
export function useFirstAddress() {
  const account = useAccount()
  const mayChange = useMayChange()
  const mode = useMode()
  const navigate = useNavigate()
  const router = useRouter()
  const { isLoading, error, total } = useAddresses('all')
  const isFirst = mayChange && mode === 'live' && !isLoading && !error && total === 0

  const isShown = useRef(false)
  useEffect(() => {
    isShown.current = true
    return () => { isShown.current = false }
  }, [])

  useEffect(() => {
    if (!isFirst || localStorage.getItem(storageKey(account.id))) return
    localStorage.setItem(storageKey(account.id), 'created')
    mayfly.addresses.create({}, { idempotencyKey: storageKey(account.id) }).then((created) => {
      showNewAddress(created)
      // the user may be on another page by now, or on the way to it
      const isStaying = isShown.current && /\/mail(?:\/|$)/.test(router.state.location.pathname)
      return isStaying ? navigate({ to: '/mail/$addressId', params: { addressId: created.id }, replace: true }) : undefined
    }).catch((failure: unknown) => {
      localStorage.removeItem(storageKey(account.id))
      showError(failure)
    })
  }, [isFirst, account.id, navigate, router])
}
