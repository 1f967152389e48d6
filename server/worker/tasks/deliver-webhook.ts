import { errorRetryDelaysMs } from '../../domain/retry-delays.ts'
import { endPausedDelivery, recordWebhookOutcome } from '../../domain/webhook-deliveries.ts'
import { deliveryHeaders } from '../../outbound/webhook-signature.ts'
import { findPendingWebhookDelivery } from '../../store/events/webhook-deliveries.ts'
import type { PendingWebhookDelivery } from '../../store/events/webhook-deliveries.ts'
import { plansWithApi } from '../../store/schema/values.ts'
import type { Task } from '../run-job.ts'

/** Posts an event to a webhook. Each webhook has a lane, so an endpoint that does not answer delays only its own deliveries. */
export const deliverWebhook: Task<'deliver-webhook'> = {
  maxPerLane: 4,
  maxInAllLanes: 200,
  maxPerLanePart: { account: 50, webhook: 4 },
  maxStartsPerLoopTurn: 1,
  errorRetryDelaysMs: errorRetryDelaysMs.webhook,
  async run(app, { deliveryId }) {
    const delivery = await findPendingWebhookDelivery(app.db, deliveryId)
    if (!delivery) return async () => {} // it was made or given up, or its webhook was deleted
    if (!plansWithApi.includes(delivery.plan)) return (tx) => endPausedDelivery(tx, delivery)
    const sentAt = app.clock.now()
    const body = Buffer.from(delivery.payload)
    const headers = deliveryHeaders({
      eventId: delivery.eventId,
      event: delivery.event,
      deliveryId,
      sentAt,
      body,
      secrets: secretsOf(delivery, sentAt),
    })
    const answer = await app.network.webhooks.post(delivery.url, headers, body, app.closing)
    // a request that was cut off is repeated at the next start, as the same delivery; an answered request is recorded
    if (answer.error !== null) app.closing.throwIfAborted()
    const outcome = answer.error === null ? 'succeeded' : 'failed'
    app.metrics.webhookDelivered(outcome)
    app.activity.record({
      kind: 'webhook', id: deliveryId, webhook: delivery.webhookId, event: delivery.event, outcome, status: answer.status,
      ...answer.error !== null && { reason: answer.error }, ms: answer.durationMs,
    })
    const retryAfterMs = answer.status === 429 || answer.status === 503 ? readRetryAfter(answer.retryAfter, app.clock.now()) : null
    return (tx) => recordWebhookOutcome(tx, delivery, { ...answer, sentAt, retryAfterMs })
  },
}

const secretsOf = ({ secret, previousSecret, previousSecretUntil }: PendingWebhookDelivery, now: number) =>
  previousSecret !== null && previousSecretUntil! > now ? [secret, previousSecret] : [secret]

/** @returns the delay that a Retry-After asks for, in ms; null without a valid one. @see RFC 9110, section 10.2.3 */
function readRetryAfter(retryAfter: string | null, now: number): number | null {
  if (retryAfter === null) return null
  const delayMs = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - now
  return Number.isFinite(delayMs) ? Math.max(0, delayMs) : null
}
