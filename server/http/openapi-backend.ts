import './lazy-packages.ts' // before openapi-backend
import { OpenAPIBackend, OpenAPIRouter } from 'openapi-backend'
import type { ErrorObject } from 'ajv'
import type { Handler, HandlerMap, OpenAPIValidator, Operation } from 'openapi-backend'
import type { OpenAPIV3_1 } from 'openapi-types'

export type ApiOperation = Operation<OpenAPIV3_1.Document>

export type Backend = OpenAPIBackend<OpenAPIV3_1.Document>

/** A document with its compiled schemas. It has no state of a server, so several servers can share it. */
export interface CompiledDocument {
  document: OpenAPIV3_1.Document
  router: MatchedRouter
  /** Checks path, query and body. */
  validator: OpenAPIValidator<OpenAPIV3_1.Document>
}

/** openapi-backend for a document that is an object and complete: the library would look for files and URLs in all of it. */
export class ObjectBackend extends OpenAPIBackend<OpenAPIV3_1.Document> {
  override async loadDocument(): Promise<OpenAPIV3_1.Document> {
    return this.document = this.inputDocument as OpenAPIV3_1.Document
  }
}

/** The functions that openapi-backend calls for a request. */
export interface BackendHandlers {
  /** By the name of a security scheme. */
  securityHandlers: Record<string, Handler>
  /** The operations that may be called without a key and without a session. */
  publicOperations: readonly string[]
  /** By operationId, or by the name that openapi-backend gives to a step: `unauthorizedHandler`, `postSecurityHandler` … */
  handlers: HandlerMap
}

/**
 * Registers the handlers of the document's operations and security schemes. `handleRequest` of the result takes a MatchedRequest.
 * @throws Error for an operation without a handler, an operation without a security scheme that is not public, a security scheme without a handler, and a
 * handler without an operation
 */
export async function openBackend(
  { document, router, validator }: CompiledDocument, { securityHandlers, publicOperations, handlers }: BackendHandlers,
): Promise<Backend> {
  const backend = new ObjectBackend({ definition: { ...document, paths: {} }, quick: true, strict: true })
  await backend.init()
  backend.router = router // has the paths, with their references resolved
  backend.validator = validator // already compiled, and shared by servers, unlike the handlers
  backend.register(handlers)
  for (const [scheme, handler] of Object.entries(securityHandlers)) backend.registerSecurityHandler(scheme, handler)
  const faults = router.getOperations().flatMap((operation) => faultsOf(operation, backend, publicOperations))
  if (faults.length > 0) throw new Error(faults.join('; '))
  return backend
}

function faultsOf(
  { operationId, security }: ApiOperation, { handlers, securityHandlers }: Backend, publicOperations: readonly string[],
): string[] {
  const schemes = (security ?? []).map((requirement) => Object.keys(requirement))
  const isPublic = publicOperations.includes(operationId!)
  return [
    ...(handlers[operationId!] ? [] : [`${operationId} has no handler`]),
    ...(!isPublic && schemes.length === 0 || schemes.some((names) => names.length === 0) ? [`${operationId} can be called without a key`] : []),
    ...schemes.flat().filter((name) => !securityHandlers[name]).map((name) => `the security scheme ${name} of ${operationId} has no handler`),
  ]
}

/** A request with its operation and its parts, as openapi-backend takes it and shows it to its handlers. */
export interface MatchedRequest {
  method: string
  path: string
  /** Undefined when no operation has this path and method. */
  operation: ApiOperation | undefined
  /** Methods of the operations at this path. */
  allowedMethods: string[]
  params: Record<string, string>
  /** The type is that of the library; integers and booleans are converted already (`query.ts`). */
  query: Record<string, string | string[]>
  /** Empty, so that the validator skips headers: each step checks the header that it reads. */
  headers: Record<string, string>
  cookies: Record<string, string>
  /** The parsed JSON; undefined until it is received, and without a body. */
  requestBody: unknown
}

/**
 * Takes the place of openapi-backend's router, for requests that @koa/router has matched already. The library's own compares a request
 * with the path of each operation, and parses it four times (`npm run bench:openapi`).
 */
export class MatchedRouter extends OpenAPIRouter<OpenAPIV3_1.Document> {
  private readonly operations = super.getOperations()

  override getOperations() {
    return this.operations
  }

  /** @throws Error whose first characters, 404 or 405, choose the handler `notFound` or `methodNotAllowed` */
  override matchOperation(request: object): ApiOperation {
    const { operation, allowedMethods } = request as MatchedRequest
    if (operation) return operation
    throw new Error(allowedMethods.length > 0 ? '405-methodNotAllowed' : '404-notFound')
  }

  override parseRequest(request: object): MatchedRequest {
    return request as MatchedRequest
  }
}

/**
 * Takes the place of the library's `validateRequest`, which takes each request apart to find its body, its media type and the members to
 * convert: a MatchedRequest has its parts.
 */
export const checkMatched = (
  validator: OpenAPIValidator<OpenAPIV3_1.Document>,
): typeof validator.validateRequest => (request, operation) => {
  const { params: path, query, headers: header, cookies: cookie, requestBody } = request as unknown as MatchedRequest
  const parts = { path, query, header, cookie, ...requestBody !== undefined && { requestBody } }
  const errors: ErrorObject[] = []
  for (const validate of validator.getRequestValidatorsForOperation((operation as ApiOperation).operationId!)) {
    if (!validate(parts)) errors.push(...validate.errors ?? [])
  }
  return { valid: errors.length === 0, errors: errors.length > 0 ? errors : null }
}
