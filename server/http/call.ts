import type { Context } from 'koa'
import type { Caller } from '../context.ts'
import type { OperationId } from '../contract/operations.gen.ts'
import { methodNotAllowed, nothingFound } from '../errors.ts'
import { onAbort } from '../on-abort.ts'
import type { MatchedRequest } from './openapi-backend.ts'

declare module 'koa' {
  /** The fields of `ctx.state` that the pipeline sets for the middleware: logging and metrics read them. */
  interface DefaultState {
    /** The `X-Request-Id` of the answer; undefined only before `request-log.ts`. */
    requestId?: string
    /** Undefined when no operation has this path and method. */
    operationId?: OperationId
    /** The account of the key or session; undefined without a valid one. */
    accountId?: string
    /** Whether the status of the answer was requested with `X-Mayfly-Fault`. */
    isRequestedFault?: boolean
  }
}

/** A request of an operation, on its way through the steps of `pipeline.ts`. Each step reads and sets members. */
export interface Call {
  ctx: Context
  operationId: OperationId
  /** Its path, query and body. */
  request: MatchedRequest
  /** The holder of the key or session; undefined until it is looked up, and without a valid one. */
  caller: Caller | undefined
  /** The account of the caller, or the network of a request without a caller: limits and turns are those of the party. Set with the caller. */
  party: string
  /** The text of the body, from its reading to its parsing; undefined without a body. */
  bodyText: string | undefined
  /** The result of the handler; undefined until then. */
  reply: object | undefined
  /** Whether the transaction of the change has inserted the audit record. */
  isAudited: boolean
  /** Aborted when the caller goes away, or the server closes. */
  gone(): AbortSignal
  /** Ends the request's share of its account's turns; a second call does nothing. */
  endShare(): void
  /** Releases the memory of the body; undefined while it holds none. */
  releaseBody: (() => void) | undefined
}

/** A request whose path or method no operation has. */
export type UnmatchedCall = Pick<Call, 'ctx' | 'request' | 'caller'>

/** @throws AppError `NOT_FOUND`, or `METHOD_NOT_ALLOWED` for a known path */
export function refuseUnmatched({ ctx, request }: Pick<UnmatchedCall, 'ctx' | 'request'>): never {
  const allowed = request.allowedMethods.join(', ')
  if (!allowed) throw nothingFound('There is nothing at this path. /docs describes what there is.')
  ctx.set('Allow', allowed)
  throw methodNotAllowed(allowed)
}

/** @param closing aborted when the server closes */
export function openCall(ctx: Context, request: MatchedRequest, closing: AbortSignal): Call {
  let signal: AbortSignal | undefined
  return {
    ctx,
    operationId: request.operation!.operationId as OperationId,
    request,
    caller: undefined,
    party: '',
    bodyText: undefined,
    reply: undefined,
    isAudited: false,
    gone: () => signal ??= goneSignal(closing, ctx),
    endShare() {},
    releaseBody: undefined,
  }
}

export function endCall({ ctx, endShare, releaseBody }: Call) {
  endShare()
  if (releaseBody) whenRead(ctx.req, releaseBody)
}

/** A signal that aborts when the caller of a request disconnects, or the server closes. @param closing aborted when the server closes */
export function goneSignal(closing: AbortSignal, { req, res }: Context): AbortSignal {
  const gone = new AbortController()
  const abort = () => gone.abort()
  const stopListening = onAbort(closing, abort)
  const end = () => {
    stopListening()
    abort()
  }
  if (res.closed || req.socket.destroyed) end()
  else res.once('close', end)
  return gone.signal
}

/** Calls back when a request is read to its end, or closed. Reading the rest of a refused body costs as much as reading an accepted one. */
function whenRead(req: Context['req'], done: () => void) {
  if (req.complete || req.closed) done()
  else req.once('close', done)
}
