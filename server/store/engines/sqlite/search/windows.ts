import { sql as raw } from 'kysely'
import { prepared } from '../../../changes/prepared.ts'
import type { Queries } from '../../../connection.ts'
import type { Tx } from '../../../engine.ts'
import { withBits } from './bitmap.ts'
import type { Bitmap } from './bitmap.ts'

/**
 * Windows divide the mails of an owner by their numbers, the newest mails excepted. A mail has a position in its window. A frequent term
 * has a bitmap of positions in each window that has mails with it. Terms that rarely meet are searched by them: the index would read the
 * list of each term to its end (docs/decisions/0016).
 */
export interface WindowKey {
  ownerNumber: number
  /** Windows of an owner count from 1, the oldest first. */
  window: number
}

/** A window, and the highest number in it. */
export interface WindowEnd {
  window: number
  last: number
}

/** Maximum mails of a window, except mails that come late. A bitmap has 768 bytes: five fit in a page of 4 kB. */
export const maxWindowMails = 6_144

/** In place of the number of a mail that has another position by now. */
const noNumber = -1

/** Adds a late mail behind the others of its window; most mails are newer than all windows. */
export async function addToWindow(tx: Tx, ownerNumber: number, number: number, terms: string[]): Promise<void> {
  const { rows: [found] } = await selectWindowOf(tx, { ownerNumber, number })
  if (!found) return
  const key = { ownerNumber, window: found.window_number }
  const numbers = await readNumbers(tx, key)
  // the mail was deleted and restored, or an earlier one with this number was removed
  const others = numbers.map((other) => other === number ? noNumber : other)
  await writeWindow(tx, { ...key, last: found.last, numbers: [...others, number] })
  for (const { term } of (await selectFrequentOf(tx, { ownerNumber, terms: JSON.stringify(terms) })).rows) {
    await writeBits(tx, { ...key, term, bits: withBits(await readBits(tx, { ...key, term }), [numbers.length]) })
  }
}

/** The numbers of a window's mails by position. */
export async function readNumbers(db: Queries, key: WindowKey): Promise<number[]> {
  const bytes = (await selectNumbers(db, key)).rows[0]?.numbers ?? new Uint8Array()
  return [...new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))]
}

export async function readBits(db: Queries, key: WindowKey & { term: string }): Promise<Bitmap> {
  return (await selectBits(db, key)).rows[0]?.bits ?? new Uint8Array()
}

export async function writeWindow(tx: Tx, { numbers, ...window }: WindowKey & { last: number, numbers: number[] }): Promise<void> {
  await deleteWindow(tx, window)
  await insertWindow(tx, { ...window, numbers: Buffer.from(Float64Array.from(numbers).buffer) })
}

/** As a Buffer: drivers accept no other typed array. */
export async function writeBits(tx: Tx, { bits, ...key }: WindowKey & { term: string, bits: Bitmap }): Promise<void> {
  await upsertBits(tx, { ...key, bits: Buffer.from(bits.buffer, bits.byteOffset, bits.length) })
}

/** Removes a window with its bitmaps. */
export async function removeWindow(tx: Tx, key: WindowKey): Promise<void> {
  await deleteBitsOfWindow(tx, key)
  await deleteWindow(tx, key)
}

/** Removes the bitmaps of a term: it is searched in the index alone. */
export async function removeFrequent(tx: Tx, value: { ownerNumber: number, term: string }): Promise<void> {
  await deleteBitsOfTerm(tx, value)
  await deleteFrequent(tx, value)
}

/** The windows of an owner, oldest first. */
export const selectWindows = prepared<{ ownerNumber: number }, WindowEnd>((sql, value) =>
  sql.selectFrom('email_search_windows').select(['window_number as window', 'last'])
    .where('owner_number', '=', value('ownerNumber')).orderBy('window_number'))

/** Total length of the windows' numbers, eight bytes for each mail. It changes with each mail that is added. */
export const selectWindowBytes = prepared<{ ownerNumber: number }, { bytes: number | null }>((sql, value) => sql.selectFrom('email_search_windows')
  .select(raw<number | null>`sum(length(numbers))`.as('bytes')).where('owner_number', '=', value('ownerNumber')))

export const selectFrequent = prepared<{ ownerNumber: number }, { term: string, share: number }>((sql, value) =>
  sql.selectFrom('email_search_frequent').select(['term', 'share']).where('owner_number', '=', value('ownerNumber')))

/** Those of the terms that are frequent. */
export const selectFrequentOf = prepared<{ ownerNumber: number, terms: string }, { term: string }>((sql, value) =>
  sql.selectFrom('email_search_frequent').select('term')
    .where('owner_number', '=', value('ownerNumber')).where('term', 'in', raw<string>`(select value from json_each(${value('terms')}))`))

export const upsertFrequent = prepared<{ ownerNumber: number, term: string, share: number }, never>((sql, value) =>
  sql.insertInto('email_search_frequent')
    .values({ owner_number: value('ownerNumber'), term: value('term'), share: value('share') })
    .onConflict((conflict) => conflict.columns(['owner_number', 'term']).doUpdateSet({ share: value('share') })))

const selectWindowOf = prepared<{ ownerNumber: number, number: number }, { window_number: number, last: number }>((sql, value) =>
  sql.selectFrom('email_search_windows').select(['window_number', 'last'])
    .where('owner_number', '=', value('ownerNumber')).where('last', '>=', value('number')).orderBy('window_number').limit(1))

const selectNumbers = prepared<WindowKey, { numbers: Uint8Array }>((sql, value) => sql.selectFrom('email_search_windows')
  .select('numbers').where('owner_number', '=', value('ownerNumber')).where('window_number', '=', value('window')))

const insertWindow = prepared<WindowKey & { last: number, numbers: Uint8Array }, never>((sql, value) => sql.insertInto('email_search_windows')
  .values({ owner_number: value('ownerNumber'), window_number: value('window'), last: value('last'), numbers: value('numbers') }))

const deleteWindow = prepared<WindowKey, never>((sql, value) => sql.deleteFrom('email_search_windows')
  .where('owner_number', '=', value('ownerNumber')).where('window_number', '=', value('window')))

const selectBits = prepared<WindowKey & { term: string }, { bits: Bitmap }>((sql, value) => sql.selectFrom('email_search_bitmaps').select('bits')
  .where('owner_number', '=', value('ownerNumber')).where('term', '=', value('term')).where('window_number', '=', value('window')))

const upsertBits = prepared<WindowKey & { term: string, bits: Bitmap }, never>((sql, value) => sql.insertInto('email_search_bitmaps')
  .values({ owner_number: value('ownerNumber'), term: value('term'), window_number: value('window'), bits: value('bits') })
  .onConflict((conflict) => conflict.columns(['owner_number', 'term', 'window_number']).doUpdateSet({ bits: value('bits') })))

const deleteBitsOfWindow = prepared<WindowKey, never>((sql, value) => sql.deleteFrom('email_search_bitmaps')
  .where('owner_number', '=', value('ownerNumber')).where('window_number', '=', value('window'))
  .where('term', 'in', sql.selectFrom('email_search_frequent').select('term').where('owner_number', '=', value('ownerNumber'))))

const deleteBitsOfTerm = prepared<{ ownerNumber: number, term: string }, never>((sql, value) => sql.deleteFrom('email_search_bitmaps')
  .where('owner_number', '=', value('ownerNumber')).where('term', '=', value('term')))

const deleteFrequent = prepared<{ ownerNumber: number, term: string }, never>((sql, value) => sql.deleteFrom('email_search_frequent')
  .where('owner_number', '=', value('ownerNumber')).where('term', '=', value('term')))
