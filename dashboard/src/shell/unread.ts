import { useQuery } from '@tanstack/react-query'
import { keys } from '../api/keys.ts'
import { mayfly } from '../api/session.ts'

/** The number of unread mails of the newest 100 addresses. */
export const useUnread = (): number => useQuery({
  queryKey: keys.addresses('unread'),
  async queryFn({ signal }) {
    const { addresses } = await mayfly.addresses.list({ limit: 100 }, { signal })
    return addresses.reduce((sum, { unreadCount }) => sum + unreadCount, 0)
  },
}).data ?? 0
