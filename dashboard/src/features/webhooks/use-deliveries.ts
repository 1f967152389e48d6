import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { keys } from '../../api/keys.ts'
import { queryClient } from '../../api/query-client.ts'
import { mayfly } from '../../api/session.ts'

export type Delivery = Awaited<ReturnType<typeof mayfly.webhooks.test>>

/** Time between two rounds of loading, for each page that is loaded: so many pages cost no more requests than one. */
const pollMs = 5_000
/** The same while an attempt is about to be made. */
const pollSoonMs = 1_000

/** The attempts of a webhook, newest first. They are loaded again while the page is visible: no event tells of them. */
export const useDeliveries = (id: string) => useInfiniteQuery({
  queryKey: keys.webhooks('deliveries', id),
  queryFn: async ({ pageParam }) => mayfly.webhooks.deliveries(id, { limit: 20, ...pageParam && { before: pageParam } }),
  initialPageParam: '',
  getNextPageParam: ({ hasMore, data }) => hasMore ? data.at(-1)?.id : undefined,
  refetchInterval({ state: { data } }) {
    const pages = data?.pages ?? []
    return (pages.some((page) => page.data.some(isDue)) ? pollSoonMs : pollMs) * Math.max(1, pages.length)
  },
})

const isDue = ({ status, dueAt }: Delivery) => status === 'pending' && dueAt.getTime() < Date.now() + pollMs

export const useRedeliver = (id: string) => useMutation({
  mutationFn: async (deliveryId: string) => mayfly.webhooks.redeliver(id, deliveryId),
  onSuccess: () => queryClient.invalidateQueries({ queryKey: keys.webhooks('deliveries', id) }),
})
