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
