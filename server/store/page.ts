/** A part of a list that is sorted by id, newest first. */
export interface Page {
  limit: number
  /** Rows that are skipped. Skipping reads them, so the document bounds it. */
  offset: number
  /** An id; only rows older than it. */
  before?: string
}

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
