import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { showError } from '../ui/notify.tsx'
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

function leaveWhenSignedOut(error: unknown): boolean {
  if (!isSignedOut(error)) return false
  queryClient.clear()
  if (location.pathname !== '/sign-in') location.assign('/sign-in')
  return true
}
