import { setImmediate } from 'node:timers/promises'

/** A part of a list that is sorted by id, newest first. */
export interface Page {
  limit: number
  /** Rows that are skipped. Skipping reads them, so the document bounds it. */
  offset: number
  /** An id; only rows older than it. */
  before?: string
}

/**
 * After which mail a list or a wait begins: the number of a mail in the order of the commits; or, where there is no mail with an id, the id
 * itself, which is a time of arrival.
 */
export type Position = { seq: number } | { id: string }

/** The part of a list that a query selects; values out of range were refused before. */
export const pageOf = ({ limit, offset = 0, before }: Partial<Page>, defaultLimit: number): Page =>
  ({ limit: limit ?? defaultLimit, offset, before })

/** The part of a page's parameters that the response repeats. */
export const shownPage = ({ limit, offset }: Page): Pick<Page, 'limit' | 'offset'> => ({ limit, offset })

/** A batch of old rows to remove. */
export interface RemovalBatch {
  /** Milliseconds since 1970; later rows stay. */
  before: number
  limit: number
}

/** Maximum of a total that a query counts, where no counter is kept. */
export const maxCounted = 1_000

/** Sorts after every id. */
export const afterAllIds = '~'

export const higher = (a: string, b: string): string => a > b ? a : b
export const lower = (a: string, b: string): string => a < b ? a : b

/** Values of a query that reads a page and one row more, which tells whether there is a next page. */
export interface PageValues {
  limit: number
  offset: number
  before: string
  /** The sum of `offset` and `limit`: the query needs no rows of the list after as many. */
  end: number
}

export const pageValues = ({ limit, offset, before = afterAllIds }: Page): PageValues =>
  ({ limit: limit + 1, offset, before, end: offset + limit + 1 })

/** Removes the additional row from a page. */
export const cutPage = <Row>(rows: Row[], { limit }: Pick<Page, 'limit'>): { rows: Row[], hasMore: boolean } =>
  ({ rows: rows.slice(0, limit), hasMore: rows.length > limit })

/** A half-open range of ids: `from` is the oldest id of a list, and `before` is greater than the newest. */
export interface IdRange {
  from: string
  before: string
}

/** A list that is sorted by id, newest first, with a filter that no index has. */
interface FilteredList<Row> {
  /** The oldest id of the next step: a number of rows older than `before`, filtered or not. Undefined when there are fewer. */
  findStart(before: string): Promise<string | undefined>
  /** The rows of a range that pass the filter, newest first. */
  select(range: IdRange & { limit: number }): Promise<Row[]>
  /** Waits between two steps; one turn of the event loop, when it is left out. */
  turn?(): Promise<void>
}

/** Reads a page in steps of a limited number of rows. Other requests go on between the steps. */
export async function readFilteredPage<Row>(page: Omit<Page, 'offset'>, { findStart, select, turn = setImmediate }: FilteredList<Row>): Promise<{ rows: Row[], hasMore: boolean }> {
  const rows: Row[] = []
  let { before = afterAllIds } = page
  for (;;) {
    const start = await findStart(before)
    rows.push(...await select({ from: start ?? '', before, limit: page.limit + 1 - rows.length }))
    if (start === undefined || rows.length > page.limit) return cutPage(rows, page)
    before = start
    await turn()
  }
}
