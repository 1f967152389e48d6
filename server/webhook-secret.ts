import { randomBytes } from 'node:crypto'

const prefix = 'whsec_'

/** Bytes of the key that a secret of the user's own may encode. */
export const minWebhookKeyBytes = 24
export const maxWebhookKeyBytes = 64

/** Makes a secret in the form of Standard Webhooks: a prefix and 32 random bytes in base64. */
export const newWebhookSecret = (): string => prefix + randomBytes(32).toString('base64')

/** Decodes the key of Standard Webhooks from a secret. The API's own signature uses the whole text of the secret as its key. */
export const webhookKey = (secret: string): Buffer => Buffer.from(secret.slice(prefix.length), 'base64')
