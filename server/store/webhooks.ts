import type { Webhook, WebhookCreated, WebhookEvent } from '../contract/types.gen.ts'
import { timestamp } from '../timestamp.ts'
import type { Database, Tx } from './database.ts'
import { ownedBy } from './owner.ts'
import type { Owner } from './owner.ts'
import { prepared } from './prepared.ts'
import type { WebhookRow } from './schema.ts'

export interface NewWebhook {
  url: string
  events: WebhookEvent[]
  /** Null for those of all addresses. */
  addressIds: string[] | null
  secret: string
}

export async function insertWebhook(tx: Tx, owner: Owner, input: NewWebhook): Promise<WebhookRow> {
  return tx.sql.insertInto('webhooks').values({
    id: tx.newId(),
    account_id: owner.accountId,
    mode: owner.mode,
    url: input.url,
    events: JSON.stringify(input.events),
    address_ids: input.addressIds && JSON.stringify(input.addressIds),
    secret: input.secret,
    previous_secret: null,
    previous_secret_until: null,
    is_active: 1,
    disabled_at: null,
    disabled_reason: null,
    created_at: tx.now,
  }).returningAll().executeTakeFirstOrThrow()
}

/** All of them, newest first. */
export async function listWebhooks(db: Database, owner: Owner): Promise<Webhook[]> {
  const rows = await owned(db, owner).selectAll().orderBy('id', 'desc').execute()
  return rows.map(toWebhook)
}

export async function countWebhooks(tx: Tx, owner: Owner): Promise<number> {
  const { total } = await owned(tx, owner).select((count) => count.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return total
}

export async function findWebhook(db: Database | Tx, owner: Owner, id: string): Promise<WebhookRow | undefined> {
  return owned(db, owner).selectAll().where('id', '=', id).executeTakeFirst()
}

/** Whosever it is. */
export async function findWebhookById(tx: Tx, id: string): Promise<WebhookRow | undefined> {
  return tx.sql.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function updateWebhook(
  tx: Tx, id: string, change: Partial<Omit<WebhookRow, 'id' | 'account_id' | 'mode' | 'created_at'>>,
): Promise<void> {
  await tx.sql.updateTable('webhooks').set(change).where('id', '=', id).execute()
}

/** @returns false when there is none */
export async function removeWebhook(tx: Tx, owner: Owner, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx.sql.deleteFrom('webhooks')
    .where('id', '=', id).$call(ownedBy(owner)).executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}

/** The ids of the active webhooks that want an event of an address. */
export async function subscribersTo(tx: Tx, owner: Owner, event: WebhookEvent, addressId: string): Promise<string[]> {
  const { rows } = await active(tx, owner)
  // ids and names hold no quotes, so each stands in the JSON exactly as it is looked for
  return rows
    .filter(({ events, address_ids }) =>
      events.includes(`"${event}"`) && (address_ids === null || address_ids.includes(`"${addressId}"`)))
    .map(({ id }) => id)
}

const owned = (db: Database | Tx, owner: Owner) => db.sql.selectFrom('webhooks')
  .$call(ownedBy(owner))

const active = prepared<Owner, Pick<WebhookRow, 'id' | 'events' | 'address_ids'>>((sql, value) => sql.selectFrom('webhooks')
  .select(['id', 'events', 'address_ids'])
  .$call(ownedBy(value)).where('is_active', '=', 1))

export const toWebhook = (row: WebhookRow): Webhook => ({
  id: row.id,
  url: row.url,
  events: JSON.parse(row.events) as WebhookEvent[],
  addressIds: row.address_ids === null ? null : JSON.parse(row.address_ids) as string[],
  isActive: row.is_active === 1,
  disabledAt: row.disabled_at === null ? null : timestamp(row.disabled_at),
  disabledReason: row.disabled_reason,
  createdAt: timestamp(row.created_at),
})

/** With its secret, as only its creation and its rotation show it. */
export const toWebhookCreated = (row: WebhookRow): WebhookCreated => ({
  id: row.id,
  url: row.url,
  events: JSON.parse(row.events) as WebhookEvent[],
  secret: row.secret,
  createdAt: timestamp(row.created_at),
})
