import { infiniteQueryOptions, useInfiniteQuery, useMutation } from '@tanstack/react-query'
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

/** Attempts of a page; those of the first one tell the health of a webhook. */
const pageSize = 50

const deliveriesQuery = (id: string) => infiniteQueryOptions({
  queryKey: keys.webhooks('deliveries', id),
  queryFn: async ({ pageParam }) => mayfly.webhooks.deliveries(id, { limit: pageSize, ...pageParam && { before: pageParam } }),
  initialPageParam: '',
  getNextPageParam: ({ hasMore, data }) => hasMore ? data.at(-1)?.id : undefined,
})

/** The attempts of a webhook, newest first. */
export const useDeliveries = (id: string) => useInfiniteQuery(deliveriesQuery(id))

const isDue = ({ status, dueAt }: Delivery) => status === 'pending' && dueAt.getTime() < Date.now() + pollMs

/** Delivers events again, one after the other, each by the id of an attempt. */
export const useReplay = (id: string) => useMutation({
  async mutationFn(deliveryIds: string[]) {
    for (const deliveryId of deliveryIds) await mayfly.webhooks.redeliver(id, deliveryId)
  },
  onSuccess: (_answers, { length }) => showDone(texts.replayed(length)),
  onSettled: () => queryClient.invalidateQueries({ queryKey: keys.webhooks('deliveries', id) }),
})

/**
 * How the newest attempts of a webhook ended; undefined while they are loaded.
 * @param isPolled whether the attempts are loaded again while the page is visible, since no event tells of them: for one part of a page
 */
export const useHealth = (id: string, isPolled = false): Health | undefined => useInfiniteQuery({
  ...deliveriesQuery(id),
  select: ({ pages: [newest] }) => healthOf(newest!.data),
  refetchInterval({ state: { data } }) {
    if (!isPolled) return false
    const pages = data?.pages ?? []
    return (pages.some((page) => page.data.some(isDue)) ? pollSoonMs : pollMs) * Math.max(1, pages.length)
  },
}).data
