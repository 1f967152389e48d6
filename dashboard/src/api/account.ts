import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { keys } from './keys.ts'
import { readAccount } from './session.ts'

export const accountQuery = queryOptions({ queryKey: keys.account, queryFn: readAccount, staleTime: 60_000 })

/** The account of the session; every page but the one for signing in has loaded it. */
export const useAccount = () => useSuspenseQuery(accountQuery).data
