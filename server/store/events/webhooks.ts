import { timestamp } from '../../clock.ts'
import type { Webhook, WebhookCreated, WebhookEvent, WebhookForm } from '../../contract/types.gen.ts'
import type { DialectName } from '../../dialects/dialects.ts'
import type { PayloadFormat } from '../../dialects/webhook-payloads.ts'
import { siteOf } from '../../network.ts'
import { prepared } from '../changes/prepared.ts'
import type { Database, Tx } from '../database.ts'
import { ofAccount, ownedBy, unbound } from '../owner.ts'
import type { WebhookRow } from '../schema/events.ts'
import { plansWithApi } from '../schema/values.ts'
import type { Owner, Tenant } from '../schema/values.ts'

export interface NewWebhook {
  url: string
  events: WebhookEvent[]
  /** Null for those of all addresses. */
  addressIds: string[] | null
  secret: string
  form: WebhookForm
  /** Of its deliveries. */
  dialect: DialectName
}

/** A webhook with all that is stored of it. Times are milliseconds since 1970. */
export interface StoredWebhook extends NewWebhook, Tenant {
  id: string
  previousSecret: string | null
  /** Until then deliveries are signed with the previous secret too. */
  previousSecretUntil: number | null
  isActive: boolean
  disabledAt: number | null
  disabledReason: string | null
  createdAt: number
}

export async function insertWebhook(tx: Tx, owner: Owner, input: NewWebhook): Promise<StoredWebhook> {
  const row = await tx.sql.insertInto('webhooks').values({
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
    form: input.form,
    dialect: input.dialect,
  }).returningAll().executeTakeFirstOrThrow()
  return toStoredWebhook(row)
}

/** All webhooks of the owner, newest first. */
export async function listWebhooks(db: Database, owner: Owner): Promise<Webhook[]> {
  const rows = await selectOwned(db, owner).selectAll().orderBy('id', 'desc').execute()
  return rows.map((row) => toWebhook(toStoredWebhook(row)))
}

/** The URLs of all webhooks of an owner. No other transaction reads them so until this one ends. */
export async function lockWebhookUrls(tx: Tx, owner: Owner): Promise<Pick<StoredWebhook, 'url'>[]> {
  await tx.engine.locks.lockName(tx, `webhooks/${owner.accountId}/${owner.mode}`)
  return selectOwned(tx, owner).select('url').execute()
}

export async function findWebhook(db: Database | Tx, owner: Owner, id: string): Promise<StoredWebhook | undefined> {
  const row = await selectOwned(db, owner).selectAll().where('id', '=', id).executeTakeFirst()
  return row && toStoredWebhook(row)
}

/** A webhook of any owner, which other transactions do not change until this one ends. */
export async function lockWebhookForShare(tx: Tx, id: string): Promise<StoredWebhook | undefined> {
  await tx.engine.locks.lockRowForShare(tx, 'webhooks', id)
  const row = await tx.sql.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toStoredWebhook(row)
}

/** A webhook that is going to be changed: no other transaction changes it until this one ends. */
export async function findWebhookToChange(tx: Tx, owner: Owner, id: string): Promise<StoredWebhook | undefined> {
  await tx.engine.locks.lockRow(tx, 'webhooks', id)
  return findWebhook(tx, owner, id)
}

/** @param change at least one member; members that are undefined stay as they are */
export async function setWebhookMembers(tx: Tx, id: string, change: Partial<Omit<StoredWebhook, keyof Tenant | 'id' | 'createdAt' | 'dialect'>>): Promise<void> {
  await tx.sql.updateTable('webhooks').set({
    url: change.url,
    events: change.events && JSON.stringify(change.events),
    address_ids: change.addressIds && JSON.stringify(change.addressIds),
    secret: change.secret,
    previous_secret: change.previousSecret,
    previous_secret_until: change.previousSecretUntil,
    is_active: change.isActive === undefined ? undefined : change.isActive ? 1 : 0,
    disabled_at: change.disabledAt,
    disabled_reason: change.disabledReason,
    form: change.form,
  }).where('id', '=', id).execute()
}

/** @returns false when there is none */
export async function removeWebhook(tx: Tx, owner: Owner, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx.sql.deleteFrom('webhooks').where('id', '=', id).$call(ownedBy(owner)).executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}

/** A webhook of a deleted account. @returns its id */
export async function anyWebhookOf(tx: Tx, accountId: string): Promise<string | undefined> {
  return (await tx.sql.selectFrom('webhooks').select('id').$call(ofAccount(accountId)).limit(1).executeTakeFirst())?.id
}

export async function removeWebhookById(tx: Tx, id: string): Promise<void> {
  await tx.sql.deleteFrom('webhooks').where('id', '=', id).execute()
}

/**
 * The active webhooks that want an event of an address; none while the plan of the account has no webhooks. They stay active until the
 * transaction ends.
 */
export async function lockSubscribersForShare(
  tx: Tx, owner: Tenant, event: WebhookEvent, addressId: string,
): Promise<({ id: string, site: string } & PayloadFormat)[]> {
  const find = async () => (await selectActive(tx, unbound(owner))).rows
    // ids and names hold no quotes, so each stands in the JSON exactly as it is looked for
    .filter(({ events, address_ids }) =>
      events.includes(`"${event}"`) && (address_ids === null || address_ids.includes(`"${addressId}"`)))
    .map(({ id, url, form, dialect }) => ({ id, site: siteOf(new URL(url).hostname), form, dialect }))
  const found = await find()
  const ids = found.map(({ id }) => id)
  const locked = await Promise.all(ids.toSorted().map(async (id) => tx.engine.locks.lockRowForShare(tx, 'webhooks', id)))
  return locked.includes('may have changed') ? (await find()).filter(({ id }) => ids.includes(id)) : found
}

const selectOwned = (db: Database | Tx, owner: Owner) => db.sql.selectFrom('webhooks').$call(ownedBy(owner))

const selectActive = prepared<Owner, Pick<WebhookRow, 'id' | 'url' | 'events' | 'address_ids' | 'form' | 'dialect'>>((sql, value) => sql.selectFrom('webhooks')
  .innerJoin('accounts', 'accounts.id', 'account_id')
  .select(['webhooks.id', 'url', 'events', 'address_ids', 'form', 'dialect'])
  .$call(ownedBy(value)).where('is_active', '=', 1).where('plan', 'in', plansWithApi))

const toStoredWebhook = (row: WebhookRow): StoredWebhook => ({
  id: row.id,
  accountId: row.account_id,
  mode: row.mode,
  url: row.url,
  events: JSON.parse(row.events) as WebhookEvent[],
  addressIds: row.address_ids === null ? null : JSON.parse(row.address_ids) as string[],
  secret: row.secret,
  previousSecret: row.previous_secret,
  previousSecretUntil: row.previous_secret_until,
  isActive: row.is_active === 1,
  disabledAt: row.disabled_at,
  disabledReason: row.disabled_reason,
  createdAt: row.created_at,
  form: row.form,
  dialect: row.dialect,
})

/** A webhook as the API shows it: without its secret. */
export const toWebhook = (webhook: StoredWebhook): Webhook => ({
  id: webhook.id,
  url: webhook.url,
  events: webhook.events,
  addressIds: webhook.addressIds,
  form: webhook.form,
  dialect: webhook.dialect,
  isActive: webhook.isActive,
  disabledAt: timestamp(webhook.disabledAt),
  disabledReason: webhook.disabledReason,
  createdAt: timestamp(webhook.createdAt),
})

/** With its secret, as only its creation and its rotation show it. */
export const toWebhookCreated = ({ id, url, events, form, dialect, secret, createdAt }: StoredWebhook): WebhookCreated =>
  ({ id, url, events, form, dialect, secret, createdAt: timestamp(createdAt) })
