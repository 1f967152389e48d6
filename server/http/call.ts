import type { Context } from 'koa'
import type { App, Caller } from '../context.ts'
import type { OperationId } from '../contract/operations.gen.ts'
import { onAbort } from '../on-abort.ts'
import type { RecordOfChange } from './audit.ts'
import type { MatchedRequest } from './matched-router.ts'

/** A request of an operation while it goes through the steps, and what it holds. */
export interface Call {
  ctx: Context
  request: MatchedRequest
  operationId: OperationId
  /** What the transaction of a change writes of it in the audit log; there from the first step on. */
  recordOfChange: RecordOfChange | undefined
  /** Whose key the request carries, once that is known. */
  caller: Caller | undefined
  /** Aborted when the caller goes away, or the server closes. */
  gone(): AbortSignal
  /** Ends the request's share of its account's turns; a second call does nothing. */
  endShare(): void
  /** Releases the memory of the body, if it has taken some. */
  releaseBody: (() => void) | undefined
}

export function openCall(app: App, ctx: Context, request: MatchedRequest): Call {
  let signal: AbortSignal | undefined
  return {
    ctx,
    request,
    operationId: request.operation!.operationId as OperationId,
    recordOfChange: undefined,
    caller: undefined,
    gone: () => signal ??= goneSignal(app, ctx),
    endShare() {},
    releaseBody: undefined,
  }
}

export function endCall({ ctx, endShare, releaseBody }: Call) {
  endShare()
  if (releaseBody) whenRead(ctx.req, releaseBody)
}

/** Calls back when a request is read to its end, or closed. Reading the rest of a refused body costs as much as reading an accepted one. */
function whenRead(req: Context['req'], done: () => void) {
  if (req.complete || req.closed) done()
  else req.once('close', done)
}

/** Aborted when the caller goes away or the server closes. */
function goneSignal(app: App, { req, res }: Context): AbortSignal {
  const gone = new AbortController()
  const abort = () => gone.abort()
  const stopListening = onAbort(app.closing, abort)
  const end = () => {
    stopListening()
    abort()
  }
  if (res.closed || req.socket.destroyed) end()
  else res.once('close', end)
  return gone.signal
}
