import type { WebhookDelivery, WebhookEvent } from '../contract/types.gen.ts'
import type { App, Caller } from '../context.ts'
import { AppError } from '../errors.ts'
import { insertAuditLogs } from '../store/audit-logs.ts'
import { inTransaction } from '../store/database.ts'
import type { Tx } from '../store/database.ts'
import { payloadOf } from '../store/outbox.ts'
import type { EventData } from '../store/outbox.ts'
import type { WebhookRow } from '../store/schema.ts'
import { findDelivery, planDelivery, updateDelivery } from '../store/webhook-deliveries.ts'
import type { PendingDelivery } from '../store/webhook-deliveries.ts'
import { findWebhook, findWebhookById } from '../store/webhooks.ts'
import { timestamp } from '../timestamp.ts'
import { findOwn, switchOff } from './webhooks.ts'

/** Milliseconds between the attempts for one event; after the last it is given up, and the webhook with it. */
const pauses = [60, 300, 1800, 7200].map((seconds) => seconds * 1000)
const longestPause = Math.max(...pauses)

/** The result of an attempt. */
export interface DeliveryOutcome {
  /** Milliseconds since 1970. */
  sentAt: number
  /** Milliseconds. */
  durationMs: number
  status: number | null
  body: string | null
  /** Why it failed; null when it succeeded. */
  error: string | null
  /** Milliseconds for which the endpoint asks to be left alone. */
  retryAfter: number | null
}

/**
 * Writes down what came of an attempt, and plans the next one. The fifth failure of an event disables the webhook. An attempt that
 * was given up meanwhile has no consequences.
 */
export async function noteOutcome(tx: Tx, { id, webhook_id, account_id }: PendingDelivery, outcome: DeliveryOutcome): Promise<void> {
  const row = await findDelivery(tx, webhook_id, id)
  if (!row) return
  await updateDelivery(tx, id, {
    status: outcome.error === null ? 'succeeded' : 'failed',
    sent_at: outcome.sentAt,
    duration_ms: outcome.durationMs,
    response_status: outcome.status,
    response_body: outcome.body,
    error: outcome.error,
  })
  if (outcome.error === null || !row.is_counted || row.status !== 'pending') return
  const webhook = await findWebhookById(tx, webhook_id)
  if (!webhook?.is_active) return
  const pause = pauses[row.attempt - 1]
  if (pause === undefined) return disable(tx, webhook, 'Five deliveries of one event failed.')
  const wanted = Math.min(outcome.retryAfter ?? 0, longestPause)
  await planDelivery(tx, {
    accountId: account_id,
    webhookId: webhook_id,
    eventId: row.event_id,
    event: row.event,
    payload: row.payload,
    attempt: row.attempt + 1,
    isCounted: true,
    dueAt: tx.now + Math.max(pause, wanted),
  })
}

async function disable(tx: Tx, webhook: WebhookRow, reason: string) {
  await switchOff(tx, webhook.id, reason)
  await insertAuditLogs(tx, [disabledEntry(webhook, tx.now)])
}

/** Nobody called, but the owner is to find it where they look for what was done. */
const disabledEntry = ({ id, account_id, mode }: WebhookRow, now: number) => ({
  account_id,
  mode,
  api_key_id: null,
  action: 'webhooks.disabled',
  method: '',
  path: `/api/v1/webhooks/${id}`,
  status: 200,
  resource_id: id,
  ip_address: '',
  user_agent: null,
  created_at: now,
})

/**
 * Queues a made-up event for a webhook, also for one that is disabled.
 * @throws AppError `NOT_FOUND`
 */
export function testWebhook(app: App, caller: Caller, id: string): Promise<WebhookDelivery> {
  return inTransaction(app.db, async (tx) => {
    const { events } = await findOwn(tx, caller, id)
    const [event] = JSON.parse(events) as WebhookEvent[]
    const eventId = tx.newId()
    const data = madeUp[event!](app, tx)
    const payload = payloadOf({ id: eventId, event: event!, createdAt: tx.now, data: JSON.stringify(data) })
    return planDelivery(tx, { accountId: caller.accountId, webhookId: id, eventId, event: event!, payload, attempt: 1, isCounted: false })
  })
}

/**
 * Queues the event of a delivery once more, also for a webhook that is disabled: it may be back, and this tells.
 * @throws AppError `NOT_FOUND`
 */
export function redeliver(app: App, caller: Caller, id: string, deliveryId: string): Promise<WebhookDelivery> {
  return inTransaction(app.db, async (tx) => {
    const row = await findWebhook(tx, caller, id) && await findDelivery(tx, id, deliveryId)
    if (!row) throw new AppError('NOT_FOUND', 'There is no delivery with this id of a webhook with this id.')
    return planDelivery(tx, {
      accountId: caller.accountId,
      webhookId: id,
      eventId: row.event_id,
      event: row.event,
      payload: row.payload,
      attempt: 1,
      isCounted: false,
    })
  })
}

const madeUpAddress = ({ config, clock }: App, tx: Tx): EventData =>
  ({ addressId: tx.newId(), address: `test@${config.defaultDomain}`, expiresAt: timestamp(clock.now()) })

const madeUpEmail = (tx: Tx) => ({ emailId: tx.newId(), addressId: tx.newId() })

const madeUp: Record<WebhookEvent, (app: App, tx: Tx) => EventData> = {
  'email.received': (_app, tx) =>
    ({ ...madeUpEmail(tx), from: 'test@example.com', subject: 'A test of this webhook', receivedAt: timestamp(tx.now) }),
  'email.deleted': (_app, tx) => madeUpEmail(tx),
  'address.created': madeUpAddress,
  'address.expired': madeUpAddress,
  'address.deleted': madeUpAddress,
}
