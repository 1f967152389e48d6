import type { MayflyPromise } from './promise.ts'

/**
 * A promise of the first page, and an iterable over the items of all pages. Items that are deleted or added meanwhile cause no gaps and
 * no duplicates.
 * @example
 * const { total } = await mayfly.addresses.list()
 * for await (const { id, expiresAt } of mayfly.addresses.list({ limit: 100 })) {
 *   if (expiresAt < new Date()) await mayfly.addresses.delete(id)
 * }
 */
export interface MayflyList<Page, Item> extends MayflyPromise<Page & ListItems<Item>>, AsyncIterable<Item> {}

/** The members that the results of all lists have. They are not enumerable, so JSON has each item once. */
export interface ListItems<Item> extends Iterable<Item> {
  /** The items of this page, or of the whole list where it has no pages. */
  readonly items: readonly Item[]
  /** Number of items in all pages. */
  readonly total: number
}

type ItemOf<Page> = Page extends { addresses: (infer Item)[] } | { data: (infer Item)[] } | (infer Item)[] ? Item : never

/** Reads the page of a list, and adds `items`, `total` and the iteration. @returns undefined unless all items have ids */
export function page<Page extends object>(body: Page): (Page & ListItems<ItemOf<Page>>) | undefined {
  const { addresses, data } = body as { addresses?: { id: string }[], data?: { id: string }[] }
  const items = addresses ?? data ?? body as { id: string }[]
  if (!items.every(({ id }) => typeof id === 'string')) return undefined
  Object.defineProperties(body, {
    items: { value: items },
    ...items === body ? { total: { value: items.length } } : { [Symbol.iterator]: { value: () => items.values() } },
  })
  return body as Page & ListItems<ItemOf<Page>>
}

/** Reads a list whose page, or the array of all its items, is the `data` of the answer. */
export const pageInData = <Page extends object>({ data }: { data: Page }) => page(data)

/** Requests the first page, and during the iteration the next ones: `before` is the id of the last item of the previous page. */
export function toList<Page, Query extends { offset?: number, before?: string }, Item extends { id: string }>(
  query: Query, fetchPage: (query: Query) => MayflyPromise<Page & ListItems<Item>>,
): MayflyList<Page, Item> {
  const first = fetchPage(query)
  return Object.assign(first, {
    async *[Symbol.asyncIterator]() {
      const seen = new Set<string>()
      let current: ListItems<Item> & { hasMore?: boolean } = await first
      for (let count = query.offset ?? 0; ;) {
        const { items, total, hasMore } = current
        // a server that does not support `before` returns the same page again
        const fresh = items.filter(({ id }) => !seen.has(id))
        for (const item of fresh) {
          seen.add(item.id)
          yield item
        }
        count += items.length
        if (fresh.length === 0 || !(hasMore ?? count < total)) return
        current = await fetchPage({ ...query, offset: undefined, before: items.at(-1)!.id })
      }
    },
  })
}
