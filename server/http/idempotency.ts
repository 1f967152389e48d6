import type { Context } from 'koa'
import type { App, Caller } from '../context.ts'
import { AppError } from '../errors.ts'
import { findKey } from '../store/accounts/idempotency-keys.ts'
import type { AnsweredKey } from '../store/accounts/idempotency-keys.ts'
import { keyedRequest, usedOtherwise } from './keyed-request.ts'
import type { KeyedRequest, RequestContent } from './keyed-request.ts'

/** The change that a request asks for. */
interface RequestedChange {
  /** @param keyOf makes the row that the transaction of the change inserts; undefined for a request without a key */
  carryOut(keyOf?: (answer: unknown) => AnsweredKey): Promise<object>
  /** Answers a repetition. @param answer the stored answer */
  repeat(answer: unknown): Promise<object>
}

/**
 * Carries out a change, but only once for all requests with the same `Idempotency-Key`. The transaction of the change stores the key
 * with the answer, so there is a key if and only if its change was made. Requests with the same key wait for one another, in this process
 * in turns. At another node the key's unique index, or a row of the change, has the second one wait: its change fails when the first one
 * is committed, and is rolled back, and the request is answered as a repetition.
 * @throws AppError `INVALID_REQUEST` for a malformed key, `CONFLICT` for the key of a different request
 */
export type CarryOutOnce = (ctx: Context, caller: Caller, content: RequestContent, change: RequestedChange) => Promise<object>

export function openIdempotency(app: App): CarryOutOnce {
  /** Resolved when the request with this key is answered. */
  const underWay = new Map<string, Promise<void>>()
  return async (ctx, caller, content, { carryOut, repeat }) => {
    const key = ctx.req.headers['idempotency-key']
    if (key === undefined) return carryOut()
    const request = keyedRequest(String(key), caller, content)
    while (underWay.has(request.name)) await underWay.get(request.name)
    const { promise, resolve: leave } = Promise.withResolvers<void>()
    underWay.set(request.name, promise)
    try {
      const find = () => findKey(app.db, request, app.clock.now())
      let row = await find()
      if (!row) {
        try {
          return await carryOut((answer) => rowOf(request, answer, app.clock.now()))
        } catch (error) {
          row = error instanceof AppError ? await find() : undefined
          if (!row) throw error
        }
      }
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

const rowOf = ({ accountId, mode, key, fingerprint }: KeyedRequest, answer: unknown, now: number): AnsweredKey => ({
  accountId, mode, key, fingerprint, answer: JSON.stringify(answer), createdAt: now,
})
