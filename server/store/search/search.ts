import { idBoundary } from '../../ids.ts'
import { prepared, preparedForList } from '../changes/prepared.ts'
import type { Queries } from '../connection.ts'
import type { Database } from '../database.ts'
import type { FoundIds } from '../engine.ts'
import { onlyAfter, ownEmails, recipientsOf } from '../mail/arrivals.ts'
import type { EmailFilter } from '../mail/email-list.ts'
import { ownedBy, unbound } from '../owner.ts'
import { maxCounted } from '../page.ts'
import type { Bit, Owner } from '../schema/values.ts'
import { selectOwnerNumber } from './search-numbers.ts'
import type { SearchedText, SearchQuery } from './search-query.ts'
import { queryTerms } from './search-terms.ts'
import { filterTerms, partTerms, selectSearched, textsIn, wordTerms } from './searched-mail.ts'
import { hasPhrase } from './words.ts'

/** Maximum terms of a query that are looked up: the time for frequent terms grows with their number. */
export const maxComparedWords = 5

export const hasWord = (query: string): boolean => queryTerms(query).length > 0

/** Whether an email that is found has all words of a query. */
export const comparesAllWords = (query: string): boolean => queryTerms(query).length <= maxComparedWords

/** The words of a query that are looked up in any part of an email, or in one. */
export const wordsOf = ({ texts }: SearchQuery): string[] => [...new Set(texts.filter(({ isExcluded }) => !isExcluded).flatMap(wordTerms))]

/** A search of the emails of an owner. Without a query, a filter by the envelope selects them. */
export interface Search {
  owner: Owner
  query: SearchQuery | undefined
  filter: SearchFilter
}

/**
 * @property isCounted false for a search without a total, which is 0
 * @property comparesAll whether a phrase is compared with all emails that have its words, as for a change
 */
export type SearchFilter = EmailFilter & { isCounted?: boolean, comparesAll?: true }

/** Ids of emails, newest first. */
export interface FoundEmails {
  ids: string[]
  /** `maxCounted` at most. */
  total: number
  hasMore: boolean
}

/** A step of a search that compares emails. */
export interface SearchStep {
  /** Those that meet the query. */
  ids: string[]
  /** The number of those that were compared. */
  compared: number
  /** The id before which the next step begins; undefined after the last one. */
  next: string | undefined
}

/** Finds emails in the index, where nothing else is to be compared: see `isCompared`. */
export async function searchIndex(db: Database, { owner, query, filter }: Search): Promise<FoundEmails> {
  return db.snapshot(async (at) => {
    const { ids, total } = await findAll(at, owner, query, filter)
    const page = ids.slice(0, filter.limit)
    return { ids: await onlyAfter(at, page, filter.after), total, hasMore: ids.length > filter.limit }
  })
}

/**
 * Whether the index cannot tell which emails meet a query: marks change, bounds and sizes are not in it, and it does not know the order of
 * words.
 */
export const isCompared = ({ owner, query }: Pick<Search, 'owner' | 'query'>): boolean => owner.bound !== undefined || query !== undefined
  && (query.isRead !== undefined || query.isStarred !== undefined || query.largerThan !== undefined || query.maxSize !== undefined
    || query.texts.some(isCheckedPhrase))

/** Emails of a step: those whose texts are compared take longer. */
const [comparedAtOnce, readAtOnce] = [500, 25]
/** Maximum emails whose texts a search compares, unless it `comparesAll`. */
const maxRead = 1_000

/** Compares some emails that the index finds with the rest of a query, and with the bound of the owner. */
export async function compareSome(db: Database, { owner, query, filter }: Search, before: string | undefined): Promise<SearchStep> {
  const phrases = query?.texts.filter(isCheckedPhrase) ?? []
  const limit = phrases.length > 0 ? readAtOnce : comparedAtOnce
  return db.snapshot(async (at) => {
    if (query && before === undefined && !await hasMarked(at, owner, query, filter)) return { ids: [], compared: 0, next: undefined }
    const found = await findAll(at, owner, query, { ...filter, before, limit, offset: 0, isCounted: false })
    const some = found.ids.slice(0, limit)
    const own = owner.bound ? await ownEmails(at, owner, some) : some
    const later = await onlyAfter(at, own, filter.after)
    const ids = query ? await withMarks(at, later, query) : later
    return {
      ids: phrases.length > 0 ? await withPhrases(at, ids, phrases) : ids,
      compared: own.length,
      next: found.ids.length > limit ? some.at(-1) : undefined,
    }
  })
}

/** Searches step by step, so that other searches go on between the steps. @param step `compareSome` */
export async function searchInSteps(
  { query, filter }: Search, step: (before: string | undefined) => Promise<SearchStep>,
): Promise<FoundEmails> {
  const { before, limit, offset, isCounted = true, comparesAll } = filter
  const maxCompared = !comparesAll && query?.texts.some(isCheckedPhrase) ? maxRead : Infinity
  const isWhole = before === undefined && isCounted
  const ids: string[] = []
  let matches = 0
  for await (const found of eachStep(before)) {
    for (const id of found) if (matches++ >= offset && ids.length <= limit) ids.push(id)
    if (ids.length > limit && (!isWhole || matches >= maxCounted)) break
  }
  if (before !== undefined && isCounted) {
    matches = 0
    for await (const found of eachStep(undefined)) if ((matches += found.length) >= maxCounted) break
  }
  return { ids: ids.slice(0, limit), total: isCounted ? Math.min(matches, maxCounted) : 0, hasMore: ids.length > limit }

  async function* eachStep(from: string | undefined) {
    for (let next = from, compared = 0, isLast = false; !isLast && compared < maxCompared;) {
      const done = await step(next)
      yield done.ids
      compared += done.compared
      next = done.next
      isLast = next === undefined
    }
  }
}

async function findAll(at: Database, owner: Owner, query: SearchQuery | undefined, filter: SearchFilter): Promise<FoundIds> {
  const known = (await selectOwnerNumber(at, unbound(owner))).rows[0]
  const conditions = query ? conditionsOf(query) : { terms: [], excluded: [] }
  if (!known || !conditions) return { ids: [], total: 0 }
  const { isDeleted, after, before, limit, offset, isCounted = true } = filter
  const terms = [...filterTerms(filter), ...conditions.terms]
  const search = {
    ...owner, ownerNumber: known.number, terms, excluded: conditions.excluded, isDeleted, after,
    ...query?.from !== undefined && { from: idBoundary(query.from) }, ...query?.until !== undefined && { until: idBoundary(query.until) },
  }
  return at.engine.search.find(at, search, { limit, offset, before, isCounted })
}

/** The terms of a query in the index. @returns undefined when no email can meet it */
export function conditionsOf(query: SearchQuery): { terms: string[], excluded: string[][] } | undefined {
  const { texts, parts, isImpossible, ...others } = query
  const wanted = texts.filter(({ isExcluded }) => !isExcluded)
  const words = wordsOf(query)
  const hasNoWord = (field: SearchedText['field']) => {
    const inField = wanted.filter((text) => text.field === field)
    return inField.length > 0 && inField.every((text) => wordTerms(text).length === 0)
  }
  const excludedTexts = texts.filter((text) => text.isExcluded && !isCheckedPhrase(text)).map(wordTerms)
  const excludedParts = partTerms(parts.filter(({ isExcluded }) => isExcluded))
  const wantedParts = partTerms(parts.filter(({ isExcluded }) => !isExcluded))
  const excluded = [...excludedTexts, ...excludedParts.map((term) => [term])].filter((terms) => terms.length > 0)
  const hasConditions = words.length + wantedParts.length + excluded.length > 0
    || Object.keys(others).some((name) => name !== 'maxSize') || texts.some(isCheckedPhrase)
  if (isImpossible || !hasConditions || (['any', 'from', 'to', 'subject'] as const).some(hasNoWord)) return undefined
  return { terms: [...wantedParts, ...rarestTerms(words)], excluded }
}

/** Selects the longest terms, which are rarer. Drops the beginnings of other terms: a mail with a term has all its beginnings. */
function rarestTerms(terms: string[]): string[] {
  return terms.filter((term) => !terms.some((other) => other !== term && other.startsWith(term)))
    .sort((a, b) => b.length - a.length).slice(0, maxComparedWords)
}

/** Whether the order of its words is to be compared. */
export const isCheckedPhrase = (text: SearchedText): boolean => text.isPhrase && wordTerms(text).length > 1

const comparesMarks = ({ isRead, isStarred }: SearchQuery) => isRead !== undefined || isStarred !== undefined
const comparesSizes = ({ largerThan, maxSize }: SearchQuery) => largerThan !== undefined || maxSize !== undefined

/** Whether an email of the owner has the marks of a query: without one, no step needs to read the index. */
async function hasMarked(at: Queries, owner: Owner, query: SearchQuery, { isDeleted }: SearchFilter): Promise<boolean> {
  if (!comparesMarks(query)) return true
  const [[read, orRead], [starred, orStarred]] = [bitsOf(query.isRead), bitsOf(query.isStarred)]
  const { rows } = await selectMarked(at, { ...unbound(owner), isDeleted: isDeleted ? 1 : 0, read, orRead, starred, orStarred })
  return rows.length > 0
}

/** Either value where none is wanted. */
const bitsOf = (wanted: boolean | undefined): [Bit, Bit] => wanted === undefined ? [0, 1] : wanted ? [1, 1] : [0, 0]

async function withMarks(at: Queries, ids: string[], query: SearchQuery): Promise<string[]> {
  const { isRead, isStarred, largerThan = -1, maxSize = Infinity } = query
  let kept = ids
  if (comparesMarks(query)) {
    const rows = new Map((await selectMarks(at, kept)).map((row) => [row.id, row]))
    const isBit = (wanted: boolean | undefined, bit: Bit) => wanted === undefined || wanted === (bit === 1)
    kept = kept.filter((id) => {
      const row = rows.get(id)
      return row && isBit(isRead, row.is_read) && isBit(isStarred, row.is_starred)
    })
  }
  if (comparesSizes(query)) {
    const sizes = new Map((await selectSizes(at, kept)).map(({ id, size }) => [id, size]))
    kept = kept.filter((id) => sizes.get(id)! > largerThan && sizes.get(id)! <= maxSize)
  }
  return kept
}

async function withPhrases(at: Queries, ids: string[], phrases: SearchedText[]): Promise<string[]> {
  const kept: string[] = []
  for (const id of ids) {
    const { rows: [mail] } = await selectSearched(at, { id })
    const texts = mail && { ...mail, recipients: recipientsOf(mail) }
    const meets = ({ field, text, isExcluded }: SearchedText) => textsIn(texts!, field).some((each) => hasPhrase(each, text)) !== isExcluded
    if (texts && phrases.every(meets)) kept.push(id)
  }
  return kept
}

interface MarkedValues extends Owner {
  isDeleted: Bit
  read: Bit
  orRead: Bit
  starred: Bit
  orStarred: Bit
}

const selectMarked = prepared<MarkedValues, { id: string }>((sql, value) => sql.selectFrom('emails').select('id').$call(ownedBy(value))
  .where('is_deleted', '=', value('isDeleted')).where('is_read', 'in', [value('read'), value('orRead')])
  .where('is_starred', 'in', [value('starred'), value('orStarred')]).limit(1))

const selectMarks = preparedForList<string, { id: string, is_read: Bit, is_starred: Bit }>((sql, ids) =>
  sql.selectFrom('emails').select(['id', 'is_read', 'is_starred']).where('id', 'in', ids))

const selectSizes = preparedForList<string, { id: string, size: number }>((sql, ids) => sql.selectFrom('emails')
  .innerJoin('messages', 'messages.id', 'emails.message_id').select(['emails.id', 'size']).where('emails.id', 'in', ids))
