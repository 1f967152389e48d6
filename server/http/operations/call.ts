import type { ErrorObject } from 'ajv'
import addFormats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Context } from 'koa'
import { OpenAPIBackend } from 'openapi-backend'
import type { Request, Context as Step } from 'openapi-backend'
import type { OpenAPIV3_1 } from 'openapi-types'
import type { Caller } from '../../context.ts'
import { operations } from '../../contract/operations.gen.ts'
import type { OperationId } from '../../contract/operations.gen.ts'
import { onAbort } from '../../deadline.ts'
import { dialectHeader, dialectHeaderName, dialects } from '../../dialects/dialects.ts'
import type { Dialect, DialectName } from '../../dialects/dialects.ts'
import { invalidRequest, methodNotAllowed, nothingFound, originNotAllowed } from '../../errors.ts'
import { readIds, uuid, withoutPrefixes } from '../../ids.ts'
import { maxBytesOf, parseBody, readBody, sizeOfBody } from './body.ts'
import { Validation } from './validation.ts'
import type { ApiOperation, Backend, RequestParts } from './validation.ts'

/** The security schemes of the document. */
export type Scheme = 'apiKey' | 'session' | 'share'

declare module 'koa' {
  /** The fields of `ctx.state` that a call sets for the middleware: logging and metrics read them. */
  interface DefaultState {
    /** The `X-Request-Id` of the answer; undefined only before `wire/middleware.ts`. */
    requestId?: string
    /** Undefined when no operation has this path and method. */
    operationId?: OperationId
    /** The account of the key, session or share link; undefined without a valid one. */
    accountId?: string
    /** When the key of the request ended, in milliseconds since 1970; undefined for any other. */
    keyEndedAt?: number
    /** That of the key, then that of the request; undefined before the key is known. */
    dialect?: DialectName
    /** Whether the status of the answer was requested with `X-Mayfly-Fault`. */
    isRequestedFault?: boolean
    /** Whether a part of the service was unavailable, or the account is held for its move. */
    isUnavailable?: boolean
    /** The origin of a page that was refused because `MAYFLY_CORS_ORIGINS` does not name it. */
    refusedOrigin?: string
  }
}

/** The parts that the calls of a server, or of a mock, share. */
export interface CallServer {
  validation: Validation
  /** @returns the holder of a valid key or session; undefined for a request that has none */
  authenticate(ctx: Context, scheme: Scheme): Promise<Caller | undefined>
}

/**
 * A request on its way through openapi-backend (docs/decisions/0001), which calls its methods in this order; each may throw to end it. The
 * steps that follow from the document alone are here, for the server and the mock.
 */
export abstract class Call<Server extends CallServer = CallServer> implements RequestParts {
  readonly server: Server
  readonly ctx: Context
  /** As the library takes it: without headers, since the code that reads one of them checks it. */
  readonly request: Request
  /** Set by `match`, as the path and the query. */
  operationId!: OperationId
  path: Record<string, string> = {}
  query: Record<string, unknown> = {}
  /** Whether the operation has a request body; the body of a request to any other is not read. */
  takesBody = false
  /** Set by `takeBody`. */
  body: unknown = undefined
  /** Whether there is more than a path, whose members are UUIDs. */
  hasText: boolean
  /** Undefined for the primary one. Set by `readDialect`, as the checks of its document. */
  dialect: Dialect | undefined = undefined
  #validation: Validation

  constructor(server: Server, ctx: Context) {
    this.server = server
    this.ctx = ctx
    this.#validation = server.validation
    this.hasText = ctx.querystring !== ''
    const path = ctx.path.includes('_') ? withoutPrefixes(ctx.path) : ctx.path
    this.request = { method: ctx.method, path: path.includes('%') ? decodable(path) : path, headers: {}, query: {} }
  }

  /** Counts the request, checks what its caller may do, and receives its body. */
  abstract receive(caller: Caller | undefined): Promise<void>

  /**
   * Finds the dialect of the request: that of its header, else that of its key.
   * @returns its name
   * @throws AppError `INVALID_REQUEST`
   */
  protected async readDialect(ofKey: DialectName = 'primary'): Promise<DialectName> {
    const name = (this.ctx.req.headers[dialectHeaderName] ?? ofKey) as DialectName
    if (!Object.hasOwn(dialects, name)) throw invalidRequest(`header.${dialectHeader}`, `must be one of ${Object.keys(dialects).sort().join(', ')}`)
    this.dialect = dialects[name]
    if (this.dialect) this.#validation = await validationOf(this.dialect)
    return this.ctx.state.dialect = name
  }

  /** Maximum bytes of the body; undefined when there is none, or the operation takes none. */
  protected bytesOfBody(): number | undefined {
    return this.takesBody ? sizeOfBody(this.ctx, maxBytesOf(this.operationId)) : undefined
  }

  protected readText(): Promise<string> {
    return readBody(this.ctx, maxBytesOf(this.operationId))
  }

  /** Parses the body, and checks lengths. @param text of the body; undefined without one @throws AppError `INVALID_REQUEST` */
  protected takeBody(text: string | undefined): void {
    if (text !== undefined) {
      this.request.body = this.body = parseBody(text)
      readIds(this.body as Record<string, unknown>)
      this.hasText = true
    }
    this.#validation.checkSizes(this.operationId, this)
  }

  /** A request that does not fit the document. */
  refuse(errors: ErrorObject[]): never {
    throw this.#validation.toError(this.operationId, errors)
  }

  /** Checks the text of a request that fits the document. */
  check(): void {
    this.#validation.checkText(this, this.ctx.querystring)
  }

  /** Carries out a request of another dialect, after the checks of its document. */
  carryOutInDialect({ toPrimary }: Dialect): Promise<object> {
    const { errors } = this.#validation.backend.validator.validateRequest(this.request, this.operationId)
    if (errors) this.refuse(errors)
    this.check()
    Object.assign(this, toPrimary[this.operationId]?.(this))
    return this.carryOut()
  }

  abstract carryOut(): Promise<object>
  abstract answer(reply: object): void | Promise<void>

  /** A request whose path or method no operation has. */
  async refuseUnmatched(): Promise<never> {
    const allowed = operationsAt(this.ctx.path).map((id) => operations[id].method.toUpperCase()).join(', ')
    if (!allowed) throw nothingFound('There is nothing at this path. /docs describes what there is.')
    this.ctx.set('Allow', allowed)
    const { method, req: { headers: { origin, 'access-control-request-method': wanted } } } = this.ctx
    if (method !== 'OPTIONS' || origin === undefined || wanted === undefined) throw methodNotAllowed(allowed)
    this.ctx.state.refusedOrigin = origin
    throw originNotAllowed()
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

/** By document: the schemas of an operation are compiled with its first request, for all servers of the process. */
const opened = new WeakMap<OpenAPIV3_1.Document, Promise<Validation>>()

/** Opens the checks of a document, and the library that calls them: the last argument of `backend.handleRequest` is the `Call`. */
export function openValidation(document: OpenAPIV3_1.Document): Promise<Validation> {
  const known = opened.get(document) ?? openBackend(document).then((backend) => new Validation(backend))
  opened.set(document, known)
  return known
}

const ofDialects = new WeakMap<Dialect, Promise<Validation>>()

/** Opens the checks of a dialect's document with its first request: a server without one does not read it. */
function validationOf(dialect: Dialect): Promise<Validation> {
  const known = ofDialects.get(dialect) ?? openValidation(dialect.document())
  ofDialects.set(dialect, known)
  return known
}

interface Matched {
  operation?: { operationId?: string, requestBody?: unknown }
  request: { params: unknown }
}

/** Sets the operation of a call, if there is one, with its parameters. */
export function match({ operation, request: { params } }: Matched, call: Call): void {
  if (!operation) return
  call.operationId = call.ctx.state.operationId = operation.operationId as OperationId
  call.path = params as Record<string, string>
  readIds(call.path)
  call.takesBody = operation.requestBody !== undefined
  if (!call.hasText) return
  call.query = call.server.validation.readQuery(call.operationId, call.ctx.querystring)
  readIds(call.query)
  call.request.query = call.query as Request['query'] & object
}

async function openBackend(document: OpenAPIV3_1.Document): Promise<Backend> {
  const findCaller = (scheme: Scheme) => (_step: Step, { server, ctx }: Call) => server.authenticate(ctx, scheme)
  const refuseUnmatched = (_step: Step, call: Call) => call.refuseUnmatched()
  const backend = await new OpenAPIBackend<OpenAPIV3_1.Document>({
    definition: document,
    quick: true, // `npm run check` validates the document
    strict: true,
    ignoreTrailingSlashes: false,
    customizeAjv: newAjv,
    securityHandlers: { apiKey: findCaller('apiKey'), session: findCaller('session'), share: findCaller('share') },
    handlers: {
      postRoutingHandler: match,
      postSecurityHandler({ security: { apiKey, session, share } }: Step, call: Call) {
        // an error of the database
        for (const result of [apiKey, session, share] as ({ error?: unknown } | undefined)[]) if (result?.error) throw result.error
        return call.receive((apiKey ?? session ?? share) as Caller | undefined)
      },
      validationFail({ validation: { errors } }: Step, call: Call) {
        if (!call.dialect) return call.refuse(errors ?? [])
        call.server.validation.forgetErrors(call.operationId) // it has to fit the document of its own dialect
        return call.carryOutInDialect(call.dialect)
      },
      postResponseHandler: ({ response }: Step, call: Call) => call.answer(response as object),
      notFound: refuseUnmatched,
      methodNotAllowed: refuseUnmatched,
    },
  }).init()
  const documented = backend.getOperations()
  for (const { operationId } of documented) {
    backend.register(operationId!, (_step: Step, call: Call) => {
      if (call.dialect) return call.carryOutInDialect(call.dialect)
      if (call.hasText) call.check()
      return call.carryOut()
    })
  }
  backend.router.matchOperation = matchByTable(documented)
  return backend
}

function newAjv() {
  const ajv = new Ajv2020({
    strict: false, allErrors: true, verbose: true, formats: { binary: true, password: true },
    meta: false, validateSchema: false, // to compile the meta-schema takes as long as 20 operations
  })
  addFormats.default(ajv)
  return ajv.addFormat('uuid', uuid) // the package's takes urn:uuid: too
}

/**
 * Finds operations by their table, in place of the library's comparison with the path of each operation by a new regular expression
 * (`npm run bench -- openapi`).
 * @returns a function that throws an Error whose first characters, 404 or 405, choose the handler
 */
function matchByTable(documented: ApiOperation[]): Backend['router']['matchOperation'] {
  const byId = new Map(documented.map((operation) => [operation.operationId, operation]))
  return ({ path, method }: Request) => {
    const known = operationsAt(path)
    for (const id of known) if (operations[id].method === method.toLowerCase()) return byId.get(id)!
    throw new Error(known.length > 0 ? '405-methodNotAllowed' : '404-notFound')
  }
}

/** All operations, those whose path has no parameter first: `/emails/{id}` also matches the path of `/emails/wait`. */
export const operationIds: readonly OperationId[] = (Object.keys(operations) as OperationId[])
  .sort((a, b) => Number(hasParameter(a)) - Number(hasParameter(b)))

function hasParameter(operationId: OperationId) {
  return operations[operationId].path.includes('{')
}

/** Matches the paths of an operation. */
const patternOf = (operationId: OperationId) =>
  new RegExp(`^${operations[operationId].path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`)

const patterns = operationIds.map((operationId) => ({ operationId, pattern: patternOf(operationId) }))
/** By the paths without a parameter, which most requests have. */
const atFixedPaths = new Map<string, OperationId[]>()
for (const id of operationIds) if (!hasParameter(id)) atFixedPaths.set(operations[id].path, operationsAt(operations[id].path))

/** The operations at the path of a request, those whose path has no parameter first. */
export function operationsAt(path: string): OperationId[] {
  const known = atFixedPaths.get(path)
  if (known) return known
  const found: OperationId[] = []
  for (const { operationId, pattern } of patterns) if (pattern.test(path)) found.push(operationId)
  return found
}
