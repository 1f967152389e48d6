import { sql as raw } from 'kysely'
import { prepared } from '../../../changes/prepared.ts'
import type { Queries } from '../../../connection.ts'
import { allTermsOf, selectSearched } from '../../../search/searched-mail.ts'
import { withBits } from './bitmap.ts'
import type { Bitmap } from './bitmap.ts'
import { numbersWith } from './term-lists.ts'
import type { ListRange } from './term-lists.ts'
import { readBits, readNumbers, selectFrequent } from './windows.ts'
import type { WindowEnd } from './windows.ts'

/** A term is frequent from 1/64 of the mails up, until it falls below 1/128. */
const frequentFrom = 64
/** Maximum frequent terms of an owner: their bitmaps take 64 bytes a mail, and a seventh of the time in which it is indexed. */
const maxFrequent = 512
/** Maximum new bitmaps of a batch: their insertion holds the database for some 40 ms. */
const maxNewBitmaps = 4_096
/** Terms whose lists are read in one turn of some milliseconds. */
const termsAtOnce = 16

/** Mails that are added to the newest window, or to a new one. */
export interface Batch {
  ownerNumber: number
  range: ListRange & { upTo: number }
  numbers: number[]
  /** The windows before. */
  windows: WindowEnd[]
  /** Mails in them. */
  mails: number
  /** The window with the mails that it has already. */
  window: number
  present: number[]
}

/** A term, with the bitmaps that a batch changes. */
export interface FrequentTerm {
  term: string
  /** The part of the mails in windows that have the term. */
  share: number
  bitmaps: { window: number, bits: Bitmap }[]
}

type KnownTerm = Pick<FrequentTerm, 'term' | 'share'>
type Pause = () => Promise<void>

/** The frequent terms of an owner after a batch, and those that are not frequent any more. */
export async function chooseFrequent(db: Queries, batch: Batch, pause: Pause): Promise<{ terms: FrequentTerm[], dropped: string[] }> {
  const { rows: known } = await selectFrequent(db, batch)
  const grown = await growTerms(db, batch, known, pause)
  const terms = grown.filter(({ share }) => share * 2 * frequentFrom >= 1)
  const names = new Set(known.map(({ term }) => term))
  const sampled = (await sampleTerms(db, batch.numbers, pause)).filter((term) => !names.has(term))
  const room = Math.min(maxFrequent - terms.length, Math.floor(maxNewBitmaps / (batch.windows.length + 1)))
  const added = await findNew(db, batch, sampled, { room, pause })
  await addBitmaps(db, batch, added, pause)
  return { terms: [...terms, ...added], dropped: grown.filter((each) => !terms.includes(each)).map(({ term }) => term) }
}

/** Adds the mails of the batch to terms that are frequent. */
async function growTerms(db: Queries, batch: Batch, known: KnownTerm[], pause: Pause): Promise<FrequentTerm[]> {
  const { ownerNumber, range, numbers, window, present, mails } = batch
  const positions = positionsIn(numbers, present.length)
  const terms: FrequentTerm[] = []
  const inAll = new Set<string>()
  for (const [i, { term, share }] of known.sort((a, b) => b.term.length - a.term.length).entries()) {
    if (i % termsAtOnce === 0) await pause()
    const list = inAll.has(term) ? numbers : await numbersWith(db, term, range)
    // a mail with a term has its beginnings
    if (list.length === numbers.length) for (let end = 1; end < term.length; end++) inAll.add(term.slice(0, end))
    const bits = present.length > 0 ? await readBits(db, { ownerNumber, window, term }) : new Uint8Array()
    terms.push({
      term, share: (share * mails + list.length) / (mails + numbers.length),
      bitmaps: list.length > 0 ? [{ window, bits: withBits(bits, positions(list)) }] : [],
    })
  }
  return terms
}

/** A term that becomes frequent, and all mails with it. */
type NewTerm = FrequentTerm & { list: number[] }

/** @param limits.room maximum terms; the others are found with one of the next batches */
async function findNew(
  db: Queries, { ownerNumber, range, numbers, mails }: Batch, terms: string[], { room, pause }: { room: number, pause: Pause },
): Promise<NewTerm[]> {
  const added: NewTerm[] = []
  for (const [i, term] of terms.entries()) {
    if (added.length >= room) break
    if (i % termsAtOnce === 0) await pause()
    const inRange = await numbersWith(db, term, range)
    if (inRange.length * frequentFrom < numbers.length) continue
    const list = mails === 0 ? inRange : [...await numbersWith(db, term, { ownerNumber, above: -1, upTo: range.above }), ...inRange]
    const share = list.length / (mails + numbers.length)
    if (share * frequentFrom >= 1) added.push({ term, share, list, bitmaps: [] })
  }
  return added
}

/** Adds bitmaps of all windows. */
async function addBitmaps(db: Queries, { ownerNumber, windows, window, present, numbers, range }: Batch, terms: NewTerm[], pause: Pause) {
  if (terms.length === 0) return
  let above = -1
  for (const { window: each, last } of [...windows.filter((other) => other.window !== window), { window, last: range.upTo }]) {
    const positions = positionsIn(each === window ? [...present, ...numbers] : await readNumbers(db, { ownerNumber, window: each }))
    for (const [i, { list, bitmaps }] of terms.entries()) {
      if (i % termsAtOnce === 0) await pause()
      const inWindow = positions(list.slice(countUpTo(list, above), countUpTo(list, last)))
      if (inWindow.length > 0) bitmaps.push({ window: each, bits: withBits(new Uint8Array(), inWindow) })
    }
    above = last
  }
}

/** How many numbers of an ascending list are not above a number. */
function countUpTo(list: number[], number: number): number {
  let [low, high] = [0, list.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (list[middle]! <= number) low = middle + 1
    else high = middle
  }
  return low
}

/** @returns a function that finds the positions of mails, those of others left out */
function positionsIn(numbers: number[], first = 0): (list: number[]) => number[] {
  const positions = new Map(numbers.map((number, i) => [number, first + i]))
  return (list) => list.flatMap((number) => positions.get(number) ?? [])
}

/** Mails of which the terms are read. A frequent term that they do not show is found in one of the next windows. */
const sampledMails = 64
/** Mails of the sample that must have a term. */
const minMails = 3
const goldenRatio = (1 + Math.sqrt(5)) / 2
/** Shorter words of scripts with spaces are left out: almost all mails have them. */
const minLength = 3
/** Mails that are read in one turn: 0.3 ms for a newsletter. */
const mailsAtOnce = 8

/** Terms that are probably frequent among mails, by a sample of these, the most frequent first. @param pause ends a turn */
async function sampleTerms(db: Queries, numbers: number[], pause: () => Promise<void>): Promise<string[]> {
  // at irregular distances: every second mail may be like its second next
  const step = numbers.length / sampledMails
  const sample = Array.from({ length: sampledMails }, (_, i) => numbers[Math.floor((i + i * goldenRatio % 1) * step)]!)
  const { rows } = await selectEmailIds(db, { numbers: JSON.stringify(sample) })
  const counts = new Map<string, number>()
  for (const [i, { email_id: id }] of rows.entries()) {
    if (i % mailsAtOnce === 0) await pause()
    const { rows: [mail] } = await selectSearched(db, { id })
    if (!mail) continue
    for (const term of allTermsOf(mail)) if (term.length >= minLength || isUnspaced(term)) counts.set(term, (counts.get(term) ?? 0) + 1)
  }
  return [...counts].filter(([, count]) => count >= minMails).sort(([, a], [, b]) => b - a).map(([term]) => term)
}

/** Characters from the first script without spaces on: U+0E00, Thai. */
const isUnspaced = (term: string) => term >= '\u0e00'

const selectEmailIds = prepared<{ numbers: string }, { email_id: string }>((sql, value) => sql.selectFrom('email_search_rows')
  .select('email_id').where('number', 'in', raw<number>`(select value from json_each(${value('numbers')}))`))
