import { AppError, internalError } from '../../errors.ts'
import type { EndStep } from '../changes/group-end.ts'
import type { Arrival } from '../shared-database.ts'

/**
 * Maximum time from the arrival of a mail to its publication; for slower mail, its node records the time of arrival for the other nodes. A
 * cursor is at least this old, and older than each recorded arrival. So no mail is published behind a cursor, and a list that continues
 * there misses none.
 */
export const cursorMarginMs = 250

/**
 * Refuses to publish mail that is late, unless the other nodes knew of it in time. It was not accepted: it is stored as mail that arrives
 * only now, or its sender repeats it. Runs after the lock of the end of groups: a node that makes a cursor waits for that lock
 * (`settleEnds`), so its cursor is made before this check, or it sees the mail.
 */
export const arrivalStep: EndStep<Arrival> = {
  name: 'arrivals',
  write: (at, arrivals) => at.engine.shared!.arrivals.refuseLate(at, arrivals, { marginMs: cursorMarginMs, lateError }),
}

const lateText = 'This server took too long to store the mail. Send it again.'
const lateError = () => internalError(lateText)

/** Whether `arrivalStep` has refused a mail, also in a thread, which passes on the code and the text of an error. */
export const isLate = (error: unknown): boolean => error instanceof AppError && error.message === lateText
