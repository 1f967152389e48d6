import type { Mode } from './schema.ts'

/** What is known of changes that were made under an `Idempotency-Key`. */
export interface IdempotencyTables {
  idempotency_keys: IdempotencyKeyRow
}

export interface IdempotencyKeyRow {
  account_id: string
  mode: Mode
  key: string
  operation: string
  /** Tells the request from any other. */
  fingerprint: string
  /** What the transaction of the change returned, as JSON; null when that was nothing, and once the answer is noted. */
  outcome: string | null
  status: number | null
  /** The body as JSON; null until it is noted. */
  answer: string | null
  created_at: number
}
