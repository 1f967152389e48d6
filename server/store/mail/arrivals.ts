import { AppError, internalError } from '../../errors.ts'
import type { EndStep } from '../changes/group-end.ts'

/**
 * Time in which a mail is published, or another node knows of it: a cursor that a node gives is older than this, and than the mail of which
 * it knows. So no mail is published behind a cursor, and a list that continues there misses none.
 */
export const cursorMarginMs = 250

/** A mail that a node has received, and has in its memory until it is published or stored. */
export interface Arrival {
  nodeId: string
  /** The time of its first email's id, in milliseconds since 1970. */
  arrivedAt: number
}

/**
 * Refuses to publish mail that is late, unless the other nodes knew of it in time. It was not accepted: it is stored as mail that arrives
 * only now, or its sender repeats it. Runs after the lock of the end of groups: a node that makes a cursor waits for that lock
 * (`settleEnds`), so its cursor is made before this check, or it sees the mail.
 */
export const arrivalStep: EndStep<Arrival> = {
  name: 'arrivals',
  async write(at, arrivals) {
    const now = await at.engine.shared!.arrivals.timeIn(at)
    const late = arrivals.filter(({ arrivedAt }) => now - arrivedAt > cursorMarginMs)
    for (const [nodeId, ofNode] of Map.groupBy(late, (arrival) => arrival.nodeId)) {
      // the lock keeps the node from clearing it before the commit
      const node = await at.sql.selectFrom('nodes').select(['arriving_since as since', 'arriving_recorded_at as recordedAt'])
        .where('id', '=', nodeId).forShare().executeTakeFirst()
      const isKnown = ({ arrivedAt }: Arrival) => node !== undefined && node.since !== null && node.recordedAt !== null
        && node.since <= arrivedAt && node.recordedAt <= arrivedAt + cursorMarginMs
      if (!ofNode.every(isKnown)) throw lateError()
    }
  },
}

const lateText = 'This server took too long to store the mail. Send it again.'
const lateError = () => internalError(lateText)

/** Whether `arrivalStep` has refused a mail, also in a thread, which passes on the code and the text of an error. */
export const isLate = (error: unknown): boolean => error instanceof AppError && error.message === lateText
