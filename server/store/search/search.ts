import type { Database } from '../database.ts'
import type { FoundIds } from '../engine.ts'
import { onlyAfter } from '../mail/arrivals.ts'
import { findSummaries } from '../mail/email-list.ts'
import type { EmailFilter, EmailPage } from '../mail/email-list.ts'
import type { Owner } from '../schema/values.ts'
import { selectOwnerNumber } from './search-numbers.ts'
import { queryTerms } from './search-terms.ts'
import { filterTerms } from './searched-mail.ts'

/** Maximum terms of a query that are looked up: the time for frequent terms grows with their number. */
export const maxComparedWords = 5

export const hasWord = (query: string): boolean => queryTerms(query).length > 0

/** Whether an email that is found has all words of a query. */
export const comparesAllWords = (query: string): boolean => queryTerms(query).length <= maxComparedWords

/**
 * Emails of an owner that have the words of a query, newest first; without a query, those that a filter by the envelope selects. Finds only
 * indexed emails.
 */
export async function searchEmails(db: Database, owner: Owner, query: string | undefined, filter: EmailFilter): Promise<EmailPage> {
  const terms = rarestTerms(queryTerms(query ?? ''))
  if (terms.length === 0 && query !== undefined) return { emails: [], total: 0, hasMore: false }
  // one snapshot: otherwise an email that is removed in between would be counted and not shown
  return db.snapshot(async (at) => {
    const { ids, total } = await findAll(at, owner, terms, filter)
    const page = ids.slice(0, filter.limit)
    return { emails: await findSummaries(at, await onlyAfter(at, page, filter.after)), total, hasMore: ids.length > filter.limit }
  })
}

/** Selects the longest terms, which are rarer. Drops the beginnings of other terms: a mail with a term has all its beginnings. */
function rarestTerms(terms: string[]): string[] {
  return terms.filter((term) => !terms.some((other) => other !== term && other.startsWith(term)))
    .sort((a, b) => b.length - a.length).slice(0, maxComparedWords)
}

async function findAll(at: Database, owner: Owner, words: string[], filter: EmailFilter): Promise<FoundIds> {
  const known = (await selectOwnerNumber(at, owner)).rows[0]
  if (!known) return { ids: [], total: 0 }
  const { isDeleted, after, before, limit, offset } = filter
  const search = { ...owner, ownerNumber: known.number, terms: [...filterTerms(filter), ...words], isDeleted, after }
  return at.engine.search.find(at, search, { limit, offset, before })
}
