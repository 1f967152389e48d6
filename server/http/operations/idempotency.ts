import { createHash } from 'node:crypto'
import type { Context } from 'koa'
import type { App, Caller } from '../../context.ts'
import { operations } from '../../contract/operations.gen.ts'
import type { OperationId } from '../../contract/operations.gen.ts'
import { AppError, conflict, invalidRequest } from '../../errors.ts'
import { findKey } from '../../store/accounts/idempotency-keys.ts'
import type { AnsweredKey, KeyOf } from '../../store/accounts/idempotency-keys.ts'

/** The change that a request asks for. */
interface RequestedChange {
  /** @param answeredKeyOf makes the row that the transaction of the change inserts; undefined for a request without a key */
  carryOut(answeredKeyOf?: (answer: unknown) => AnsweredKey): Promise<object>
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

const header = 'Idempotency-Key'

/** The parts of a valid request that decide whether another request is the same. */
interface RequestContent {
  operationId: OperationId
  path: object
  query: object
  body: unknown
}

/** A request with an `Idempotency-Key`. */
interface KeyedRequest extends KeyOf {
  /** The key with its account and mode. */
  name: string
  /** SHA-256 of the content. */
  fingerprint: string
}

/** @throws AppError `INVALID_REQUEST` for a malformed key */
export function keyedRequest(
  given: string, { accountId, mode, bound, apiKeyId }: Caller, { operationId, path, query, body }: RequestContent,
): KeyedRequest {
  if (!/^[!-~]{1,255}$/.test(given)) {
    throw invalidRequest(`header.${header}`, 'must be 1 to 255 visible ASCII characters, such as a UUID')
  }
  const { method, path: template } = operations[operationId]
  const fingerprint = createHash('sha256').update(canonical([method, template, path, query, body ?? null])).digest('hex')
  const key = bound ? `${given} ${apiKeyId}` : given // a key with bounds sees no answer to another key
  return { accountId, mode, key, name: `${accountId} ${mode} ${key}`, fingerprint }
}

/** JSON that is the same for the same members, whatever their order. */
const canonical = (value: unknown) => JSON.stringify(value, (_name, member: unknown) =>
  member !== null && typeof member === 'object' && !Array.isArray(member)
    ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => a < b ? -1 : 1))
    : member)

export const usedOtherwise = () =>
  conflict(`This ${header} was used for another request. Choose a new one for each change.`)

export const answerGone = () => conflict(
  `The first request with this ${header} was carried out, but its answer is gone. Look at what is there now; nothing was changed again.`)
