import { useQuery } from '@tanstack/react-query'
import { keys } from '../api/keys.ts'
import { mayfly } from '../api/session.ts'

/** The number of unread mails; the search counts at most 1,000. */
export const useUnread = (): number => useQuery({
  queryKey: keys.emails('unread'),
  queryFn: async ({ signal }) => (await mayfly.emails.list({ q: 'is:unread', limit: 1 }, { signal })).total,
}).data ?? 0
