import type { Mode } from './schema.ts'

/** Answers to changes that were requested with an `Idempotency-Key`. */
export interface IdempotencyTables {
  idempotency_keys: IdempotencyKeyRow
}

export interface IdempotencyKeyRow {
  account_id: string
  mode: Mode
  key: string
  /** Tells the request from any other. */
  fingerprint: string
  /** What a repetition is answered with, as JSON. It holds no secret and no mail. */
  answer: string
  created_at: number
}
