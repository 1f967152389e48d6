import type { ErrorObject } from 'ajv'
import type { Context } from 'koa'
import type { Request } from 'openapi-backend'
import type { Caller } from '../../context.ts'
import { operations } from '../../contract/operations.gen.ts'
import type { OperationId } from '../../contract/operations.gen.ts'
import { onAbort } from '../../deadline.ts'
import { methodNotAllowed, nothingFound } from '../../errors.ts'
import { operationsAt } from './backend.ts'
import type { ApiOperation, Scheme, Steps } from './backend.ts'
import { parseBody, sizeOfBody } from './body.ts'
import type { RequestParts, Validation } from './validation.ts'

declare module 'koa' {
  /** The fields of `ctx.state` that a call sets for the middleware: logging and metrics read them. */
  interface DefaultState {
    /** The `X-Request-Id` of the answer; undefined only before `wire/middleware.ts`. */
    requestId?: string
    /** Undefined when no operation has this path and method. */
    operationId?: OperationId
    /** The account of the key or session; undefined without a valid one. */
    accountId?: string
    /** Whether the status of the answer was requested with `X-Mayfly-Fault`. */
    isRequestedFault?: boolean
  }
}

/** A request of an operation: the steps that follow from the document alone, for the server and the mock. */
export abstract class Call implements Steps, RequestParts {
  readonly ctx: Context
  readonly request: Request
  readonly validation: Validation
  /** Set by `match`. */
  operationId!: OperationId
  path: Record<string, string> = {}
  query: Record<string, unknown> = {}
  /** Set by `takeBody`. */
  body: unknown = undefined

  constructor(validation: Validation, ctx: Context) {
    this.validation = validation
    this.ctx = ctx
    // headers are left out: the code that reads one of them checks it
    this.request = { method: ctx.method, path: decodable(ctx.path), headers: {} }
  }

  match({ operationId }: ApiOperation, params: Record<string, string>): void {
    this.operationId = this.ctx.state.operationId = operationId as OperationId
    this.path = params
    this.query = this.validation.readQuery(this.operationId, this.ctx.querystring)
    this.request.query = this.query as Request['query'] & object
  }

  abstract findCaller(scheme: Scheme): Promise<Caller | undefined>
  abstract receive(caller: Caller | undefined): Promise<void>

  /** Maximum bytes of the body; undefined when there is none, or the operation takes none. */
  protected bytesOfBody(): number | undefined {
    return this.validation.takesBody(this.operationId) ? sizeOfBody(this.ctx) : undefined
  }

  /** @param text of the body; undefined without one @throws AppError `INVALID_REQUEST` */
  protected takeBody(text: string | undefined): void {
    if (text !== undefined) this.request.body = this.body = parseBody(text)
    this.validation.checkSizes(this.operationId, this)
  }

  refuse(errors: ErrorObject[]): never {
    throw this.validation.toError(this.operationId, errors)
  }

  check(): void {
    this.validation.checkText(this, this.ctx)
  }

  abstract carryOut(): Promise<object>
  abstract answer(reply: object): void

  async refuseUnmatched(): Promise<never> {
    const allowed = operationsAt(this.ctx.path).map((id) => operations[id].method.toUpperCase()).join(', ')
    if (!allowed) throw nothingFound('There is nothing at this path. /docs describes what there is.')
    this.ctx.set('Allow', allowed)
    throw methodNotAllowed(allowed)
  }
}

/** A malformed escape stands for itself, as in @koa/router: the library throws for it. */
function decodable(path: string): string {
  try {
    decodeURIComponent(path)
    return path
  } catch {
    return path.replaceAll('%', '%25')
  }
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
