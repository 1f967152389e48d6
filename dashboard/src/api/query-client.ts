import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { showError } from '../ui/notify.tsx'
import { accountQuery } from './account.ts'
import { basePath } from './base.ts'
import { openDrafts } from './drafts.ts'
import { isSignedOut, isTransient } from './errors.ts'

/** All data of the server, by the keys of `keys.ts`. A session that has ended leads to the page for signing in. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: leaveWhenSignedOut }),
  mutationCache: new MutationCache({
    onError(error, _variables, _context, mutation) {
      if (!leaveWhenSignedOut(error) && !mutation.meta?.['showsOwnError']) showError(error)
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 15_000, // events tell of changes in between
      retry: (failures, error) => failures < 2 && isTransient(error),
      networkMode: 'always', // the server may be on this machine, without a network
    },
    mutations: { networkMode: 'always' },
  },
})

/** Leads to the page for signing in, and from there back, when the session has ended. @returns whether it has */
export function leaveWhenSignedOut(error: unknown): boolean {
  if (!isSignedOut(error)) return false
  const account = queryClient.getQueryData(accountQuery.queryKey)
  if (account === undefined) return true // no page is shown yet, and the router leads there
  openDrafts(account.email)
  queryClient.clear()
  const path = location.pathname.slice(basePath.length)
  if (path !== '/sign-in') location.assign(`${basePath}/sign-in?${new URLSearchParams({ to: path + location.search })}`)
  return true
}
