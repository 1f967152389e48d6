import { randomBytes } from 'node:crypto'

/** A secret for the signatures of a webhook, of the form and length that the server makes. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`
