import type { Kysely } from 'kysely'
import type { Database } from '../database.ts'
import { ownedBy } from '../owner.ts'
import type { Owner } from '../owner.ts'
import { prepared } from '../changes/prepared.ts'
import type { Value } from '../changes/prepared.ts'
import type { Schema } from '../schema/schema.ts'

/** The parts of a received email that a wait compares. */
export interface ArrivedEmail {
  id: string
  from: string
  fromName: string
  subject: string
}

export interface ArrivalRange {
  addressId?: string
  /** An id; only mail that arrived later. */
  after: string
  limit: number
}

/** Received emails that are not deleted, in the order of their arrival. */
export async function listArrivedEmails(db: Database, owner: Owner, { addressId = '', ...range }: ArrivalRange): Promise<ArrivedEmail[]> {
  return (await (addressId ? ofAddress : ofAccount)(db, { ...owner, ...range, addressId })).rows
}

/** @returns undefined when it is deleted */
export async function findArrivedEmail(db: Database, id: string): Promise<ArrivedEmail | undefined> {
  return (await byId(db, { id })).rows[0]
}

type Range = Owner & Required<ArrivalRange>

const ofAccount = prepared<Range, ArrivedEmail>((sql, value) => later(sql, value))
const ofAddress = prepared<Range, ArrivedEmail>((sql, value) => later(sql, value).where('address_id', '=', value('addressId')))

const later = (sql: Kysely<Schema>, value: Value<Range>) => arrivals(sql)
  .$call(ownedBy(value)).where('emails.id', '>', value('after'))
  .orderBy('emails.id').limit(value('limit'))

const byId = prepared<{ id: string }, ArrivedEmail>((sql, value) => arrivals(sql).where('emails.id', '=', value('id')))

const arrivals = (sql: Kysely<Schema>) => sql.selectFrom('emails').innerJoin('messages', 'messages.id', 'emails.message_id')
  .select(['emails.id', 'from_address as from', 'from_name as fromName', 'subject'])
  .where('is_deleted', '=', 0).where('type', '=', 'received')
