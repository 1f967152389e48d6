import { MayflyError } from '../core/errors.ts'
import { checkNames } from '../core/unknown-names.ts'
import { readBody } from './body.ts'
import type { WebhookBody } from './body.ts'
import { WebhookVerificationError } from './error.ts'
import { readClaim } from './headers.ts'
import type { Claim, WebhookHeaders } from './headers.ts'
import { readPayload } from './payload.ts'
import type { WebhookPayload } from './payload.ts'
import { isEqual, readSecrets, signService, signStandard } from './signature.ts'

export interface WebhookVerifyOptions {
  /** Maximum difference in seconds between the time of the delivery and `now`, before or after. Default 300. */
  toleranceSeconds?: number
  /** Default: the time of the call. */
  now?: Date
}

const optionNames = { toleranceSeconds: true, now: true } satisfies Record<keyof WebhookVerifyOptions, true>

/**
 * Checks the signature and the age of a delivery, of any form, and returns its event. It reads the headers of Standard Webhooks; those of
 * forms A and B have none, and their `X-Service-Signature` covers the body alone: the time of form A is not signed, and form B has no
 * time. A delivery may be repeated; the `id` of the event is then the same.
 * @param body as it was received, text or bytes, never parsed
 * @param secret of the webhook; several during a rotation of the secret
 * @throws WebhookVerificationError when the request is not such a delivery
 * @throws MayflyError when the body was parsed, or a secret is missing or malformed
 * @example
 * async function receive(request: Request): Promise<Response> {
 *   try {
 *     const event = await webhooks.verify(await request.text(), request.headers, process.env.MAYFLY_WEBHOOK_SECRET!)
 *     if (event.type === 'email.received') console.log(event.data.from, event.data.subject)
 *     return new Response(null, { status: 204 })
 *   } catch (error) {
 *     if (error instanceof WebhookVerificationError) return new Response(error.message, { status: 400 })
 *     throw error
 *   }
 * }
 */
export async function verify(
  body: WebhookBody, headers: WebhookHeaders, secret: string | readonly string[], options: WebhookVerifyOptions = {},
): Promise<WebhookPayload> {
  checkNames(options, optionNames, 'webhooks.verify')
  const bytes = readBody(body)
  const secrets = readSecrets(secret, 'webhooks.verify')
  const claim = readClaim(headers)
  checkTime(claim, options)
  if (!await isSigned(claim, bytes, secrets)) {
    throw new WebhookVerificationError(
      'The signature is not that of this body with this secret. The body has to be the received bytes, and the secret that of this webhook.',
    )
  }
  return readPayload(bytes, claim)
}

function checkTime({ form, timestamp }: Claim, { toleranceSeconds = 300, now = new Date() }: WebhookVerifyOptions) {
  if (!(toleranceSeconds >= 0)) throw new MayflyError('webhooks.verify: toleranceSeconds must be 0 or more')
  if (Number.isNaN(now.getTime())) throw new MayflyError('webhooks.verify: now is not a valid Date')
  if (timestamp === undefined) return
  const seconds = form === 'standard' ? Number(timestamp) : Number(timestamp) / 1000
  if (!/^\d{1,15}$/.test(timestamp)) throw new WebhookVerificationError('The time of the delivery is not a number')
  const lead = seconds - (form === 'standard' ? Math.floor(now.getTime() / 1000) : now.getTime() / 1000)
  if (Math.abs(lead) <= toleranceSeconds) return
  throw new WebhookVerificationError(
    `The delivery is from ${describe(Math.abs(lead))} ${lead < 0 ? 'ago' : 'ahead'}, more than ${toleranceSeconds} seconds. `
    + 'It may be a replay, or a clock is wrong.',
  )
}

const describe = (seconds: number) => `${Math.round(seconds)} seconds`

async function isSigned(claim: Claim, body: Uint8Array, secrets: string[]): Promise<boolean> {
  const expected = await Promise.all(secrets.map((secret) => claim.form === 'standard'
    ? signStandard(secret, claim.id, claim.timestamp, body)
    : signService(secret, body)))
  return expected.some((right) => claim.signatures.some((given) => isEqual(right, given)))
}
