import { sql as raw } from 'kysely'
import { timestamp } from '../../clock.ts'
import type { WebhookDelivery, WebhookEvent } from '../../contract/types.gen.ts'
import { prepared } from '../changes/prepared.ts'
import type { Database, Tx } from '../database.ts'
import { removeWaitingJobs, enqueue } from '../jobs/jobs.ts'
import type { Lane } from '../jobs/lanes.ts'
import { excerpt, maxListedBodyBytes } from '../mail/excerpt.ts'
import { cutPage, maxCounted, pageValues } from '../page.ts'
import type { Page, RemovalBatch } from '../page.ts'
import type { WebhookDeliveryRow } from '../schema/events.ts'
import type { Plan } from '../schema/values.ts'
import type { StoredWebhook } from './webhooks.ts'

const task = 'deliver-webhook'

/** Identifies a webhook. Its deliveries have a lane of their own. */
export interface WebhookKey {
  accountId: string
  webhookId: string
}

const laneOf = ({ accountId, webhookId }: WebhookKey) => ({ account: accountId, webhook: webhookId })

/** An attempt to deliver an event. */
export interface NewWebhookDelivery extends WebhookKey {
  eventId: string
  event: string
  /** The body; the same bytes in every attempt. */
  payload: string
  attempt: number
  /** Whether a failure leads to another attempt, and in the end to the webhook being disabled. */
  isCounted: boolean
  /** Milliseconds since 1970; now, when it is left out. */
  dueAt?: number
  /** That of the webhook, when it is left out. */
  lane?: Lane<'deliver-webhook'>
  /** The error of a delivery that is recorded as failed without an attempt. */
  refusal?: string | undefined
}

/** Maximum pending deliveries of a webhook: further ones are not queued, so that they load no host for days (amplification, DoS). */
const maxPending = 10_000

/** By transaction, which may plan many deliveries: those that are pending, by webhook. */
const pendingIn = new WeakMap<Tx, Map<string, number>>()

/** @returns why a webhook gets no further delivery for now; undefined when it does */
export async function refusalOfDelivery(tx: Tx, webhookId: string): Promise<string | undefined> {
  const counts = pendingIn.get(tx) ?? new Map<string, number>()
  pendingIn.set(tx, counts)
  const pending = counts.get(webhookId) ?? (await countPending(tx, { webhookId })).rows[0]!.total
  counts.set(webhookId, pending + 1)
  return pending < maxPending ? undefined : `${maxPending} deliveries of this webhook wait already.`
}

/** Records an attempt and queues it. */
export async function planWebhookDelivery(tx: Tx, input: NewWebhookDelivery): Promise<WebhookDelivery> {
  const { dueAt = tx.now, lane = laneOf(input), refusal } = input
  const row: WebhookDeliveryRow = {
    id: tx.newId(),
    webhook_id: input.webhookId,
    event_id: input.eventId,
    event: input.event,
    payload: input.payload,
    attempt: input.attempt,
    is_counted: input.isCounted ? 1 : 0,
    status: refusal === undefined ? 'pending' : 'failed',
    due_at: dueAt,
    sent_at: null,
    duration_ms: null,
    response_status: null,
    response_body: null,
    error: refusal ?? null,
    created_at: tx.now,
  }
  await insertDelivery(tx, row)
  if (refusal === undefined) await enqueue(tx, task, { deliveryId: row.id }, { lane, runAt: dueAt })
  return toWebhookDelivery(row)
}

/** An attempt that is due, with its target. */
export interface PendingWebhookDelivery extends WebhookKey, Pick<StoredWebhook, 'url' | 'secret' | 'previousSecret' | 'previousSecretUntil'> {
  id: string
  /** Of the account at this moment. */
  plan: Plan
  eventId: string
  event: string
  payload: string
}

/** @returns undefined when the attempt was made, was given up with its webhook, is removed, or its account was deleted */
export async function findPendingWebhookDelivery(db: Database, id: string): Promise<PendingWebhookDelivery | undefined> {
  return (await selectPending(db, { id })).rows[0]
}

/** An attempt, as the next one repeats it. */
export interface StoredWebhookDelivery extends Pick<WebhookDeliveryRow, 'event' | 'payload' | 'attempt' | 'status'> {
  eventId: string
  isCounted: boolean
}

export async function findWebhookDelivery(db: Database | Tx, webhookId: string, id: string): Promise<StoredWebhookDelivery | undefined> {
  const row = await db.sql.selectFrom('webhook_deliveries')
    .select(['event_id as eventId', 'event', 'payload', 'attempt', 'status', 'is_counted'])
    .where('id', '=', id).where('webhook_id', '=', webhookId).executeTakeFirst()
  return row && { ...row, isCounted: row.is_counted === 1 }
}

/** Whether a delivery of a webhook has succeeded since the first attempt for an event. Reads the newest deliveries first. */
export async function hasSucceededSince(tx: Tx, webhookId: string, eventId: string): Promise<boolean> {
  const deliveries = tx.sql.selectFrom('webhook_deliveries').where('webhook_id', '=', webhookId).limit(1)
  const first = await deliveries.select(['id', 'sent_at']).where('event_id', '=', eventId)
    .where('id', '>', eventId) // the ids of its deliveries, in the order of time as all ids
    .orderBy('id').executeTakeFirst()
  if (!first?.sent_at) return false
  const { id, sent_at } = first
  const later = await deliveries.select('id').where('status', '=', 'succeeded')
    .where((row) => row.or([row('sent_at', '>', sent_at), row.and([row('sent_at', '=', sent_at), row('id', '>', id)])]))
    .orderBy('id', 'desc').executeTakeFirst()
  return later !== undefined
}

/** The result of an attempt. */
export interface WebhookDeliveryChange extends Pick<WebhookDeliveryRow, 'status' | 'error'> {
  /** Milliseconds since 1970; null for an attempt that was not made. */
  sentAt: number | null
  durationMs: number | null
  responseStatus: number | null
  responseBody: string | null
}

export async function updateWebhookDelivery(tx: Tx, id: string, change: WebhookDeliveryChange): Promise<void> {
  await updateDelivery(tx, { ...change, id })
}

/**
 * Gives up some pending attempts, except those that a user requested. They stay listed, and can be redelivered.
 * @param wanted.before an id; later attempts stay
 * @returns how many
 */
export async function endPendingWebhookDeliveries(
  tx: Tx, webhookId: string, wanted: { before: string, reason: string, limit: number },
): Promise<number> {
  const rows = await tx.sql.selectFrom('webhook_deliveries').select('id').where('webhook_id', '=', webhookId)
    .where('status', '=', raw.lit('pending')) // a literal: SQLite uses a partial index only for a literal
    .where('is_counted', '=', 1).where('id', '<', wanted.before).orderBy('id').limit(wanted.limit).execute()
  if (rows.length === 0) return 0
  await tx.sql.updateTable('webhook_deliveries').set({ status: 'failed', error: wanted.reason })
    .where('id', 'in', rows.map(({ id }) => id)).where('status', '=', 'pending').execute()
  return rows.length
}

/** Removes some deliveries of a deleted webhook, and some of its jobs. @returns whether none is left */
export async function removeWebhookDeliveriesOf(tx: Tx, webhook: WebhookKey, limit: number): Promise<boolean> {
  const { numDeletedRows } = await tx.sql.deleteFrom('webhook_deliveries')
    .where('id', 'in', (known) => known.selectFrom('webhook_deliveries').select('id').where('webhook_id', '=', webhook.webhookId).limit(limit))
    .executeTakeFirstOrThrow()
  return Math.max(Number(numDeletedRows), await removeWaitingJobs(tx, task, laneOf(webhook), limit)) < limit
}

/** Removes some webhook deliveries whose attempt is over. @returns how many */
export async function removeOldWebhookDeliveries(tx: Tx, { before, limit }: RemovalBatch): Promise<number> {
  let removed = 0
  for (const status of ['succeeded', 'failed'] as const) {
    const rows = await tx.sql.selectFrom('webhook_deliveries').select('id')
      .where('status', '=', status).where('created_at', '<', before).limit(limit - removed).execute()
    if (rows.length > 0) await tx.sql.deleteFrom('webhook_deliveries').where('id', 'in', rows.map(({ id }) => id)).execute()
    removed += rows.length
  }
  return removed
}

export interface WebhookDeliveryPage {
  deliveries: WebhookDelivery[]
  /** `maxCounted` at most. */
  total: number
  hasMore: boolean
}

/** Newest first. */
export async function listWebhookDeliveries(db: Database, webhookId: string, page: Page): Promise<WebhookDeliveryPage> {
  const [list, total] = await Promise.all([selectPage(db, { webhookId, ...pageValues(page) }), selectTotal(db, { webhookId })])
  const { rows, hasMore } = cutPage(list.rows, page)
  return { deliveries: rows.map(toListed), total: total.rows[0]!.total, hasMore }
}

const insertDelivery = prepared<WebhookDeliveryRow, never>((sql, value) => sql.insertInto('webhook_deliveries').values({
  id: value('id'),
  webhook_id: value('webhook_id'),
  event_id: value('event_id'),
  event: value('event'),
  payload: value('payload'),
  attempt: value('attempt'),
  is_counted: value('is_counted'),
  status: value('status'),
  due_at: value('due_at'),
  sent_at: value('sent_at'),
  duration_ms: value('duration_ms'),
  response_status: value('response_status'),
  response_body: value('response_body'),
  error: value('error'),
  created_at: value('created_at'),
}))

const updateDelivery = prepared<WebhookDeliveryChange & { id: string }, never>((sql, value) => sql.updateTable('webhook_deliveries').set({
  status: value('status'),
  sent_at: value('sentAt'),
  duration_ms: value('durationMs'),
  response_status: value('responseStatus'),
  response_body: value('responseBody'),
  error: value('error'),
}).where('id', '=', value('id')))

const selectPage = prepared<Required<Page> & { webhookId: string }, WebhookDeliveryRow>((sql, value) => sql.selectFrom('webhook_deliveries')
  .selectAll().where('webhook_id', '=', value('webhookId')).where('id', '<', value('before'))
  .orderBy('id', 'desc').limit(value('limit')).offset(value('offset')))

const selectTotal = prepared<{ webhookId: string }, { total: number }>((sql, value) => sql
  .selectFrom(sql.selectFrom('webhook_deliveries').select('id').where('webhook_id', '=', value('webhookId')).limit(raw.lit(maxCounted)).as('counted'))
  .select((count) => count.fn.countAll<number>().as('total')))

const countPending = prepared<{ webhookId: string }, { total: number }>((sql, value) => sql
  .selectFrom(sql.selectFrom('webhook_deliveries').select('id').where('webhook_id', '=', value('webhookId'))
    .where('status', '=', raw.lit('pending')).limit(raw.lit(maxPending)).as('pending'))
  .select((count) => count.fn.countAll<number>().as('total')))

const selectPending = prepared<{ id: string }, PendingWebhookDelivery>((sql, value) => sql.selectFrom('webhook_deliveries')
  .innerJoin('webhooks', 'webhooks.id', 'webhook_id')
  .innerJoin('accounts', 'accounts.id', 'account_id')
  .select([
    'webhook_deliveries.id', 'webhook_id as webhookId', 'account_id as accountId', 'event_id as eventId', 'event', 'payload',
    'plan', 'url', 'secret', 'previous_secret as previousSecret', 'previous_secret_until as previousSecretUntil',
  ])
  .where('webhook_deliveries.id', '=', value('id')).where('status', '=', 'pending')
  .where((row) => row.or([row('is_active', '=', 1), row('is_counted', '=', 0)]))
  .where('deleted_at', 'is', null))

const toWebhookDelivery = (row: WebhookDeliveryRow): WebhookDelivery => ({
  id: row.id,
  eventId: row.event_id,
  event: row.event as WebhookEvent,
  attempt: row.attempt,
  status: row.status,
  requestBody: excerpt(row.payload, maxListedBodyBytes),
  responseStatus: row.response_status,
  responseBody: row.response_body,
  durationMs: row.duration_ms,
  error: row.error,
  dueAt: timestamp(row.due_at),
  sentAt: timestamp(row.sent_at),
  createdAt: timestamp(row.created_at),
})

const toListed = (row: WebhookDeliveryRow): WebhookDelivery => {
  const { responseBody, ...delivery } = toWebhookDelivery(row)
  return { ...delivery, responseBody: responseBody && excerpt(responseBody, maxListedBodyBytes) }
}
