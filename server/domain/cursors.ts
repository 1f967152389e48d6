import { invalidRequest } from '../errors.ts'
import type { Database } from '../store/database.ts'
import { numberOfEmail } from '../store/mail/arrivals.ts'
import type { Position } from '../store/page.ts'
import type { Owner } from '../store/schema/values.ts'

/**
 * The text of a position, for clients that continue there: the version of its format, and the number of a mail or another event. Mail is
 * numbered in the order of the commits, so no mail is published behind a cursor.
 */
export const cursorOf = (seq: number): string => `c1-${seq}`

/** Before all mail. */
export const firstCursor = cursorOf(0)

/**
 * @param last the number of the last event: all mail that is published later comes after it
 * @param after a cursor, or the id of an email. Other ids are positions in the time of arrival, such as that of an email that was removed.
 * @throws AppError `INVALID_REQUEST` for a cursor that this database has not given
 */
export async function positionOf(db: Database, owner: Owner, last: number, after: string): Promise<Position> {
  const [, seq] = /^c1-(-?\d+)$/.exec(after) ?? []
  if (seq === undefined) {
    const known = await numberOfEmail(db, owner, after)
    return known === undefined ? { id: after } : { seq: known }
  }
  if (Number(seq) <= last) return { seq: Number(seq) }
  throw invalidRequest('query.after', 'is not a cursor of this server', 'Take the cursor of a list, or an email\'s id.')
}
