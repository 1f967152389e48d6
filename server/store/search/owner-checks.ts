import type { IndexedMail } from '../engine.ts'
import type { Owner } from '../owner.ts'

/** Mails of an owner that are indexed between two checks. */
const checkedMails = 512
/** Maximum owners whose mails are counted. */
const maxOwners = 10_000

export interface OwnerChecks {
  recordIndexed(mail: Pick<IndexedMail, 'owner' | 'ownerNumber'>): void
  isDue(): boolean
  /** Takes the owners that are to be checked, one after the other. */
  take(): Iterable<{ owner: Owner, ownerNumber: number }>
}

/** Counts the mails of owners that are indexed, to check from time to time whether the index of an owner has more to be made. */
export function openOwnerChecks(): OwnerChecks {
  const untilCheck = new Map<number, number>()
  const due = new Map<number, Owner>()
  return {
    recordIndexed({ owner, ownerNumber }) {
      if (untilCheck.size >= maxOwners) untilCheck.clear()
      const left = (untilCheck.get(ownerNumber) ?? 1) - 1 // the first mail is a check: the thread may be new
      if (left === 0) due.set(ownerNumber, owner)
      untilCheck.set(ownerNumber, left || checkedMails)
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
