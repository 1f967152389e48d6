import { randomBytes } from 'node:crypto'

/** A secret that signs deliveries of a webhook, as the server makes them. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`
