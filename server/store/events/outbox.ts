import { timestamp } from '../../clock.ts'
import type { WebhookEvent } from '../../contract/types.gen.ts'
import { formatPayload } from '../../dialects/webhook-payloads.ts'
import type { PayloadFormat } from '../../dialects/webhook-payloads.ts'
import { ownAddresses } from '../addresses/addresses.ts'
import { prepared, preparedRows } from '../changes/prepared.ts'
import type { Database, Tx } from '../database.ts'
import type { EndStep } from '../engine.ts'
import { lastDue } from '../jobs/jobs.ts'
import { isWithin, ofAccount, ownedBy, systemOwner, unbound } from '../owner.ts'
import type { RemovalBatch } from '../page.ts'
import type { OutboxRow } from '../schema/events.ts'
import type { Owner, Tenant } from '../schema/values.ts'
import { planWebhookDelivery, refusalOfDelivery } from './webhook-deliveries.ts'
import { lockSubscribersForShare } from './webhooks.ts'

/**
 * Records an event, and its delivery to each subscribed webhook, in the transaction of the change: the event exists if and only if the
 * change does. The event gets its number at the end of the group of changes, in the order in which they emitted.
 * @param data as the OpenAPI document describes it
 */
export async function emit(tx: Tx, owner: Tenant, event: WebhookEvent, data: EventData): Promise<void> {
  const id = tx.newId()
  const json = JSON.stringify(data)
  tx.atEnd(eventStep, { id, account_id: owner.accountId, mode: owner.mode, event, data: json, created_at: tx.now })
  tx.announce(eventTopic(owner))
  // runs for every received mail; most accounts have no webhook
  const subscribers = await lockSubscribersForShare(tx, owner, event, data.addressId)
  if (subscribers.length === 0) return
  const { accountId } = owner
  const sites = new Set<string>()
  for (const { id: webhookId, site, ...format } of subscribers) {
    const payload = webhookPayload({ id, event, createdAt: tx.now, data: json }, format)
    const refusal = await refusalOfDelivery(tx, webhookId)
    const turn = sites.has(site) ? await nextTurn(tx, accountId, site) : undefined
    sites.add(site)
    await planWebhookDelivery(tx, { accountId, webhookId, eventId: id, event, payload, attempt: 1, isCounted: true, refusal, ...turn })
  }
}

/** Gives a sent mail its number, as a received one has that of its event: by an event of no account. */
export function numberSentMail(tx: Tx, emailId: string): void {
  const { accountId, mode } = systemOwner
  tx.atEnd(eventStep, { id: tx.newId(), account_id: accountId, mode, event: 'email.sent', data: JSON.stringify({ emailId }), created_at: tx.now })
}

/** Time between two deliveries of an account to a site, without the first of each event: limits amplification by many webhooks (DoS). */
const siteIntervalMs = 100

/** The lane and the time of a further delivery to a site. Its lane has the site in place of the webhook, so that the site is the queue. */
async function nextTurn(tx: Tx, account: string, site: string) {
  const lane = { account, webhook: site }
  const last = await lastDue(tx, 'deliver-webhook', lane)
  return { lane, dueAt: last === null ? tx.now : Math.max(tx.now, last + siteIntervalMs) }
}

/** Every event is about an address. */
export type EventData = Record<string, unknown> & { addressId: string }

/** An event as it is stored; `data` is JSON text. */
interface StoredEvent {
  id: string
  event: string
  createdAt: number
  data: string
}

/** An event as JSON for webhooks and streams, with both names of its type and its time. */
export function payloadOf({ id, event, createdAt, data }: StoredEvent): string {
  const head = JSON.stringify({ id, type: event, event, createdAt: timestamp(createdAt), timestamp: createdAt })
  return `${head.slice(0, -1)},"data":${data}}`
}

/** An event as JSON for a webhook. */
export function webhookPayload(event: StoredEvent, format: PayloadFormat): string {
  const payload = payloadOf(event)
  return format.form === 'both' && format.dialect === 'primary' ? payload : formatPayload(payload, format)
}

/** The number of the last committed event of any owner; 0 for none. Its row stays, so each later event has a larger number. */
export async function lastSeq(db: Database): Promise<number> {
  return (await selectLast(db, {})).rows[0]?.seq ?? 0
}

/** Events of all owners in the order of their commits. @param after the number of an event; only later ones are read */
export async function readOutbox(db: Database, after: number, limit: number): Promise<OutboxEvent[]> {
  return (await selectLater(db, { after, limit })).rows
}

/** The first events of an owner within a range of numbers. Scans the range up to the last event that is returned. */
export async function readOutboxOf(db: Database, owner: Tenant, range: OutboxRange): Promise<OutboxEvent[]> {
  return (await selectOfOwner(db, { ...unbound(owner), ...range })).rows
}

/** Of some events of an owner, those of the addresses in its bound. Events of mail of a removed address are left out. */
export async function eventsWithin(db: Database, owner: Owner, events: OutboxEvent[]): Promise<OutboxEvent[]> {
  const { bound } = owner
  if (!bound || events.length === 0) return events
  const data = new Map(events.map((event) => [event, JSON.parse(event.data) as EventData]))
  const ids = [...new Set(data.values().map(({ addressId }) => addressId))]
  const present = new Set(await ownAddresses(db, owner, ids))
  return events.filter((event) => {
    const { addressId, address } = data.get(event)!
    return present.has(addressId) || typeof address === 'string' && isWithin(bound, { id: addressId, address })
  })
}

/** A range of numbers, `after` excluded and `upTo` included, and the maximum number of events. */
export interface OutboxRange {
  after: number
  upTo: number
  limit: number
}

/** The number up to which all events are removed. */
export async function removedUpTo(db: Database): Promise<number> {
  const { rows: [first] } = await selectLater(db, { after: 0, limit: 1 })
  return (first?.seq ?? 1) - 1
}

/** Removes some events. The last one stays: the next number follows from it. @returns how many */
export async function removeOldEvents(tx: Tx, { before, limit }: RemovalBatch): Promise<number> {
  const rows = await tx.sql.selectFrom('outbox').select(['seq', 'created_at'])
    .where('seq', '<', (newest) => newest.selectFrom('outbox').select((row) => row.fn.max('seq').as('seq')))
    .orderBy('seq').limit(limit).execute()
  const young = rows.findIndex((row) => row.created_at >= before) // after it, older ones may have come with their account
  const old = young < 0 ? rows : rows.slice(0, young)
  if (old.length > 0) await tx.sql.deleteFrom('outbox').where('seq', '<=', old.at(-1)!.seq).execute()
  return old.length
}

/**
 * Removes the events of a deleted account among some events of all accounts: their index is by number alone. Of the last event of the
 * outbox the number stays, without an owner and without data.
 * @param after the number of the last event that was examined
 * @returns the number of the last one now; undefined when there are no more
 */
export async function removeEventsOf(
  tx: Tx, accountId: string, { after, limit }: { after: number, limit: number },
): Promise<number | undefined> {
  const examined = await tx.sql.selectFrom('outbox').select('seq').where('seq', '>', after).orderBy('seq').limit(limit).execute()
  const last = examined.at(-1)?.seq ?? after
  await tx.sql.updateTable('outbox').set({ account_id: systemOwner.accountId, data: '{}' })
    .where('seq', '=', (newest) => newest.selectFrom('outbox').select((row) => row.fn.max('seq').as('seq'))).$call(ofAccount(accountId)).execute()
  await tx.sql.deleteFrom('outbox').where('seq', '>', after).where('seq', '<=', last).$call(ofAccount(accountId)).execute()
  return examined.length < limit ? undefined : last
}

export interface OutboxEvent extends Tenant {
  /** Numbers the events in the order of their commits. */
  seq: number
  id: string
  event: string
  /** JSON. */
  data: string
  /** Milliseconds since 1970. */
  createdAt: number
}

/** The topic that a commit announces when it has an event of this owner. */
export const eventTopic = ({ accountId, mode }: Tenant) => `events/${accountId}/${mode}`

type NewEvent = Omit<OutboxRow, 'seq' | 'former_seq'>

/** A trigger numbers the mail that an event is about: migration 0027. */
const eventStep: EndStep<NewEvent> = {
  name: 'outbox',
  write: preparedRows<NewEvent>(['id', 'account_id', 'mode', 'event', 'data', 'created_at'], (sql, rows) => sql.insertInto('outbox').values(rows)),
}

const columns = ['seq', 'id', 'account_id as accountId', 'mode', 'event', 'data', 'created_at as createdAt'] as const

const selectLast = prepared<object, { seq: number }>((sql) => sql.selectFrom('outbox').select('seq').orderBy('seq', 'desc').limit(1))

const selectLater = prepared<{ after: number, limit: number }, OutboxEvent>((sql, value) => sql.selectFrom('outbox').select(columns)
  .where('seq', '>', value('after')).orderBy('seq').limit(value('limit')))

const selectOfOwner = prepared<Owner & OutboxRange, OutboxEvent>((sql, value) => sql.selectFrom('outbox').select(columns)
  .where('seq', '>', value('after')).where('seq', '<=', value('upTo'))
  .$call(ownedBy(value)).orderBy('seq').limit(value('limit')))
