import type { MayflyPromise } from './promise.ts'

/**
 * A page of a list, which also gives the items of all pages, one after the other. Those that are deleted or added on the way do not
 * make it pass over others, or give them twice.
 * @example
 * const { total } = await mayfly.addresses.list()
 * for await (const { id, expiresAt } of mayfly.addresses.list({ limit: 100 })) {
 *   if (expiresAt < new Date()) await mayfly.addresses.delete(id)
 * }
 */
export interface MayflyList<Page, Item> extends MayflyPromise<Page>, AsyncIterable<Item> {}

/** What the pages of all lists have in common. */
type AnyPage<Item> = { total: number, hasMore?: boolean } & ({ data: Item[], addresses?: undefined } | { addresses: Item[] })

const itemsOf = <Item>(page: AnyPage<Item>) => page.addresses ?? page.data

const haveIds = (items: { id: string }[]) => items.every(({ id }) => typeof id === 'string')

// how the answers of lists are read: undefined unless they hold things that have ids
export const page = <Page extends AnyPage<{ id: string }>>(body: Page): Page | undefined => haveIds(itemsOf(body)) ? body : undefined
export const pageInData = <Page extends AnyPage<{ id: string }>>({ data }: { data: Page }): Page | undefined => page(data)
export const itemsInData = <Item extends { id: string }>({ data }: { data: Item[] }): Item[] | undefined => haveIds(data) ? data : undefined

/** Requests the first page, and while the list is iterated the next ones: `before` is the id of the last item of the page before. */
export function toList<Page extends AnyPage<Item>, Query extends { offset?: number, before?: string }, Item extends { id: string }>(
  query: Query, fetchPage: (query: Query) => MayflyPromise<Page>,
): MayflyList<Page, Item> {
  const first = fetchPage(query)
  return Object.assign(first, {
    async *[Symbol.asyncIterator]() {
      const seen = new Set<string>()
      let current = await first
      for (let passed = query.offset ?? 0; ;) {
        const items = itemsOf<Item>(current)
        // a server that does not support `before` returns the same page again
        const fresh = items.filter(({ id }) => !seen.has(id))
        for (const item of fresh) {
          seen.add(item.id)
          yield item
        }
        passed += items.length
        if (fresh.length === 0 || !(current.hasMore ?? passed < current.total)) return
        current = await fetchPage({ ...query, offset: undefined, before: items.at(-1)!.id })
      }
    },
  })
}

/** A list that has but one page. */
export const toWholeList = <Item>(items: MayflyPromise<Item[]>): MayflyList<Item[], Item> => Object.assign(items, {
  async *[Symbol.asyncIterator]() {
    yield* await items
  },
})
