import type { MayflyPromise } from './promise.ts'

/** A page of a list, which also gives the items of all pages, one after the other. */
export interface MayflyList<Page, Item> extends MayflyPromise<Page>, AsyncIterable<Item> {}

/** What the pages of all lists have in common. */
type AnyPage<Item> = { total: number, hasMore?: boolean } & ({ data: Item[], addresses?: undefined } | { addresses: Item[] })

const itemsOf = <Item>(page: AnyPage<Item> | Item[]) => Array.isArray(page) ? page : page.addresses ?? page.data

/** @returns undefined unless it is a page of things that have ids */
export const listed = <Page extends AnyPage<Item> | Item[], Item extends { id: string }>(page: Page): Page | undefined =>
  itemsOf<Item>(page).every(({ id }) => typeof id === 'string') ? page : undefined

/** The page in the `data` of an answer. */
export const listedData = <Page extends AnyPage<Item> | Item[], Item extends { id: string }>({ data }: { data: Page }): Page | undefined =>
  listed<Page, Item>(data)

/** Asks for a page, and for those after it once somebody goes through the items. */
export function toList<Page extends AnyPage<Item>, Query extends { offset?: number }, Item extends { id: string }>(
  query: Query, fetchPage: (query: Query) => MayflyPromise<Page>,
): MayflyList<Page, Item> {
  const first = fetchPage(query)
  return Object.assign(first, {
    async *[Symbol.asyncIterator]() {
      const { offset: start = 0 } = query
      const seen = new Set<string>()
      let page = await first
      for (let offset = start; ;) {
        const { total } = page
        const items = itemsOf<Item>(page)
        const fresh = items.filter(({ id }) => !seen.has(id))
        for (const item of fresh) {
          seen.add(item.id)
          yield item
        }
        offset += items.length
        if (items.length === 0 || !(page.hasMore ?? offset < total)) return
        page = await fetchPage({ ...query, offset })
        const moved = page.total - total
        if (fresh.length === 0 && moved <= 0) return
        // what was removed since has moved the rest up; what was added has moved it down, where it is seen twice
        if (moved < 0) page = await fetchPage({ ...query, offset: offset = Math.max(start, offset + moved) })
      }
    },
  })
}

/** A list that has but one page. */
export const toWholeList = <Item>(items: MayflyPromise<Item[]>): MayflyList<Item[], Item> => Object.assign(items, {
  async *[Symbol.asyncIterator]() {
    yield* itemsOf(await items)
  },
})
