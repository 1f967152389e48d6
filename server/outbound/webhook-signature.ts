import { createHmac } from 'node:crypto'
import { webhookKey } from '../webhook-secret.ts'

export interface SignedDelivery {
  eventId: string
  event: string
  deliveryId: string
  /** The time of this attempt; milliseconds since 1970. The body has the time of the event. */
  sentAt: number
  body: Buffer
  /** All valid secrets, the newest first. */
  secrets: string[]
}

/**
 * Returns the headers of a delivery by the members of its body: `event` is one of form A, `type` one of form B. A body of both forms has
 * the headers of both, and those of Standard Webhooks. During a rotation of the secret, the previous one signs `X-Service-Signature`, which
 * can hold only one signature.
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function deliveryHeaders(delivery: SignedDelivery): Record<string, string> {
  const { body, secrets } = delivery
  const members = JSON.parse(body.toString()) as object
  const [isA, isB] = ['event' in members, 'type' in members]
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Mayfly',
    'X-Service-Signature': `sha256=${createHmac('sha256', secrets.at(-1)!).update(body).digest('hex')}`,
    ...isA && { 'X-Service-Timestamp': String(delivery.sentAt) },
    ...isB && { 'X-Service-Event': delivery.event, 'X-Service-Delivery-ID': delivery.deliveryId },
    ...isA && isB && standardHeaders(delivery),
  }
}

function standardHeaders({ eventId, sentAt, body, secrets }: SignedDelivery) {
  const seconds = Math.floor(sentAt / 1000)
  return {
    'webhook-id': eventId,
    'webhook-timestamp': String(seconds),
    'webhook-signature': secrets.map((secret) => `v1,${standardSignature(secret, `${eventId}.${seconds}.`, body)}`).join(' '),
  }
}

function standardSignature(secret: string, head: string, body: Buffer) {
  return createHmac('sha256', webhookKey(secret)).update(head).update(body).digest('base64')
}
