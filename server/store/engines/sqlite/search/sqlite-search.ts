import type { Queries } from '../../../connection.ts'
import type { FoundIds, FoundPage, IndexedMail, SearchIndex, TermSearch, Tx } from '../../../engine.ts'
import { selectRemovedMailboxes } from '../../../mail/removed-mailboxes.ts'
import { maxCounted } from '../../../page.ts'
import { minNumber } from '../../../search/search-numbers.ts'
import { filterTerms } from '../../../search/searched-mail.ts'
import { findCandidates, findIds } from './bitmap-search.ts'
import { countShownSql, countSql, insertSql, matchText, mergeSql, pageSql, scopeOf, termText } from './fts.ts'
import { numberBehind, numbersOfMails } from './mail-numbers.ts'
import { openWindowBuilder } from './window-batch.ts'
import { addToWindow, removeFrequent, removeWindow, selectFrequent, selectWindows } from './windows.ts'

const removeRow = (email: string) =>
  `delete from email_search where rowid = (select number from email_search_rows where email_id = ${email}.id);`
const queueRow = (email: string) =>
  `insert or ignore into email_search_pending (account_id, mode, email_id) values (${email}.account_id, ${email}.mode, ${email}.id);`

/**
 * FTS5 without texts and positions, with windows beside it. Merges run in explicit steps: the automatic merges of FTS5 can hold the write
 * lock for long. Statements are those of released versions, to the last space.
 */
const createSql = [
  // the older mails of an owner, in windows: numbers of mails as doubles, by their positions in bitmaps; `last` is the highest
  `create table email_search_windows (
    owner_number bigint not null,
    window_number integer not null,
    last bigint not null,
    numbers blob not null,
    primary key (owner_number, window_number, last)
  )`,
  // terms that have bitmaps: without one in a window, no mail of it has the term
  `create table email_search_frequent (
    owner_number bigint not null,
    term text not null,
    share real not null,
    primary key (owner_number, term)
  ) without rowid`,
  `create table email_search_bitmaps (
    owner_number bigint not null,
    term text not null,
    window_number integer not null,
    bits blob not null,
    primary key (owner_number, term, window_number)
  ) without rowid`,
  `create virtual table email_search using fts5(
      terms, content='', contentless_delete=1, detail=none, tokenize="ascii tokenchars '.@'"
    )`,
  `insert into email_search (email_search, rank) values ('automerge', 0)`,
  `insert into email_search (email_search, rank) values ('crisismerge', 64)`,
  `create trigger email_search_insert after insert on emails begin ${queueRow('new')} end`,
  `create trigger email_search_move after update of is_deleted on emails when new.is_deleted != old.is_deleted
      begin ${removeRow('new')} ${queueRow('new')} end`,
  `create trigger email_search_delete after delete on emails begin
      ${removeRow('old')}
      delete from email_search_rows where email_id = old.id;
      delete from email_search_pending where account_id = old.account_id and mode = old.mode and email_id = old.id;
    end`,
]

/** Pages that are merged for each mail: it adds about one, which is written again some five times. */
const mergedPagesPerMail = 16

export const sqliteSearch: SearchIndex = {
  createSql,
  keyByIdSql: [],
  createBitmapsSql: [],
  locks: null,
  async add(tx, mails) {
    const numbers = await numbersOfMails(tx, mails.map(({ owner, id }) => ({ ...owner, id })))
    for (const [i, mail] of mails.entries()) await addMail(tx, mail, numbers[i]!)
    await tx.execute(mergeSql, [mergedPagesPerMail * mails.length])
  },
  find: findMails,
  openMaintenance: openWindowBuilder,
  removeDataOf: removeWindowsOf,
}

async function addMail(tx: Tx, { ownerNumber, isDeleted, terms }: IndexedMail, number: number) {
  await tx.execute(insertSql, [number, termText(scopeOf(ownerNumber, isDeleted), terms)])
  if (!isDeleted) await addToWindow(tx, ownerNumber, number, terms)
}

/** Maximum frequent terms of a step: each has a bitmap in each window. */
const maxTermsAtOnce = 8

/** Removes some of the windows and bitmaps of an owner. @returns whether there were any */
async function removeWindowsOf(tx: Tx, ownerNumber: number, limit: number): Promise<boolean> {
  const { rows: terms } = await selectFrequent(tx, { ownerNumber })
  for (const { term } of terms.slice(0, maxTermsAtOnce)) await removeFrequent(tx, { ownerNumber, term })
  if (terms.length > 0) return true
  const { rows: windows } = await selectWindows(tx, { ownerNumber })
  for (const { window } of windows.slice(0, limit)) await removeWindow(tx, { ownerNumber, window })
  return windows.length > 0
}

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
async function findMails(at: Queries, search: TermSearch, { before, ...rest }: FoundPage): Promise<FoundIds> {
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
