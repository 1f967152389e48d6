import { sql as raw } from 'kysely'
import { releaseNamesOf, removeAddressesOf } from '../addresses/address-names.ts'
import type { Tx } from '../database.ts'
import { removeWebhookDeliveriesOf } from '../events/webhook-deliveries.ts'
import { anyWebhookOf, removeWebhookById } from '../events/webhooks.ts'
import { removeEmailsOf } from '../mail/email-removal.ts'
import { removeMailDeliveriesOf } from '../outgoing/mail-deliveries.ts'
import { ofAccount } from '../owner.ts'
import type { Schema } from '../schema/schema.ts'

/** Removes some rows of a deleted account. @returns how many; fewer than the limit when there are no more */
type Removal = (tx: Tx, accountId: string, limit: number) => Promise<number>

/**
 * Removes some rows of a deleted account, except its events and the row of the account itself (docs/decisions/0018).
 * @param limit maximum rows, and search bitmaps
 * @returns whether all are removed
 */
export async function removeRowsOf(tx: Tx, accountId: string, limit: number): Promise<boolean> {
  let left = limit
  for (const remove of removals) {
    left -= await remove(tx, accountId, left)
    if (left <= 0) return false
  }
  return true
}

/** Tables of which a row needs no more than its removal, with their primary keys. */
const plainTables = {
  smtp_activity: ['address_id', 'id'],
  forwarding_addresses: ['id'],
  idempotency_keys: ['account_id', 'mode', 'key'],
  audit_logs: ['account_id', 'mode', 'id'],
  daily_counts: ['account_id', 'mode', 'day'],
  account_bytes: ['account_id'],
  totals: ['account_id', 'mode'],
  sessions: ['id'],
  members: ['id'],
  api_keys: ['id'],
} as const satisfies { [Table in keyof Schema]?: readonly (keyof Schema[Table])[] }

/** In this order: the removal of an email, an address or an audit row changes counters, so these are removed later. */
const removals: Removal[] = [
  removeEmailsOf,
  removeMailDeliveriesOf,
  removeRows('smtp_activity', plainTables.smtp_activity), // an address would take its rows with it, in one step
  removeAddressesOf,
  releaseNamesOf,
  removeWebhooksOf,
  removeSearchDataOf,
  ...Object.entries(plainTables).map(([table, primaryKey]) => removeRows(table as keyof typeof plainTables, primaryKey)),
]

/** One webhook at a time: its deliveries and jobs before it. */
async function removeWebhooksOf(tx: Tx, accountId: string, limit: number): Promise<number> {
  const webhookId = await anyWebhookOf(tx, accountId)
  if (webhookId === undefined) return 0
  if (await removeWebhookDeliveriesOf(tx, { accountId, webhookId }, limit)) await removeWebhookById(tx, webhookId)
  return limit
}

function removeRows(table: keyof typeof plainTables, primaryKey: readonly string[]): Removal {
  const columns = raw.join(primaryKey.map((column) => raw.ref(column)))
  return async (tx, accountId, limit) => {
    const some = tx.sql.selectFrom(table as 'audit_logs').select(primaryKey as ['id']).$call(ofAccount(accountId)).limit(limit)
    const { numAffectedRows = 0n } = await raw`delete from ${raw.table(table)} where (${columns}) in (${some})`.execute(tx.sql)
    return Number(numAffectedRows)
  }
}

/**
 * Removes some of the search data that a deleted account has beside the index: its mail is removed, and left the index with that.
 * @returns how many rows; the limit when more may be left
 */
async function removeSearchDataOf(tx: Tx, accountId: string, limit: number): Promise<number> {
  const owners = await tx.sql.selectFrom('email_search_owners').select('number').$call(ofAccount(accountId)).execute()
  for (const { number } of owners) {
    if (await tx.engine.search.removeDataOf(tx, number, limit)) return limit
    await tx.sql.deleteFrom('email_search_owners').where('number', '=', number).execute()
  }
  return owners.length
}
