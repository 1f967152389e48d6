import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { keys } from './keys.ts'
import { readAccount } from './session.ts'

export const accountQuery = queryOptions({ queryKey: keys.account, queryFn: readAccount, staleTime: 60_000 })

/** The account of the session; every page but the one for signing in has loaded it. */
export const useAccount = () => useSuspenseQuery(accountQuery).data

/** Whether the role of the person in the account is more than reading. A role of a later server may be so. */
export const useMayChange = (): boolean => useAccount().role !== 'viewer'
