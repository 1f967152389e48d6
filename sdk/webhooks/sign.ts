import { checkNames } from '../core/unknown-names.ts'
import type { MayflyEvent } from '../events/event.ts'
import type { WebhookForm } from '../generated/types.gen.ts'
import type { WebhookPayload } from './payload.ts'
import { readSecrets, requireWebCrypto, signService, signStandard } from './signature.ts'

/** An event to be signed: its `type` and `data`, and optional members. */
export type WebhookDraft = {
  [Type in WebhookPayload['type']]: Pick<Extract<WebhookPayload, { type: Type }>, 'type' | 'data'>
}[WebhookPayload['type']] & {
  /** The id of the event. Default: random. */
  id?: string
  /** The time of the event. Default: `now`. */
  createdAt?: Date
}

export interface WebhookSignOptions {
  /** The id of the attempt. Default: random. */
  deliveryId?: string
  /** The form of the delivery. Default: both. */
  form?: WebhookForm
  /** The time of the attempt. Default: the time of the call. */
  now?: Date
}

const optionNames = { deliveryId: true, form: true, now: true } satisfies Record<keyof WebhookSignOptions, true>
/** Those of a draft, of a delivery and of an event of `events.subscribe`. */
const memberNames = {
  id: true, createdAt: true, type: true, data: true, event: true, timestamp: true, lastEventId: true,
} satisfies Record<keyof WebhookDraft | keyof MayflyEvent, true>

/**
 * Makes a delivery as the server does, for tests of a receiver.
 * @param secret of the webhook; several, newest first, sign like a server during a rotation of the secret
 * @throws MayflyError when a secret is missing or malformed, or the runtime has no WebCrypto
 * @example
 * const { body, headers } = await webhooks.sign({
 *   type: 'email.deleted',
 *   data: { emailId: '019ceb98-68c0-76ca-83c8-90c1d3ac94af', addressId: '019ceb92-ea80-752e-bca9-6513269e0d37' },
 * }, secret)
 * await fetch('http://localhost:8080/hooks/mail', { method: 'POST', headers, body })
 */
export async function sign(
  event: WebhookDraft, secret: string | readonly string[], options: WebhookSignOptions = {},
): Promise<{ body: string, headers: Record<string, string> }> {
  checkNames(event, memberNames, 'webhooks.sign')
  checkNames(options, optionNames, 'webhooks.sign')
  const secrets = readSecrets(secret, 'webhooks.sign')
  requireWebCrypto()
  const { now = new Date(), deliveryId = crypto.randomUUID(), form = 'both' } = options
  const [isA, isB] = [form !== 'b', form !== 'a']
  const { id = crypto.randomUUID(), createdAt = now, type, data } = event
  const body = JSON.stringify({
    ...isB && { id, type }, ...isA && { event: type }, ...isB && { createdAt }, ...isA && { timestamp: createdAt.getTime() }, data,
  })
  const bytes = new TextEncoder().encode(body)
  const seconds = String(Math.floor(now.getTime() / 1000))
  const signatures = await Promise.all(secrets.map((key) => signStandard(key, id, seconds, bytes)))
  return {
    body,
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': 'Mayfly',
      'X-Service-Signature': `sha256=${await signService(secrets.at(-1)!, bytes)}`,
      ...isA && { 'X-Service-Timestamp': String(now.getTime()) },
      ...isB && { 'X-Service-Event': type, 'X-Service-Delivery-ID': deliveryId },
      ...isA && isB && {
        'webhook-id': id,
        'webhook-timestamp': seconds,
        'webhook-signature': signatures.map((signature) => `v1,${signature}`).join(' '),
      },
    },
  }
}
