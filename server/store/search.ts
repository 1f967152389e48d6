import type { EmailSummary } from '../contract/types.gen.ts'
import type { Database } from './database.ts'
import { findSummaries, toBit } from './emails.ts'
import type { EmailFilter } from './emails.ts'
import type { Owner } from './owner.ts'
import { filterTerms, leastNumber, ownerNumber, scopeOf } from './search-index.ts'
import { queryTerms } from './search-terms.ts'

/** Mails that `total` counts at most: counting all that have a frequent word takes longer the more there are. */
export const mostCounted = 1_000

const none = { emails: [], total: 0, hasMore: false }

/** Emails of an owner that have all words of a query, newest first. Only those that are indexed are found. */
export async function searchEmails(
  db: Database, owner: Owner, query: string, filter: EmailFilter,
): Promise<{ emails: EmailSummary[], total: number, hasMore: boolean }> {
  const terms = queryTerms(query)
  if (terms.length === 0) return none
  // of one state: what is removed meanwhile would be counted, and not shown
  return db.snapshot(async (at) => {
    const { ids, total } = await searchIndex(at, owner, terms, filter)
    return { emails: await findSummaries(at, ids.slice(0, filter.limit)), total, hasMore: ids.length > filter.limit }
  })
}

/** @returns one id more than are wanted, if there are more */
async function searchIndex(db: Database, owner: Owner, terms: string[], filter: EmailFilter): Promise<{ ids: string[], total: number }> {
  const known = (await ownerNumber(db, owner)).rows[0]
  if (!known) return { ids: [], total: 0 }
  const { page, count, asking } = db.engine.search
  const after = filter.after ?? ''
  const asked = asking(scopeOf(known.number, toBit(filter.isDeleted)), [...filterTerms(filter), ...terms])
  const bounds = [asked, after && leastNumber(after), after]
  const rows = db.execute(page, [...bounds, filter.limit + 1, filter.offset]).rows as { email_id: string }[]
  const ids = rows.map((row) => row.email_id)
  const isLast = ids.length <= filter.limit && (ids.length > 0 || filter.offset === 0)
  if (isLast) return { ids, total: Math.min(mostCounted, filter.offset + ids.length) }
  const [{ total }] = db.execute(count, [...bounds, mostCounted]).rows as unknown as [{ total: number }]
  return { ids, total }
}
