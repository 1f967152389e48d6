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
export interface MayflyList<Page, Item> extends MayflyPromise<Page>, AsyncIterable<Item> {}

/** The members that the pages of all lists have. */
type AnyPage<Item> = { total: number, hasMore?: boolean } & ({ data: Item[], addresses?: undefined } | { addresses: Item[] })

const itemsOf = <Item>(page: AnyPage<Item>) => page.addresses ?? page.data

const haveIds = (items: { id: string }[]) => items.every(({ id }) => typeof id === 'string')

// readers of the answers of lists: undefined unless all items have ids
export const page = <Page extends AnyPage<{ id: string }>>(body: Page): Page | undefined => haveIds(itemsOf(body)) ? body : undefined
export const pageInData = <Page extends AnyPage<{ id: string }>>({ data }: { data: Page }): Page | undefined => page(data)
export const itemsInData = <Item extends { id: string }>({ data }: { data: Item[] }): Item[] | undefined => haveIds(data) ? data : undefined

/** Requests the first page, and during the iteration the next ones: `before` is the id of the last item of the previous page. */
export function toList<Page extends AnyPage<Item>, Query extends { offset?: number, before?: string }, Item extends { id: string }>(
  query: Query, fetchPage: (query: Query) => MayflyPromise<Page>,
): MayflyList<Page, Item> {
  const first = fetchPage(query)
  return Object.assign(first, {
    async *[Symbol.asyncIterator]() {
      const seen = new Set<string>()
      let current = await first
      for (let count = query.offset ?? 0; ;) {
        const items = itemsOf<Item>(current)
        // a server that does not support `before` returns the same page again
        const fresh = items.filter(({ id }) => !seen.has(id))
        for (const item of fresh) {
          seen.add(item.id)
          yield item
        }
        count += items.length
        if (fresh.length === 0 || !(current.hasMore ?? count < current.total)) return
        current = await fetchPage({ ...query, offset: undefined, before: items.at(-1)!.id })
      }
    },
  })
}

/** A list with a single page. */
export const toWholeList = <Item>(items: MayflyPromise<Item[]>): MayflyList<Item[], Item> => Object.assign(items, {
  async *[Symbol.asyncIterator]() {
    yield* await items
  },
})
