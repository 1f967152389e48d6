import type { SearchMaintenance } from '../engine.ts'
import type { Owner } from '../schema/values.ts'

/** Mails of an owner that are indexed between two checks. */
const mailsPerCheck = 512
/** Maximum owners whose mails are counted. */
const maxOwners = 10_000

export interface OwnerChecks extends Pick<SearchMaintenance, 'recordIndexed' | 'isDue'> {
  /** Yields the owners whose check is due, which is then no longer due. */
  take(): Iterable<{ owner: Owner, ownerNumber: number }>
}

/**
 * Schedules the maintenance of the index by owner: a check is due at the first mail that this thread indexes, and after each 512 further
 * ones.
 */
export function openOwnerChecks(): OwnerChecks {
  const untilCheck = new Map<number, number>()
  const due = new Map<number, Owner>()
  return {
    recordIndexed({ owner, ownerNumber }) {
      if (untilCheck.size >= maxOwners) untilCheck.clear()
      const left = (untilCheck.get(ownerNumber) ?? 1) - 1 // the first mail is a check: the thread may be new
      if (left === 0) due.set(ownerNumber, owner)
      untilCheck.set(ownerNumber, left || mailsPerCheck)
    },
    isDue: () => due.size > 0,
    * take() {
      for (const [ownerNumber, owner] of due) {
        due.delete(ownerNumber)
        yield { owner, ownerNumber }
      }
    },
  }
}
