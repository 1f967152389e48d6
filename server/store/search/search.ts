import type { Database } from '../database.ts'
import { findSummaries } from '../mail/email-list.ts'
import type { EmailFilter, EmailPage } from '../mail/email-list.ts'
import type { Owner } from '../owner.ts'
import { maxCounted } from '../page.ts'
import { prepared } from '../changes/prepared.ts'
import { selectRemovedMailboxes } from '../mail/removed-mailboxes.ts'
import { toBit } from '../schema/values.ts'
import { findCandidates, findIds } from './bitmap-search.ts'
import type { BitmapSearch } from './bitmap-search.ts'
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
    const { ids, total } = await findAll(at, owner, terms, filter)
    return { emails: await findSummaries(at, ids.slice(0, filter.limit)), total, hasMore: ids.length > filter.limit }
  })
}

/** Selects the longest terms, which are rarer. Drops the beginnings of other terms: a mail with a term has all its beginnings. */
function rarestTerms(terms: string[]): string[] {
  return terms.filter((term) => !terms.some((other) => other !== term && other.startsWith(term)))
    .sort((a, b) => b.length - a.length).slice(0, maxTerms)
}

/** `ids` has up to `limit` + 1 of them, which tells whether there are more. */
interface FoundIds {
  ids: string[]
  total: number
}

async function findAll(db: Database, owner: Owner, words: string[], filter: EmailFilter): Promise<FoundIds> {
  const known = (await selectOwnerNumber(db, owner)).rows[0]
  if (!known) return { ids: [], total: 0 }
  const search = { ...owner, ownerNumber: known.number, terms: [...filterTerms(filter), ...words], after: filter.after ?? '' }
  const below = filter.before === undefined ? Number.MAX_SAFE_INTEGER : await numberBehind(db, filter.before)
  return await searchBitmaps(db, search, filter, below) ?? await searchIndex(db, search, filter, below)
}

/** @returns undefined when the index has to be searched */
async function searchBitmaps(db: Database, search: BitmapSearch, filter: EmailFilter, below: number): Promise<FoundIds | undefined> {
  const candidates = filter.isDeleted ? undefined : await findCandidates(db, search)
  if (!candidates) return undefined
  const end = filter.offset + filter.limit + 1
  const page = await findIds(db, search, candidates, { below, limit: end })
  const isComplete = page && page.length < end && filter.before === undefined
  const counted = isComplete ? page : await findIds(db, search, candidates, { below: Number.MAX_SAFE_INTEGER, limit: maxCounted })
  return page && counted && { ids: page.slice(filter.offset), total: Math.min(maxCounted, counted.length) }
}

async function searchIndex(db: Database, search: BitmapSearch, filter: EmailFilter, below: number): Promise<FoundIds> {
  const { pageSql, countSql, countShownSql, matchText } = db.engine.search
  // exclusion within the index saves a lookup for each of their mails
  const { rows: removed } = await selectRemovedMailboxes(db, { limit: maxLeftOut })
  const leftOut = removed.flatMap(({ address_id: addressId }) => filterTerms({ addressId }))
  const match = matchText(scopeOf(search.ownerNumber, toBit(filter.isDeleted)), search.terms, leftOut)
  const bounds = [match, search.after && minNumber(search.after), search.after]
  const { rows } = await db.execute(pageSql, [...bounds, below, filter.limit + 1, filter.offset])
  const ids = (rows as { email_id: string }[]).map((row) => row.email_id)
  const isLast = ids.length <= filter.limit && (ids.length > 0 || filter.offset === 0) && filter.before === undefined
  if (isLast) return { ids, total: Math.min(maxCounted, filter.offset + ids.length) }
  // the match tells all, so no row is looked up
  const isWhole = search.after === '' && removed.length < maxLeftOut
  const { rows: [count] } = isWhole
    ? await db.execute(countSql, [match, maxCounted])
    : await db.execute(countShownSql, [...bounds, Number.MAX_SAFE_INTEGER, maxCounted])
  const { total } = count as unknown as { total: number }
  return { ids, total }
}

/** The lowest number above those of all emails before this one, which may have none itself: it is deleted, or not indexed yet. */
async function numberBehind(db: Database, emailId: string): Promise<number> {
  const { rows: [last] } = await selectLastNumber(db, { emailId })
  return last ? last.number + (last.email_id === emailId ? 0 : 1) : 0
}

const selectLastNumber = prepared<{ emailId: string }, { email_id: string, number: number }>((sql, value) => sql.selectFrom('email_search_rows')
  .select(['email_id', 'number']).where('email_id', '<=', value('emailId')).orderBy('email_id', 'desc').limit(1))
