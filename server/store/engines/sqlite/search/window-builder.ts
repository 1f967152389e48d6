import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Transactions } from '../../../changes/queries.ts'
import type { SearchMaintenance } from '../../../engine.ts'
import type { Owner } from '../../../owner.ts'
import { addBatch } from './window-batch.ts'

/** Mails of an owner that are indexed between two checks whether a batch is complete. */
const checkedMails = 512
/** Maximum owners whose mails are counted. */
const maxOwners = 10_000

/** Builds windows for owners with many mails, as batches are complete. Only the thread that indexes mails may build windows. */
export function openWindowBuilder(db: Transactions): SearchMaintenance {
  const untilCheck = new Map<number, number>()
  const due = new Map<number, Owner>()
  const closing = new AbortController()
  let building: Promise<void> | undefined

  const pause = () => nextTurn(undefined, { signal: closing.signal })
  async function buildAll() {
    for (const [ownerNumber, owner] of due) {
      due.delete(ownerNumber)
      while (await addBatch(db, { owner, ownerNumber, pause })) await pause()
    }
  }

  return {
    recordIndexed({ owner, ownerNumber }) {
      if (untilCheck.size >= maxOwners) untilCheck.clear()
      const left = (untilCheck.get(ownerNumber) ?? 1) - 1 // the first mail is a check: the thread may be new
      if (left === 0) due.set(ownerNumber, owner)
      untilCheck.set(ownerNumber, left || checkedMails)
    },
    isDue: () => due.size > 0,
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
