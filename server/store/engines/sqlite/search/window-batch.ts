import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Queries } from '../../../connection.ts'
import type { SearchMaintenance, Transactions } from '../../../engine.ts'
import type { Owner } from '../../../schema/values.ts'
import { openOwnerChecks } from '../../../search/owner-checks.ts'
import { minNumber, selectOwnerNumber } from '../../../search/search-numbers.ts'
import { selectOldestPending } from '../../../search/search-pending.ts'
import { chooseFrequent } from './frequent-terms.ts'
import type { Batch } from './frequent-terms.ts'
import { allNumbers } from './term-lists.ts'
import {
  maxWindowMails, readNumbers, removeFrequent, removeWindow, selectWindowBytes, selectWindows, upsertFrequent, writeBits, writeWindow,
} from './windows.ts'

/** Mails that are added to a window at once. */
const batchMails = 2_048
/** The newest mails, which are in no window: mail that takes long to parse may still come between them. */
const newestMails = 256
/** Windows that are checked after each batch: those of removed mail do not remain. */
const oldestChecked = 2

interface Build {
  owner: Owner
  ownerNumber: number
  /** Ends a turn. Rejects when the build has to end. */
  pause(): Promise<void>
}

/**
 * Adds the next mails of an owner to the windows, from the lists of the index. It is one transaction, so a crash leaves none incomplete.
 * @returns whether there were enough of them
 */
async function addBatch(db: Transactions, { owner, ownerNumber, pause }: Build): Promise<boolean> {
  const batch = await nextBatch(db, ownerNumber)
  if (!batch) return false
  const { rows: [pending] } = await selectOldestPending(db, owner)
  if (pending && minNumber(pending.email_id) <= batch.range.upTo) return false
  const { terms, dropped } = await chooseFrequent(db, batch, pause)

  return db.commit(async (tx) => {
    if ((await selectOwnerNumber(tx, owner)).rows[0]?.number !== ownerNumber) return false // its account was deleted
    if (await windowMails(tx, ownerNumber) !== batch.mails || await hasOthers(tx, batch)) return false // mail came in between
    const { window, present, numbers, range } = batch
    await writeWindow(tx, { ownerNumber, window, last: range.upTo, numbers: [...present, ...numbers] })
    for (const { term, share, bitmaps } of terms) {
      await upsertFrequent(tx, { ownerNumber, term, share })
      for (const bitmap of bitmaps) await writeBits(tx, { ownerNumber, term, ...bitmap })
    }
    for (const term of dropped) await removeFrequent(tx, { ownerNumber, term })
    for (const emptied of await emptyWindows(tx, batch)) await removeWindow(tx, { ownerNumber, window: emptied })
    return true
  })
}

async function nextBatch(db: Queries, ownerNumber: number): Promise<Batch | undefined> {
  const mails = await windowMails(db, ownerNumber)
  const { rows: windows } = await selectWindows(db, { ownerNumber })
  const newest = windows.at(-1)
  const above = newest?.last ?? -1
  const waiting = await allNumbers(db, { ownerNumber, above, limit: batchMails + newestMails })
  if (waiting.length < batchMails + newestMails) return undefined
  const numbers = waiting.slice(0, batchMails)
  const present = newest ? await readNumbers(db, { ownerNumber, window: newest.window }) : []
  const isNew = present.length === 0 || present.length + batchMails > maxWindowMails
  return {
    ownerNumber, windows, mails, numbers,
    range: { ownerNumber, above, upTo: numbers.at(-1)! },
    window: (newest?.window ?? 0) + (isNew ? 1 : 0),
    present: isNew ? [] : present,
  }
}

/** Whether the range has mails beside those of the batch, some of which may be removed. */
async function hasOthers(reader: Queries, { range, numbers }: Batch): Promise<boolean> {
  const counted = new Set(numbers)
  return (await allNumbers(reader, range)).some((number) => !counted.has(number))
}

/** The oldest windows, of which all mails are removed. The newest one has the batch. */
async function emptyWindows(reader: Queries, { ownerNumber, windows }: Batch): Promise<number[]> {
  const empty: number[] = []
  for (const [i, { window, last }] of windows.slice(0, -1).slice(0, oldestChecked).entries()) {
    const [any] = await allNumbers(reader, { ownerNumber, above: windows[i - 1]?.last ?? -1, upTo: last, limit: 1 })
    if (any === undefined) empty.push(window)
  }
  return empty
}

const windowMails = async (db: Queries, ownerNumber: number) =>
  ((await selectWindowBytes(db, { ownerNumber })).rows[0]!.bytes ?? 0) / Float64Array.BYTES_PER_ELEMENT

/** Builds windows for owners with many mails, as batches are complete. Only the thread that indexes mails may build windows. */
export function openWindowBuilder(db: Transactions): SearchMaintenance {
  const checks = openOwnerChecks()
  const closing = new AbortController()
  let building: Promise<void> | undefined

  const pause = () => nextTurn(undefined, { signal: closing.signal })
  async function buildAll() {
    for (const owner of checks.take()) {
      while (await addBatch(db, { ...owner, pause })) await pause()
    }
  }

  return {
    recordIndexed: checks.recordIndexed,
    isDue: checks.isDue,
    async run() {
      building ??= buildAll().finally(() => { building = undefined })
      try {
        await building
      } catch (error) {
        if (!closing.signal.aborted) throw error
      }
    },
    close: () => { closing.abort() },
  }
}
