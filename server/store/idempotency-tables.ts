import type { Mode } from './schema.ts'

/** Answers to changes that were requested with an `Idempotency-Key`. */
export interface IdempotencyTables {
  idempotency_keys: IdempotencyKeyRow
}

export interface IdempotencyKeyRow {
  account_id: string
  mode: Mode
  key: string
  /** Differs for a different request. */
  fingerprint: string
  /** JSON from which a repetition is answered. It holds no secret and no mail. */
  answer: string
  created_at: number
}
