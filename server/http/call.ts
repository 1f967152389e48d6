import type { Context } from 'koa'
import type { App, Caller } from '../context.ts'
import type { OperationId } from '../contract/operations.gen.ts'
import { goneSignal } from './gone.ts'
import type { MatchedRequest } from './matched-router.ts'

/** A request of an operation while it goes through the steps (`steps.ts`). */
export interface Call {
  ctx: Context
  request: MatchedRequest
  operationId: OperationId
  /** The holder of the key; undefined until it is looked up, and without a valid key. */
  caller: Caller | undefined
  /** Aborted when the caller goes away, or the server closes. */
  gone(): AbortSignal
  /** Ends the request's share of its account's turns; a second call does nothing. */
  endShare(): void
  /** Releases the memory of the body; undefined while it holds none. */
  releaseBody: (() => void) | undefined
}

/** A request whose path or method no operation has. */
export type UnmatchedCall = Pick<Call, 'ctx' | 'request'>

export function openCall(app: App, ctx: Context, request: MatchedRequest): Call {
  let signal: AbortSignal | undefined
  return {
    ctx,
    request,
    operationId: request.operation!.operationId as OperationId,
    caller: undefined,
    gone: () => signal ??= goneSignal(app.closing, ctx),
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
