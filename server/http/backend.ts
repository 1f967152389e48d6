import { OpenAPIBackend } from 'openapi-backend'
import type { Handler, HandlerMap } from 'openapi-backend'
import type { OpenAPIV3_1 } from 'openapi-types'
import type { ApiOperation } from './matched-router.ts'
import type { Validation } from './validation.ts'

export type Backend = OpenAPIBackend<OpenAPIV3_1.Document>

/** The functions that openapi-backend calls for a request. */
export interface Steps {
  /** By the name of a security scheme. */
  securityHandlers: Record<string, Handler>
  /** By operationId, or by the name that openapi-backend gives to a step: `unauthorizedHandler`, `postSecurityHandler` … */
  handlers: HandlerMap
}

/**
 * Registers the handlers of the document's operations and security schemes. `handleRequest` of the result takes a MatchedRequest.
 * @throws Error for an operation without a handler, an operation without a security scheme, a security scheme without a handler, and a
 * handler without an operation
 */
export async function openBackend({ document, router, validator }: Validation, { securityHandlers, handlers }: Steps): Promise<Backend> {
  const backend = new OpenAPIBackend({ definition: document, quick: true, strict: true })
  await backend.init()
  backend.router = router
  backend.validator = validator // already compiled, and shared by servers, unlike the handlers
  backend.register(handlers)
  for (const [scheme, handler] of Object.entries(securityHandlers)) backend.registerSecurityHandler(scheme, handler)
  const faults = router.getOperations().flatMap((operation) => faultsOf(operation, backend))
  if (faults.length > 0) throw new Error(faults.join('; '))
  return backend
}

function faultsOf({ operationId, security }: ApiOperation, { handlers, securityHandlers }: Backend): string[] {
  const schemes = (security ?? []).map((requirement) => Object.keys(requirement))
  return [
    ...(handlers[operationId!] ? [] : [`${operationId} has no handler`]),
    ...(schemes.length === 0 || schemes.some((names) => names.length === 0) ? [`${operationId} can be called without a key`] : []),
    ...schemes.flat().filter((name) => !securityHandlers[name]).map((name) => `the security scheme ${name} of ${operationId} has no handler`),
  ]
}
