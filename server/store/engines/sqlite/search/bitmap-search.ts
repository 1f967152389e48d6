import { sql as raw } from 'kysely'
import { prepared } from '../../../changes/prepared.ts'
import type { Queries } from '../../../connection.ts'
import type { TermSearch } from '../../../engine.ts'
import { isShown } from '../../../mail/removed-mailboxes.ts'
import { ownedBy } from '../../../owner.ts'
import type { Owner } from '../../../schema/values.ts'
import { minNumber } from '../../../search/search-numbers.ts'
import { countCommon, intersect, positionsOf, wordsOf } from './bitmap.ts'
import type { Bitmap, BitmapPart } from './bitmap.ts'
import { newestWith } from './term-lists.ts'
import { maxWindowMails, readNumbers, selectFrequentOf, selectWindows } from './windows.ts'
import type { WindowEnd } from './windows.ts'

/** The mails that have all terms, before they are looked up. */
export interface Candidates {
  /** The last number of the windows: later mails are in the index alone. */
  end: number
  /** Windows with such mails, newest first. `above` is the last number of the window before. */
  windows: (WindowEnd & { above: number, bits: Bitmap })[]
}

/** Above this part of all mails with all terms, the index finds a page of them sooner. */
const maxMatchRatio = 1 / 32
/** Mails that are looked up at once. */
const lookedUpAtOnce = 256
/** Mails of the bitmaps that are removed by now, after which the index is searched instead: it does not have them any more. */
const maxGone = 1_000

/**
 * Finds mails that are not deleted by terms that are frequent and rarely meet: the index would read the list of each term to its end.
 * @returns undefined when the index has to be searched: a term is not frequent, or the terms often meet
 */
export async function findCandidates(db: Queries, { ownerNumber, terms }: TermSearch): Promise<Candidates | undefined> {
  if (terms.length < 2) return undefined
  const { rows: frequent } = await selectFrequentOf(db, { ownerNumber, terms: JSON.stringify(terms) })
  if (frequent.length < terms.length) return undefined
  const { rows: all } = await selectWindows(db, { ownerNumber })
  const bitmaps: TermBitmaps[] = []
  for (const term of terms) bitmaps.push(await readBitmaps(db, ownerNumber, term))
  const windows: Candidates['windows'] = []
  let mails = 0
  for (const [i, { window, last }] of all.entries()) {
    const parts = bitmaps.flatMap((ofTerm) => ofTerm.partOf(window) ?? [])
    if (parts.length < terms.length) continue
    const length = Math.min(...parts.map((part) => part.length))
    const count = countCommon(parts, length)
    if (count > 0) windows.push({ window, last, above: all[i - 1]?.last ?? -1, bits: intersect(parts, length) })
    mails += count
    if (mails > all.length * maxWindowMails * maxMatchRatio) return undefined
  }
  return { end: all.at(-1)!.last, windows: windows.reverse() }
}

type WindowPart = BitmapPart & { length: number }

/** The bitmaps of a term. */
interface TermBitmaps {
  /** The bitmap of a window. To be called with the numbers of windows in ascending order. */
  partOf(window: number): WindowPart | undefined
}

async function readBitmaps(db: Queries, ownerNumber: number, term: string): Promise<TermBitmaps> {
  const { rows: [row] } = await db.execute(bitmapsSql, [ownerNumber, term])
  const { bytes, ...json } = row as unknown as { windows: string, lengths: string, bytes: Uint8Array }
  const [windows, lengths, words] = [JSON.parse(json.windows) as number[], JSON.parse(json.lengths) as number[], wordsOf(bytes)]
  let [i, from] = [0, 0]
  return {
    partOf(window) {
      for (; windows[i]! < window; i++) from += lengths[i]! >> 2
      return windows[i] === window ? { words, from, length: lengths[i]! >> 2 } : undefined
    },
  }
}

/**
 * Ids of emails, newest first.
 * @param page.below the number after the last
 * @returns undefined when many mails are removed since their bitmaps were built
 */
export async function findIds(
  db: Queries, search: TermSearch, candidates: Candidates, page: { below?: number, limit: number },
): Promise<string[] | undefined> {
  const ids: string[] = []
  let gone = 0
  for await (const numbers of candidateNumbers(db, search, candidates, page.below ?? Number.MAX_SAFE_INTEGER)) {
    for (let i = 0; i < numbers.length; i += lookedUpAtOnce) {
      const some = numbers.slice(i, i + lookedUpAtOnce)
      const { rows } = await selectShown(db, { ...search, numbers: JSON.stringify(some) })
      ids.push(...rows.sort((a, b) => b.number - a.number).map(({ email_id: id }) => id))
      if (ids.length >= page.limit) return ids.slice(0, page.limit)
      gone += some.length - rows.length
      if (gone > maxGone) return undefined
    }
  }
  return ids
}

/** Numbers of mails, newest first, in parts. */
async function* candidateNumbers(
  db: Queries, { ownerNumber, terms, after }: TermSearch, { end, windows }: Candidates, below: number,
): AsyncGenerator<number[]> {
  const min = after === '' ? 0 : minNumber(after)
  const inRange = (numbers: number[]) => numbers.filter((number) => number >= min && number < below).sort((a, b) => b - a)
  if (below > end) {
    const lists: number[][] = []
    for (const term of terms) lists.push(await newestWith(db, term, { ownerNumber, above: end }))
    yield inRange(intersectLists(lists))
  }
  for (const { window, above, last, bits } of windows) {
    if (above >= below) continue
    if (last < min) return
    const numbers = await readNumbers(db, { ownerNumber, window })
    yield inRange(positionsOf(bits).map((position) => numbers[position]!))
  }
}

/** The lists are in descending order. */
function intersectLists(lists: number[][]): number[] {
  const [shortest, ...others] = lists.sort((a, b) => a.length - b.length)
  return others.reduce((found, list) => {
    let i = 0
    return found.filter((number) => {
      while (i < list.length && list[i]! > number) i++
      return list[i] === number
    })
  }, shortest!)
}

/**
 * The bitmaps of a term in all windows: a JSON array of the numbers of windows, one of lengths in bytes, and the bytes. One row: a row for
 * each window would take twice the time. Values: the owner's number, the term.
 */
const bitmapsSql = `select json_group_array(window_number) as windows, json_group_array(length(bits)) as lengths,
      cast(group_concat(bits, '') as blob) as bytes
    from (select window_number, bits from email_search_bitmaps where owner_number = cast(? as integer) and term = ? order by window_number)`

/** Checks the owner too: the number of a removed mail may belong to another one's. */
const selectShown = prepared<Owner & { numbers: string, after: string }, { number: number, email_id: string }>((sql, value) =>
  sql.selectFrom('email_search_rows').crossJoin('emails').select(['number', 'email_id'])
    .where('number', 'in', raw<number>`(select value from json_each(${value('numbers')}))`)
    .whereRef('emails.id', '=', 'email_search_rows.email_id')
    .$call(ownedBy(value, 'emails')).where('is_deleted', '=', 0).where('emails.id', '>', value('after')).where(isShown))
