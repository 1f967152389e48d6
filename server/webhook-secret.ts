import { randomBytes } from 'node:crypto'

const prefix = 'whsec_'

/** Makes a secret in the form of Standard Webhooks: a prefix and 32 random bytes in base64. */
export const newWebhookSecret = (): string => prefix + randomBytes(32).toString('base64')

const encoded = /^whsec_(([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=))$/

/**
 * The key of Standard Webhooks: the bytes that a secret encodes after its prefix, else the UTF-8 bytes of the secret. The API's own
 * signature uses the whole text of the secret as its key.
 */
export function webhookKey(secret: string): Buffer {
  const base64 = encoded.exec(secret)?.[1]
  return base64 === undefined ? Buffer.from(secret) : Buffer.from(base64, 'base64')
}
