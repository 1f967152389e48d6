import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { keys } from '../../api/keys.ts'
import { queryClient } from '../../api/query-client.ts'
import { mayfly } from '../../api/session.ts'
import { showDone } from '../../ui/notify.tsx'
import { healthOf } from './event-deliveries.ts'
import type { Health } from './event-deliveries.ts'
import { deliveryTexts as texts } from './texts.ts'

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

/** Delivers events again, one after the other, each by the id of an attempt. */
export const useReplay = (id: string) => useMutation({
  async mutationFn(deliveryIds: string[]) {
    for (const deliveryId of deliveryIds) await mayfly.webhooks.redeliver(id, deliveryId)
  },
  onSuccess: (_answers, { length }) => showDone(texts.replayed(length)),
  onSettled: () => queryClient.invalidateQueries({ queryKey: keys.webhooks('deliveries', id) }),
})

/** How the newest attempts of a webhook ended; undefined while they are loaded. */
export function useHealth(id: string): Health | undefined {
  const { data } = useQuery({
    queryKey: keys.webhooks('deliveries', id, 'newest'),
    queryFn: async () => (await mayfly.webhooks.deliveries(id, { limit: healthAttempts })).data,
    refetchInterval: pollMs,
  })
  return data && healthOf(data)
}

/** Attempts that tell the health of a webhook. */
const healthAttempts = 50
