import { useMutation, useQuery } from '@tanstack/react-query'
import { basePath } from '../../api/base.ts'
import { keys } from '../../api/keys.ts'
import { sessionsDelete, sessionsDeleteAll, sessionsList, dataOf } from '../../api/own-operations.ts'
import { queryClient } from '../../api/query-client.ts'
import { showDone } from '../../ui/notify.tsx'
import { accountTexts as texts } from './texts.ts'

export const useSessions = () => useQuery({ queryKey: keys.sessions, queryFn: () => dataOf(sessionsList()) })

/** Ends a session of another browser. */
export const useEndSession = () => useMutation({
  mutationFn: (id: string) => sessionsDelete({ path: { id } }),
  async onSuccess() {
    await queryClient.invalidateQueries({ queryKey: keys.sessions })
    showDone(texts.sessions.ended)
  },
})

export const useSignOut = () => useMutation({ mutationFn: (id: string) => sessionsDelete({ path: { id } }), onSuccess: leave })

export const useSignOutEverywhere = () => useMutation({ mutationFn: () => sessionsDeleteAll(), onSuccess: leave })

/** The page is loaded again, so that nothing of the account stays in memory. */
function leave() {
  queryClient.clear()
  location.assign(`${basePath}/sign-in`)
}
