import type { Database } from '../database.ts'
import { findSummaries } from '../mail/email-list.ts'
import type { EmailFilter, EmailPage } from '../mail/email-list.ts'
import type { Owner } from '../owner.ts'
import { maxCounted } from '../page.ts'
import { prepared } from '../changes/prepared.ts'
import { selectRemovedMailboxes } from '../mail/removed-mailboxes.ts'
import { toBit } from '../schema/values.ts'
import { filterTerms, minNumber, selectOwnerNumber, scopeOf } from './search-index.ts'
import { queryTerms } from './search-terms.ts'

/** Maximum terms of a query that are looked up: the time for frequent terms grows with their number. */
const maxTerms = 5
/** Maximum deleted addresses that are excluded within the index; mail of further ones is filtered by row. */
const maxLeftOut = 20

/** Emails of an owner that have the words of a query, newest first. Finds only indexed emails. */
export async function searchEmails(db: Database, owner: Owner, query: string, filter: EmailFilter): Promise<EmailPage> {
  const terms = rarestTerms(queryTerms(query))
  if (terms.length === 0) return { emails: [], total: 0, hasMore: false }
  // one snapshot: otherwise an email that is removed in between would be counted and not shown
  return db.snapshot(async (at) => {
    const { ids, total } = await searchIndex(at, owner, terms, filter)
    return { emails: await findSummaries(at, ids.slice(0, filter.limit)), total, hasMore: ids.length > filter.limit }
  })
}

/** Selects the longest terms, which are rarer. Drops the beginnings of other terms: a mail with a term has all its beginnings. */
function rarestTerms(terms: string[]): string[] {
  return terms.filter((term) => !terms.some((other) => other !== term && other.startsWith(term)))
    .sort((a, b) => b.length - a.length).slice(0, maxTerms)
}

/** @returns up to `limit` + 1 ids, which tells whether there are more */
async function searchIndex(db: Database, owner: Owner, terms: string[], filter: EmailFilter): Promise<{ ids: string[], total: number }> {
  const known = (await selectOwnerNumber(db, owner)).rows[0]
  if (!known) return { ids: [], total: 0 }
  const { pageSql, countSql, matchText } = db.engine.search
  const after = filter.after ?? ''
  // exclusion within the index saves a lookup for each of their mails
  const { rows: removed } = await selectRemovedMailboxes(db, { limit: maxLeftOut })
  const leftOut = removed.flatMap(({ address_id: addressId }) => filterTerms({ addressId }))
  const match = matchText(scopeOf(known.number, toBit(filter.isDeleted)), [...filterTerms(filter), ...terms], leftOut)
  const bounds = [match, after && minNumber(after), after]
  const end = filter.before === undefined ? Number.MAX_SAFE_INTEGER : await numberBehind(db, filter.before)
  const rows = db.execute(pageSql, [...bounds, end, filter.limit + 1, filter.offset]).rows as { email_id: string }[]
  const ids = rows.map((row) => row.email_id)
  const isLast = ids.length <= filter.limit && (ids.length > 0 || filter.offset === 0) && filter.before === undefined
  if (isLast) return { ids, total: Math.min(maxCounted, filter.offset + ids.length) }
  const [{ total }] = db.execute(countSql, [...bounds, Number.MAX_SAFE_INTEGER, maxCounted]).rows as unknown as [{ total: number }]
  return { ids, total }
}

/** The lowest number above those of all emails before this one, which may have none itself: it is deleted, or not indexed yet. */
async function numberBehind(db: Database, emailId: string): Promise<number> {
  const { rows: [last] } = await selectLastNumber(db, { emailId })
  return last ? last.number + (last.email_id === emailId ? 0 : 1) : 0
}

const selectLastNumber = prepared<{ emailId: string }, { email_id: string, number: number }>((sql, value) => sql.selectFrom('email_search_rows')
  .select(['email_id', 'number']).where('email_id', '<=', value('emailId')).orderBy('email_id', 'desc').limit(1))
