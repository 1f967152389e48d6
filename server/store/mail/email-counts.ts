import { sql as raw } from '../../libraries/kysely.gen.js'
import type { Expression, Kysely } from 'kysely'
import type { Database, Tx } from '../database.ts'
import { prepared } from '../changes/prepared.ts'
import type { Value } from '../changes/prepared.ts'
import type { Owner } from '../owner.ts'
import type { EmailRow } from '../schema/mail.ts'
import type { Schema } from '../schema/schema.ts'
import type { Bit, Mode } from '../schema/values.ts'
import { dayOf } from '../../timestamp.ts'

/** A mailbox (the id of its address), or all mail of an owner. Totals are O(1): counters are kept for each key. */
export type CountKey = string

export const countKeyOf = (owner: Owner, addressId?: string): CountKey => addressId ?? `${owner.accountId}/${owner.mode}`

type CountKind = Pick<EmailRow, 'type' | 'is_deleted'>

interface Arrival {
  addressId: string
  type: EmailRow['type']
  isRead: boolean
  /** Milliseconds since 1970. */
  receivedAt: number
}

/** Counts a new email in its mailbox, its account and its day. */
export async function countArrival(tx: Tx, owner: Owner, { addressId, type, isRead, receivedAt }: Arrival): Promise<void> {
  await addToBoth(tx, { mailbox: addressId, account: countKeyOf(owner), type, is_deleted: 0, by: 1, came: 1, unread: isRead ? 0 : 1 })
  const isReceived = type === 'received' ? 1 : 0
  await addToDay(tx, { ...owner, day: dayOf(receivedAt), received: isReceived, sent: 1 - isReceived })
}

/** Adds to the counters of existing emails, of a mailbox and its account; `ever` and the daily counts stay. */
export async function countEmails(
  tx: Tx, owner: Owner, addressId: string, { type, is_deleted }: CountKind, change: { by: number, unread: number },
): Promise<void> {
  await addToBoth(tx, { mailbox: addressId, account: countKeyOf(owner), type, is_deleted, came: 0, ...change })
}

/** Removes the counters of a mailbox, and subtracts them from those of the account. */
export async function forgetMailbox(tx: Tx, owner: Owner, addressId: string): Promise<void> {
  const held = await tx.sql.deleteFrom('email_counts').where('owner', '=', addressId).returningAll().execute()
  for (const { type, is_deleted, total } of held) {
    await addToAccount(tx, { account: countKeyOf(owner), type, is_deleted, by: -total, came: 0 })
  }
}

export async function totalEmails(
  db: Database, mailbox: CountKey, kind: { type?: EmailRow['type'], is_deleted: Bit },
): Promise<number> {
  const { rows } = await selectTotals(db, { owner: mailbox, is_deleted: kind.is_deleted })
  return rows.filter((row) => !kind.type || row.type === kind.type).reduce((sum, row) => sum + row.total, 0)
}

type CountChange = CountKind & { account: string, by: number, came: number }

interface Counter {
  owner: string
  unread: number | Expression<number>
}

const upsertCounts = (sql: Kysely<Schema>, value: Value<CountChange>, counters: Counter[]) => sql.insertInto('email_counts')
  .values(counters.map((counter) => ({
    ...counter, type: value('type'), is_deleted: value('is_deleted'), total: value('by'), ever: value('came'),
  })))
  .onConflict((conflict) => conflict.columns(['owner', 'type', 'is_deleted']).doUpdateSet((set) => ({
    total: set('email_counts.total', '+', set.ref('excluded.total')),
    ever: set('email_counts.ever', '+', set.ref('excluded.ever')),
    unread: set('email_counts.unread', '+', set.ref('excluded.unread')),
  })))

const addToAccount = prepared<CountChange, never>((sql, value) => upsertCounts(sql, value, [{ owner: value('account'), unread: raw.lit(0) }]))

const addToBoth = prepared<CountChange & { mailbox: string, unread: number }, never>((sql, value) =>
  upsertCounts(sql, value, [{ owner: value('mailbox'), unread: value('unread') }, { owner: value('account'), unread: raw.lit(0) }]))

const addToDay = prepared<{ accountId: string, mode: Mode, day: string, received: number, sent: number }, never>((sql, value) =>
  sql.insertInto('daily_counts')
    .values({
      account_id: value('accountId'), mode: value('mode'), day: value('day'), received: value('received'), sent: value('sent'),
    })
    .onConflict((conflict) => conflict.columns(['account_id', 'mode', 'day']).doUpdateSet((set) => ({
      received: set('daily_counts.received', '+', set.ref('excluded.received')),
      sent: set('daily_counts.sent', '+', set.ref('excluded.sent')),
    }))))

const selectTotals = prepared<{ owner: string, is_deleted: Bit }, { type: EmailRow['type'], total: number }>((sql, value) =>
  sql.selectFrom('email_counts').select(['type', 'total'])
    .where('owner', '=', value('owner')).where('is_deleted', '=', value('is_deleted')))
