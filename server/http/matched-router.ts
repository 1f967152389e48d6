import { OpenAPIRouter } from 'openapi-backend'
import type { Operation } from 'openapi-backend'
import type { OpenAPIV3_1 } from 'openapi-types'

export type ApiOperation = Operation<OpenAPIV3_1.Document>

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
