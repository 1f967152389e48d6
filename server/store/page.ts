/** A part of a list that is sorted by id, newest first. */
export interface Page {
  limit: number
  /** Rows that are skipped. Skipping reads them, so the document bounds it. */
  offset: number
  /** An id; only rows older than it. */
  before?: string
}

/** Rows that a total counts at most where it is counted and not kept. */
export const maxCounted = 1_000

/** Sorts after every id. */
const afterAllIds = '~'

/** Values of a query that reads a page, and one row more, which tells whether others follow. */
export const pageValues = ({ limit, offset, before = afterAllIds }: Page) => ({ limit: limit + 1, offset, before })

/** Takes the row that tells whether others follow off a page. */
export const cutPage = <Row>(rows: Row[], { limit }: Page): { rows: Row[], hasMore: boolean } =>
  ({ rows: rows.slice(0, limit), hasMore: rows.length > limit })
