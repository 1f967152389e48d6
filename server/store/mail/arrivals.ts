import type { Kysely } from 'kysely'
import { AppError, internalError } from '../../errors.ts'
import { prepared } from '../changes/prepared.ts'
import type { Value } from '../changes/prepared.ts'
import type { Database } from '../database.ts'
import type { EndStep } from '../engine.ts'
import { ownedBy } from '../owner.ts'
import type { Schema } from '../schema/schema.ts'
import type { Owner } from '../schema/values.ts'
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

/** The parts of a received email that a wait compares. */
export interface ArrivedEmail {
  id: string
  from: string
  fromName: string
  subject: string
}

interface ArrivalRange {
  addressId?: string
  /** An id; only mail that arrived later. */
  after: string
  limit: number
}

/** Received emails that are not deleted, in the order of their arrival. */
export async function listArrivedEmails(db: Database, owner: Owner, { addressId = '', ...range }: ArrivalRange): Promise<ArrivedEmail[]> {
  return (await (addressId ? selectOfAddress : selectOfAccount)(db, { ...owner, ...range, addressId })).rows
}

/** @returns undefined when it is deleted */
export async function findArrivedEmail(db: Database, id: string): Promise<ArrivedEmail | undefined> {
  return (await selectById(db, { id })).rows[0]
}

type ArrivalValues = Owner & Required<ArrivalRange>

const selectOfAccount = prepared<ArrivalValues, ArrivedEmail>((sql, value) => selectLater(sql, value))
const selectOfAddress = prepared<ArrivalValues, ArrivedEmail>((sql, value) => selectLater(sql, value).where('address_id', '=', value('addressId')))

const selectLater = (sql: Kysely<Schema>, value: Value<ArrivalValues>) => selectArrivals(sql)
  .$call(ownedBy(value)).where('emails.id', '>', value('after'))
  .orderBy('emails.id').limit(value('limit'))

const selectById = prepared<{ id: string }, ArrivedEmail>((sql, value) => selectArrivals(sql).where('emails.id', '=', value('id')))

const selectArrivals = (sql: Kysely<Schema>) => sql.selectFrom('emails').innerJoin('messages', 'messages.id', 'emails.message_id')
  .select(['emails.id', 'from_address as from', 'from_name as fromName', 'subject'])
  .where('is_deleted', '=', 0).where('type', '=', 'received')
