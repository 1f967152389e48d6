import { timestamp } from '../clock.ts'
import type { Caller, Services } from '../context.ts'
import type { WebhookDelivery, WebhookEvent } from '../contract/types.gen.ts'
import { nothingFound, rateLimited } from '../errors.ts'
import type { AppError } from '../errors.ts'
import { insertAuditLogs } from '../store/accounts/audit-logs.ts'
import type { Tx } from '../store/database.ts'
import { webhookPayload } from '../store/events/outbox.ts'
import type { EventData } from '../store/events/outbox.ts'
import {
  findWebhookDelivery, hasSucceededSince, planWebhookDelivery, refusalOfDelivery, updateWebhookDelivery,
} from '../store/events/webhook-deliveries.ts'
import type { PendingWebhookDelivery } from '../store/events/webhook-deliveries.ts'
import { findWebhook, lockWebhookForShare } from '../store/events/webhooks.ts'
import type { StoredWebhook } from '../store/events/webhooks.ts'
import { outsidePlan } from './plans.ts'
import { webhookRetryDelaysMs } from './retry-delays.ts'
import { findOwn, switchOff } from './webhooks.ts'

const maxRetryDelayMs = Math.max(...webhookRetryDelaysMs)

/** The result of an attempt. */
export interface WebhookOutcome {
  /** Milliseconds since 1970. */
  sentAt: number
  /** Milliseconds. */
  durationMs: number
  status: number | null
  body: string | null
  /** Why it failed; null when it succeeded. */
  error: string | null
  /** Delay that the endpoint asks for. */
  retryAfterMs: number | null
}

/**
 * Records the result of an attempt, and plans the next one by `webhookRetryDelaysMs`. The failure of the last attempt for an event disables
 * the webhook, unless another of its deliveries has succeeded since the first. An attempt that was given up meanwhile has no next one.
 */
export async function recordWebhookOutcome(tx: Tx, delivery: PendingWebhookDelivery, outcome: WebhookOutcome): Promise<void> {
  const { id, webhookId, accountId } = delivery
  const webhook = await lockWebhookForShare(tx, webhookId) // before the delivery, which disabling the webhook gives up
  const stored = await findWebhookDelivery(tx, webhookId, id)
  if (!stored) return
  await updateWebhookDelivery(tx, id, {
    status: outcome.error === null ? 'succeeded' : 'failed',
    sentAt: outcome.sentAt,
    durationMs: outcome.durationMs,
    responseStatus: outcome.status,
    responseBody: outcome.body,
    error: outcome.error,
  })
  if (outcome.error === null || !stored.isCounted || stored.status !== 'pending') return
  if (!webhook?.isActive) return
  const delayMs = webhookRetryDelaysMs[stored.attempt - 1]
  if (delayMs === undefined) {
    if (!await hasSucceededSince(tx, webhookId, stored.eventId)) await disable(tx, webhook, `${stored.attempt} deliveries of one event failed.`)
    return
  }
  const requestedMs = Math.min(outcome.retryAfterMs ?? 0, maxRetryDelayMs)
  await planWebhookDelivery(tx, {
    accountId,
    webhookId,
    eventId: stored.eventId,
    event: stored.event,
    payload: stored.payload,
    attempt: stored.attempt + 1,
    isCounted: true,
    dueAt: tx.now + Math.max(delayMs, requestedMs),
  })
}

/** Ends an attempt that became due while the plan of the account has no webhooks: it is not posted, and no failure is counted. */
export async function endPausedDelivery(tx: Tx, { id, plan }: PendingWebhookDelivery): Promise<void> {
  await updateWebhookDelivery(tx, id, {
    status: 'failed', sentAt: null, durationMs: null, responseStatus: null, responseBody: null, error: outsidePlan('Webhooks', plan),
  })
}

async function disable(tx: Tx, webhook: StoredWebhook, reason: string) {
  await switchOff(tx, webhook.id, reason)
  await insertAuditLogs(tx, [disabledEntry(webhook, tx.now)])
}

/** The server disables the webhook without a call of the API; the owner finds it in the audit log. */
const disabledEntry = ({ id, accountId, mode }: StoredWebhook, now: number) => ({
  accountId,
  mode,
  apiKeyId: null,
  sessionId: null,
  member: null,
  action: 'webhooks.disabled',
  method: '',
  path: `/api/v1/webhooks/${id}`,
  status: 200,
  resourceId: id,
  ipAddress: '',
  userAgent: null,
  createdAt: now,
})

/**
 * Queues an example event for a webhook, also for a disabled one.
 * @throws AppError `NOT_FOUND`, `RATE_LIMITED` when too many of its deliveries wait
 */
export async function testWebhook(tx: Tx, app: Services, caller: Caller, id: string): Promise<WebhookDelivery> {
  const { events: [event], ...format } = await findOwn(tx, caller, id)
  await refuseWhenFull(tx, id)
  const eventId = tx.newId()
  const data = exampleData[event!](app, tx)
  const payload = webhookPayload({ id: eventId, event: event!, createdAt: tx.now, data: JSON.stringify(data) }, format)
  return planWebhookDelivery(tx, {
    accountId: caller.accountId, webhookId: id, eventId, event: event!, payload, attempt: 1, isCounted: false,
  })
}

/**
 * Queues the event of a delivery again, also for a disabled webhook, to test whether its endpoint is back.
 * @throws AppError `NOT_FOUND`, `RATE_LIMITED` when too many of its deliveries wait
 */
export async function redeliver(tx: Tx, caller: Caller, id: string, deliveryId: string): Promise<WebhookDelivery> {
  const stored = await findWebhook(tx, caller, id) && await findWebhookDelivery(tx, id, deliveryId)
  if (!stored) throw noDelivery()
  await refuseWhenFull(tx, id)
  return planWebhookDelivery(tx, {
    accountId: caller.accountId,
    webhookId: id,
    eventId: stored.eventId,
    event: stored.event,
    payload: stored.payload,
    attempt: 1,
    isCounted: false,
  })
}

async function refuseWhenFull(tx: Tx, id: string) {
  const refusal = await refusalOfDelivery(tx, id)
  if (refusal !== undefined) throw rateLimited(`${refusal} Try again when some were made.`, 60)
}

export const noDelivery = (): AppError => nothingFound('There is no delivery with this id of a webhook with this id.')

const exampleAddress = ({ config, clock }: Services, tx: Tx): EventData =>
  ({ addressId: tx.newId(), address: `test@${config.defaultDomain}`, expiresAt: timestamp(clock.now()) })

const exampleEmail = (tx: Tx) => ({ emailId: tx.newId(), addressId: tx.newId() })

const exampleData: Record<WebhookEvent, (app: Services, tx: Tx) => EventData> = {
  'email.received': (_app, tx) =>
    ({ ...exampleEmail(tx), from: 'test@example.com', subject: 'A test of this webhook', receivedAt: timestamp(tx.now) }),
  'email.deleted': (_app, tx) => exampleEmail(tx),
  'address.created': exampleAddress,
  'address.expired': exampleAddress,
  'address.deleted': exampleAddress,
}
