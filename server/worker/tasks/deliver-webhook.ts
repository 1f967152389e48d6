import { recordWebhookOutcome } from '../../domain/webhook-deliveries.ts'
import { deliveryHeaders } from '../../outbound/webhook-signature.ts'
import { findPendingWebhookDelivery } from '../../store/events/webhook-deliveries.ts'
import type { PendingWebhookDelivery } from '../../store/events/webhook-deliveries.ts'
import type { Task } from '../task.ts'

/** Posts an event to a webhook. Each webhook has a lane, so one that hangs holds back only itself. */
export const deliverWebhook: Task<{ deliveryId: string }> = {
  concurrency: 4,
  inAllLanes: 200,
  ofOnePart: [50, 4],
  startsPerTurn: 1,
  lease: 600,
  delays: [5, 60, 300],
  async run(app, { deliveryId }) {
    const delivery = await findPendingWebhookDelivery(app.db, deliveryId)
    if (!delivery) return async () => {} // made already, given up, or its webhook is gone
    const sentAt = app.clock.now()
    const body = Buffer.from(delivery.payload)
    const headers = deliveryHeaders({
      eventId: delivery.eventId,
      event: delivery.event,
      deliveryId,
      timestamp: (JSON.parse(delivery.payload) as { timestamp: number }).timestamp,
      sentAt,
      body,
      secrets: secretsOf(delivery, sentAt),
    })
    const answer = await app.network.webhooks.post(delivery.url, headers, body, app.closing)
    // one that was cut is made again at the next start, as the same delivery; one that was taken is noted
    if (answer.error !== null) app.closing.throwIfAborted()
    app.metrics.webhookDelivered(answer.error === null ? 'succeeded' : 'failed')
    const retryAfter = answer.status === 429 || answer.status === 503 ? pauseOf(answer.retryAfter, app.clock.now()) : null
    return (tx) => recordWebhookOutcome(tx, delivery, { ...answer, sentAt, retryAfterMs: retryAfter })
  },
}

const secretsOf = ({ secret, previousSecret, previousSecretUntil }: PendingWebhookDelivery, now: number) =>
  previousSecret !== null && previousSecretUntil! > now ? [secret, previousSecret] : [secret]

/** Milliseconds that a Retry-After asks for. @see RFC 9110, section 10.2.3 */
function pauseOf(retryAfter: string | null, now: number): number | null {
  if (retryAfter === null) return null
  const pause = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - now
  return Number.isFinite(pause) ? Math.max(0, pause) : null
}
