import type { Database } from './database.ts'
import { findSummaries } from './email-list.ts'
import type { EmailFilter, EmailPage } from './email-list.ts'
import { toBit } from './emails.ts'
import type { Owner } from './owner.ts'
import { maxCounted } from './page.ts'
import { prepared } from './prepared.ts'
import { isShown, removedMailboxes } from './removed-mailboxes.ts'
import type { Bit, EmailRow } from './schema.ts'
import { filterTerms, leastNumber, ownerNumber, scopeOf, searchedColumns, termsOf } from './search-index.ts'
import type { SearchedMail } from './search-index.ts'
import { queryTerms } from './search-terms.ts'

/** Terms of a query that are looked up: where all are frequent, each takes time for each mail. */
const maxTerms = 5
/** Addresses whose mail is being removed and that the index leaves out; there are hardly ever more. */
const maxLeftOut = 20

/** Emails of an owner that have the words of a query, newest first. Those that wait to be indexed are looked through. */
export async function searchEmails(db: Database, owner: Owner, query: string, filter: EmailFilter): Promise<EmailPage> {
  const terms = longestTerms(queryTerms(query))
  if (terms.length === 0) return { emails: [], total: 0, hasMore: false }
  const { limit, offset } = filter
  // of one state: what is indexed meanwhile would be found twice, or never
  return db.snapshot(async (at) => {
    const waiting = await searchUnindexed(at, owner, terms, filter)
    const unindexed = filter.before ? waiting.filter((id) => id < filter.before!) : waiting
    // no more than these can stand before the page beside what is indexed
    const skipped = Math.max(0, offset - unindexed.length)
    const { ids, total } = await searchIndexed(at, owner, terms, filter, { limit: limit + unindexed.length + 1, offset: skipped })
    const merged = mergeNewestFirst(unindexed, ids)
    const start = offset - skipped
    return {
      emails: await findSummaries(at, merged.slice(start, start + limit)),
      total: Math.min(maxCounted, total + waiting.length),
      hasMore: merged.length > start + limit,
    }
  })
}

/** The longest say the most. A mail that has a term has all beginnings of it. */
function longestTerms(terms: string[]): string[] {
  return terms.filter((term) => !terms.some((other) => other !== term && other.startsWith(term)))
    .sort((a, b) => b.length - a.length).slice(0, maxTerms)
}

async function searchIndexed(
  db: Database, owner: Owner, terms: string[], filter: EmailFilter, { limit, offset }: { limit: number, offset: number },
): Promise<{ ids: string[], total: number }> {
  const known = (await ownerNumber(db, owner)).rows[0]
  if (!known) return { ids: [], total: 0 }
  const { page, count, asking } = db.engine.search
  const after = filter.after ?? ''
  // those that are left out by the index need not be looked up, mail by mail
  const { rows: removed } = await removedMailboxes(db, { limit: maxLeftOut })
  const leftOut = removed.flatMap(({ address_id: addressId }) => filterTerms({ addressId }))
  const asked = asking(scopeOf(known.number, toBit(filter.isDeleted)), [...filterTerms(filter), ...terms], leftOut)
  const bounds = [asked, after && leastNumber(after), after]
  const end = filter.before === undefined ? Number.MAX_SAFE_INTEGER : await numberBehind(db, filter.before)
  const rows = db.execute(page, [...bounds, end, limit, offset]).rows as { email_id: string }[]
  const ids = rows.map((row) => row.email_id)
  const isAll = ids.length < limit && (ids.length > 0 || offset === 0) && filter.before === undefined
  if (isAll) return { ids, total: offset + ids.length }
  const [{ total }] = db.execute(count, [...bounds, Number.MAX_SAFE_INTEGER, maxCounted]).rows as unknown as [{ total: number }]
  return { ids, total }
}

/** The least number that none of the emails before this one has. It may have none itself: it is gone, or waits. */
async function numberBehind(db: Database, emailId: string): Promise<number> {
  const { rows: [last] } = await lastNumber(db, { emailId })
  return last ? last.number + (last.email_id === emailId ? 0 : 1) : 0
}

/** Mails that wait for the index and are looked through at most, and characters of theirs. */
const mostUnindexed = 50
const longestLook = 500_000

async function searchUnindexed(db: Database, owner: Owner, terms: string[], filter: EmailFilter): Promise<string[]> {
  const { rows } = await unindexed(db, { ...owner, isDeleted: toBit(filter.isDeleted), after: filter.after ?? '', limit: mostUnindexed })
  const found: string[] = []
  let looked = 0
  for (const mail of rows) {
    if (filter.type && filter.type !== mail.type || filter.addressId && filter.addressId !== mail.address_id) continue
    looked += mail.text.length
    if (looked > longestLook) break
    const has = termsOf(mail)
    if (terms.every((term) => has.has(term))) found.push(mail.id)
  }
  return found
}

/** Two lists as one. */
function mergeNewestFirst(few: string[], many: string[]): string[] {
  const merged: string[] = []
  const waiting = [...few]
  for (const id of many) {
    while (waiting.length > 0 && waiting[0]! > id) merged.push(waiting.shift()!)
    merged.push(id)
  }
  return [...merged, ...waiting]
}

const lastNumber = prepared<{ emailId: string }, { email_id: string, number: number }>((sql, value) => sql.selectFrom('email_search_rows')
  .select(['email_id', 'number']).where('email_id', '<=', value('emailId')).orderBy('email_id', 'desc').limit(1))

const unindexed = prepared<Owner & { isDeleted: Bit, after: string, limit: number }, SearchedMail & Pick<EmailRow, 'id' | 'address_id'>>(
  (sql, value) => sql.selectFrom('email_search_pending')
    .innerJoin('emails', 'emails.id', 'email_search_pending.email_id')
    .innerJoin('messages', 'messages.id', 'emails.message_id')
    .select(['emails.id', 'emails.address_id']).select(searchedColumns)
    .where('email_search_pending.account_id', '=', value('accountId')).where('email_search_pending.mode', '=', value('mode'))
    .where('email_search_pending.email_id', '>', value('after')).where('emails.is_deleted', '=', value('isDeleted')).where(isShown)
    .orderBy('email_search_pending.email_id', 'desc').limit(value('limit')))
