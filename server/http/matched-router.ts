import { OpenAPIRouter } from 'openapi-backend'
import type { Operation } from 'openapi-backend'
import type { OpenAPIV3_1 } from 'openapi-types'

export type ApiOperation = Operation<OpenAPIV3_1.Document>

/** A request with its operation and its parts, as openapi-backend takes it and shows it to its handlers. */
export interface MatchedRequest {
  method: string
  path: string
  /** undefined when no operation has this path and method */
  operation: ApiOperation | undefined
  /** Methods of the operations at this path. */
  allowedMethods: string[]
  params: Record<string, string>
  /** The library's type; in fact numbers and booleans of the document are such already (`http/query`). */
  query: Record<string, string | string[]>
  /** Not validated: the steps that read a header check it, and name it as it is written in the document. */
  headers: Record<string, string>
  cookies: Record<string, string>
  /** The parsed JSON; undefined until it is received, and without a body. */
  requestBody: unknown
}

/**
 * The router of openapi-backend for requests that @koa/router has matched. The library's own compares a request with the path of each
 * operation, and parses its parts four times; `npm run bench:openapi` measures both.
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
