import { setImmediate } from 'node:timers/promises'
import { afterAllIds, cutPage } from './page.ts'
import type { Page } from './page.ts'

/** Ids of a list, from the oldest to one that is newer than all of them. */
export interface IdRange {
  from: string
  before: string
}

/** A list that is sorted by id, newest first, with a filter that no index has. */
export interface FilteredList<Row> {
  /** The oldest id of the next step: a number of rows older than `before`, filtered or not. Undefined when there are fewer. */
  findStart(before: string): Promise<string | undefined>
  /** The rows of a range that pass the filter, newest first. */
  select(range: IdRange & { limit: number }): Promise<Row[]>
}

/** Reads a page in steps of a limited number of rows. Other requests go on between the steps. */
export async function readFilteredPage<Row>(page: Omit<Page, 'offset'>, { findStart, select }: FilteredList<Row>): Promise<{ rows: Row[], hasMore: boolean }> {
  const rows: Row[] = []
  let { before = afterAllIds } = page
  for (;;) {
    const start = await findStart(before)
    rows.push(...await select({ from: start ?? '', before, limit: page.limit + 1 - rows.length }))
    if (start === undefined || rows.length > page.limit) return cutPage(rows, page)
    before = start
    await setImmediate()
  }
}
