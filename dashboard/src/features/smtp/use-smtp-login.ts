import { useMutation } from '@tanstack/react-query'
import { keys } from '../../api/keys.ts'
import { queryClient } from '../../api/query-client.ts'
import { mayfly } from '../../api/session.ts'

const refresh = () => queryClient.invalidateQueries({ queryKey: keys.addresses() })

/** Makes or replaces the login. Its password is held by the caller's component alone: the mutation is dropped with it. */
export const useCreateSmtpLogin = (addressId: string) => useMutation({
  meta: { showsOwnError: true },
  gcTime: 0,
  mutationFn: () => mayfly.addresses.createSmtpLogin(addressId),
  onSuccess: refresh,
})

export const useEndSmtpLogin = (addressId: string) => useMutation({
  mutationFn: () => mayfly.addresses.deleteSmtpLogin(addressId),
  onSuccess: refresh,
})
