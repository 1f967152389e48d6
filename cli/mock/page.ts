/** The parameters of a page, as text. */
interface Part {
  limit?: number
  offset?: number
  before?: string
}

interface Page {
  total: number
  limit: number
  offset: number
  hasMore?: boolean
}

/** The default size of a page, by the document. */
const defaultSize = 20

/**
 * The part of an example's list without totals that a request selects.
 * @param items newest first
 */
export function exampleSlice<Item extends { id: string }>(
  items: Item[], { limit, before }: Part, isWanted: (item: Item) => boolean = () => true,
): { data: Item[], hasMore: boolean } {
  const size = Number(limit ?? defaultSize)
  const older = items.filter((item) => isWanted(item) && (before === undefined || item.id < before.toLowerCase()))
  return { data: older.slice(0, size), hasMore: older.length > size }
}

/**
 * The part of an example's list that a request selects.
 * @param page an example. A page of a longer list is returned unchanged, as the rest of that list is unknown
 * @param name the member of the page that has the items, newest first
 */
export function examplePage<Name extends string, P extends Page & Record<Name, { id: string }[]>>(
  page: P, name: Name, { limit, offset, before }: Part, isWanted: (item: P[Name][number]) => boolean = () => true,
): P {
  const items: P[Name][number][] = page[name]
  if (page.total > items.length) return page
  const counted = items.filter(isWanted)
  const older = counted.filter(({ id }) => before === undefined || id < before.toLowerCase())
  const size = Number(limit ?? page.limit)
  const start = Number(offset ?? 0)
  const end = start + size
  return {
    ...page, [name]: older.slice(start, end), total: counted.length, limit: size, offset: start,
    ...(page.hasMore !== undefined && { hasMore: older.length > end }),
  }
}
