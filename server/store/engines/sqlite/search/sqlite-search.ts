import type { Queries } from '../../../connection.ts'
import type { FoundIds, FoundPage, SearchIndex, TermSearch } from '../../../engine.ts'
import { prepared } from '../../../changes/prepared.ts'
import { numberOfEmail } from '../../../mail/arrivals.ts'
import { unbound } from '../../../owner.ts'
import { afterAllIds, higher, lower, maxCounted } from '../../../page.ts'
import { filterTerms } from '../../../search/searched-mail.ts'
import { countShownSql, countSql, insertSql, matchText, mergeSql, pageSql, scopeOf, termText } from './fts.ts'
import { createSql, numberByCommitSql } from './index-tables.ts'

/** Pages that are merged for each mail: it adds about one, which is written again some five times. */
const mergedPagesPerMail = 16

export const sqliteSearch: SearchIndex = {
  createSql,
  keyByIdSql: [],
  createBitmapsSql: [],
  numberByCommitSql,
  locks: null,
  async add(tx, mails) {
    for (const { number, ownerNumber, isDeleted, terms } of mails) {
      await tx.execute(insertSql, [number, termText(scopeOf(ownerNumber, isDeleted), terms)])
    }
    await tx.execute(mergeSql, [mergedPagesPerMail * mails.length])
  },
  find: findMails,
  removeDataOf: async () => false,
}

/** Maximum deleted addresses that are excluded within the index; mail of further ones is filtered by row. */
const maxLeftOut = 20

async function findMails(at: Queries, search: TermSearch, { before, limit, offset, isCounted }: FoundPage): Promise<FoundIds> {
  // exclusion within the index saves a lookup for each of their mails
  const { rows: removed } = await selectRemovedMailboxes(at, { limit: maxLeftOut })
  const leftOut = removed.map(({ address_id: addressId }) => filterTerms({ addressId }))
  const match = matchText(scopeOf(search.ownerNumber, search.isDeleted), search.terms, [...search.excluded, ...leftOut])
  const values = (start: string | undefined) => boundsOf(at, search, start).then((bounds) =>
    [match, ...bounds, search.accountId, search.mode, search.isDeleted ? 1 : 0])
  const { rows } = await at.execute(pageSql, [...await values(before), limit + 1, offset])
  const ids = (rows as { id: string }[]).map(({ id }) => id)
  if (!isCounted) return { ids, total: 0 }
  const isLast = ids.length <= limit && (ids.length > 0 || offset === 0) && before === undefined
  if (isLast) return { ids, total: Math.min(maxCounted, offset + ids.length) }
  // where the match tells all, no row is looked up
  const isWhole = search.after === undefined && search.from === undefined && search.until === undefined && removed.length < maxLeftOut
  const { rows: [count] } = isWhole
    ? await at.execute(countSql, [match, maxCounted])
    : await at.execute(countShownSql, [...await values(undefined), maxCounted])
  const { total } = count as unknown as { total: number }
  return { ids, total }
}

/** The numbers and the ids between which the mails are, exclusive. */
async function boundsOf(
  at: Queries, { after, from = '', until = afterAllIds, ...owner }: TermSearch, before: string | undefined,
): Promise<[number, number, string, string]> {
  const number = before === undefined ? undefined : await numberOfEmail(at, unbound(owner), before)
  return [
    after && 'seq' in after ? after.seq : Number.MIN_SAFE_INTEGER, number ?? Number.MAX_SAFE_INTEGER,
    higher(after && 'id' in after ? after.id : '', from), lower(number === undefined ? before ?? afterAllIds : afterAllIds, until),
  ]
}

/** Deleted addresses, of all accounts, whose emails are still being removed; usually none. */
const selectRemovedMailboxes = prepared<{ limit: number }, { address_id: string }>((sql, value) => sql.selectFrom('removed_mailboxes')
  .select('address_id').limit(value('limit')))
