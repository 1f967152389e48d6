import type { ForwardingAddress } from '@mayfly-mail/sdk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { keys } from '../../api/keys.ts'
import { itemsOf, pageSize, pagesOf } from '../../api/pages.ts'
import { mayfly } from '../../api/session.ts'

/** No event tells that an owner has agreed. */
const intervalMs = 5_000

/** The forwarding addresses, loaded repeatedly while one of them waits for its owner. */
export function useDestinations() {
  const query = useInfiniteQuery({
    ...pagesOf<ForwardingAddress>(keys.forwarding('addresses'), async (before) => {
      const { addresses, hasMore } = await mayfly.forwardingAddresses.list({ limit: pageSize, ...before && { before } })
      return { items: addresses, hasMore }
    }),
    refetchInterval: ({ state }) => itemsOf(state.data).some(({ isVerified }) => !isVerified) ? intervalMs : false,
  })
  return { ...query, destinations: itemsOf(query.data) }
}
