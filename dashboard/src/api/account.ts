import { queryOptions, useSuspenseQuery } from '@tanstack/react-query'
import { accountGet } from './generated/sdk.gen.ts'
import { keys } from './keys.ts'
import { dataOf } from './session.ts'

export const accountQuery = queryOptions({ queryKey: keys.account, queryFn: () => dataOf(accountGet()), staleTime: 60_000 })

/** The account of the session; every page but the one for signing in has loaded it. */
export const useAccount = () => useSuspenseQuery(accountQuery).data
