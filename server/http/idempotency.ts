import type { Context } from 'koa'
import type { App, Caller } from '../context.ts'
import { findKey } from '../store/idempotency-keys.ts'
import type { IdempotencyKeyRow } from '../store/idempotency-tables.ts'
import { keyedRequest, usedOtherwise } from './keyed-request.ts'
import type { Asked, KeyedRequest } from './keyed-request.ts'

/** The change that a request asks for. */
export interface AskedChange {
  /** @param keyOf makes the row that the transaction of the change inserts; undefined for a request without a key */
  carryOut(keyOf?: (answer: unknown) => IdempotencyKeyRow): Promise<object>
  /** Answers a repetition. @param answer that of the row */
  repeat(answer: unknown): Promise<object>
}

/**
 * Carries out a request with an `Idempotency-Key` once. The transaction of the change stores the key with the answer, so a key
 * is there exactly when its change is. Requests with the same key wait for one another.
 * @throws AppError `INVALID_REQUEST` for a malformed key, `CONFLICT` for one of another request
 */
export function openIdempotency(app: App): (ctx: Context, caller: Caller, asked: Asked, change: AskedChange) => Promise<object> {
  /** The requests that are being answered, by their keys. */
  const underWay = new Map<string, Promise<void>>()
  return async (ctx, caller, asked, { carryOut, repeat }) => {
    const key = ctx.req.headers['idempotency-key']
    if (key === undefined) return carryOut()
    const request = keyedRequest(String(key), caller, asked)
    while (underWay.has(request.name)) await underWay.get(request.name)
    const { promise, resolve: leave } = Promise.withResolvers<void>()
    underWay.set(request.name, promise)
    try {
      const row = await findKey(app.db, request, app.clock.now())
      if (!row) return await carryOut((answer) => rowOf(request, answer, app.clock.now()))
      if (row.fingerprint !== request.fingerprint) throw usedOtherwise()
      const reply = await repeat(JSON.parse(row.answer))
      ctx.set('Idempotency-Replayed', 'true')
      return reply
    } finally {
      underWay.delete(request.name)
      leave()
    }
  }
}

const rowOf = ({ accountId, mode, key, fingerprint }: KeyedRequest, answer: unknown, now: number): IdempotencyKeyRow => ({
  account_id: accountId, mode, key, fingerprint, answer: JSON.stringify(answer), created_at: now,
})
