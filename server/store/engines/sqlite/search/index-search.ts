import type { Queries } from '../../../changes/queries.ts'
import type { FoundIds, FoundPage, TermSearch } from '../../../engine.ts'
import { selectRemovedMailboxes } from '../../../mail/removed-mailboxes.ts'
import { maxCounted } from '../../../page.ts'
import { minNumber } from '../../../search/search-numbers.ts'
import { filterTerms } from '../../../search/searched-mail.ts'
import { findCandidates, findIds } from './bitmap-search.ts'
import { countShownSql, countSql, matchText, pageSql, scopeOf } from './fts.ts'
import { numberBehind } from './mail-numbers.ts'

/** Maximum deleted addresses that are excluded within the index; mail of further ones is filtered by row. */
const maxLeftOut = 20

/** A page of numbers, newest first. */
interface NumberedPage {
  /** The number above the last one of the page; absent for the newest mails. */
  below: number | undefined
  limit: number
  offset: number
}

/** Finds mails by bitmaps where the index would read long lists, else by the index. */
export async function findMails(at: Queries, search: TermSearch, { before, ...rest }: FoundPage): Promise<FoundIds> {
  const page = { ...rest, below: before === undefined ? undefined : await numberBehind(at, before) }
  return await searchBitmaps(at, search, page) ?? await searchIndex(at, search, page)
}

/** @returns undefined when the index has to be searched */
async function searchBitmaps(at: Queries, search: TermSearch, { below, limit, offset }: NumberedPage): Promise<FoundIds | undefined> {
  const candidates = search.isDeleted ? undefined : await findCandidates(at, search)
  if (!candidates) return undefined
  const end = offset + limit + 1
  const page = await findIds(at, search, candidates, { below, limit: end })
  const isComplete = page && page.length < end && below === undefined
  const counted = isComplete ? page : await findIds(at, search, candidates, { limit: maxCounted })
  return page && counted && { ids: page.slice(offset), total: Math.min(maxCounted, counted.length) }
}

async function searchIndex(at: Queries, search: TermSearch, { below, limit, offset }: NumberedPage): Promise<FoundIds> {
  // exclusion within the index saves a lookup for each of their mails
  const { rows: removed } = await selectRemovedMailboxes(at, { limit: maxLeftOut })
  const leftOut = removed.flatMap(({ address_id: addressId }) => filterTerms({ addressId }))
  const match = matchText(scopeOf(search.ownerNumber, search.isDeleted), search.terms, leftOut)
  const bounds = [match, search.after && minNumber(search.after), search.after]
  const { rows } = await at.execute(pageSql, [...bounds, below ?? Number.MAX_SAFE_INTEGER, limit + 1, offset])
  const ids = (rows as { email_id: string }[]).map((row) => row.email_id)
  const isLast = ids.length <= limit && (ids.length > 0 || offset === 0) && below === undefined
  if (isLast) return { ids, total: Math.min(maxCounted, offset + ids.length) }
  // the match tells all, so no row is looked up
  const isWhole = search.after === '' && removed.length < maxLeftOut
  const { rows: [count] } = isWhole
    ? await at.execute(countSql, [match, maxCounted])
    : await at.execute(countShownSql, [...bounds, Number.MAX_SAFE_INTEGER, maxCounted])
  const { total } = count as unknown as { total: number }
  return { ids, total }
}
