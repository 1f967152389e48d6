import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query'

/** Rows of one request, for lists that grow while the page is scrolled. */
export const pageSize = 50

interface PageOf<Item> {
  items: Item[]
  hasMore: boolean
}

/**
 * The options of an infinite query over a list of the API, whose next page begins behind the last item.
 * @param load requests the page behind the item with the id `before`, the first page without one
 */
export const pagesOf = <Item extends { id: string }>(queryKey: QueryKey, load: (before: string | undefined) => Promise<PageOf<Item>>) => ({
  queryKey,
  queryFn: ({ pageParam }: { pageParam: string | undefined }) => load(pageParam),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ items, hasMore }: PageOf<Item>) => hasMore ? items.at(-1)?.id : undefined,
})

/** The items of all loaded pages. */
export const itemsOf = <Item>(data: InfiniteData<PageOf<Item>> | undefined): Item[] => data?.pages.flatMap(({ items }) => items) ?? []

/** Loads the first page again and forgets the others, which would take a request each. */
export async function reloadPages(client: QueryClient, queryKey: QueryKey): Promise<void> {
  client.setQueryData<InfiniteData<unknown>>(queryKey, (data) => data && {
    pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1),
  })
  await client.invalidateQueries({ queryKey })
}
