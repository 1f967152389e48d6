import type { ErrorObject } from 'ajv'
import type { OpenAPIV3_1 } from 'openapi-types'
import type { OperationId } from '../contract/operations.gen.ts'
import type { AppError, ErrorDetail } from '../errors.ts'
import { openBackend } from './backend.ts'
import type { ApiOperation, Backend } from './backend.ts'
import { invalidMembers, toDetail } from './invalid-members.ts'
import { queryParameters, queryReader } from './query.ts'
import { oversized, undecodableQuery, unstorableText } from './value-checks.ts'
import type { SizeSchema } from './value-checks.ts'

/** The parts of a request that the document describes. */
export interface RequestParts {
  path: Record<string, string>
  /** Integers and booleans are converted. */
  query: Record<string, unknown>
  /** The parsed JSON; undefined without a body. */
  body: unknown
}

interface KnownOperation {
  operation: ApiOperation
  sizes: SizeSchema
  readQuery: ReturnType<typeof queryReader>
}

/** The checks of requests and answers against the document, beside those of openapi-backend. */
export class Validation {
  readonly backend: Backend
  readonly #operations = new Map<string, KnownOperation>()

  constructor(backend: Backend) {
    this.backend = backend
    for (const operation of backend.getOperations()) {
      const parameters = queryParameters(operation)
      const { content } = (operation.requestBody ?? {}) as Partial<OpenAPIV3_1.RequestBodyObject>
      const sizes = {
        properties: {
          query: { properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema as SizeSchema])) },
          body: (content?.['application/json']?.schema ?? {}) as SizeSchema,
        },
      }
      this.#operations.set(operation.operationId!, { operation, sizes, readQuery: queryReader(parameters) })
    }
  }

  /** Parses a query string, and converts its members to the types of their parameters. */
  readQuery(operationId: OperationId, querystring: string): Record<string, unknown> {
    return this.#operations.get(operationId)!.readQuery(querystring)
  }

  /** Whether the operation has a request body; the body of a request to any other is not read. */
  takesBody(operationId: OperationId): boolean {
    return this.#operations.get(operationId)!.operation.requestBody !== undefined
  }

  /**
   * Checks lengths alone, before the validator looks at patterns and formats.
   * @throws AppError `INVALID_REQUEST` naming every member that is too long
   */
  checkSizes(operationId: OperationId, { query, body }: RequestParts): void {
    refuse(oversized(this.#operations.get(operationId)!.sizes, { query, body }, ''))
  }

  /**
   * Checks the characters of all text of a valid request.
   * @param querystring the query as it came
   * @throws AppError `INVALID_REQUEST` naming every member with text that cannot be stored, or a query that is not UTF-8
   */
  checkText({ path, query, body }: RequestParts, querystring: string): void {
    refuse([...undecodableQuery(querystring), ...unstorableText({ path, query, body }, '')])
  }

  /**
   * Converts errors of Ajv to `INVALID_REQUEST` naming every member at fault. Removes them from the validators, which would keep the
   * request in memory.
   */
  toError(operationId: OperationId, errors: ErrorObject[]): AppError {
    for (const validate of this.backend.validator.getRequestValidatorsForOperation(operationId)) validate.errors = null
    return invalidMembers(errors.map(toDetail))
  }

  /** Compares an answer with the document. @returns the differences */
  faultsOfReply(operationId: OperationId, status: number, body: unknown): string[] {
    const { operation } = this.#operations.get(operationId)!
    if (!operation.responses?.[status]) return ['is not described']
    const { errors } = this.backend.validator.validateResponse(body, operation, status)
    return (errors ?? []).map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`)
  }
}

/** By document: the schemas of an operation are compiled with its first request, for all servers of the process. */
const opened = new WeakMap<OpenAPIV3_1.Document, Promise<Validation>>()

export function openValidation(document: OpenAPIV3_1.Document): Promise<Validation> {
  const known = opened.get(document) ?? openBackend(document).then((backend) => new Validation(backend))
  opened.set(document, known)
  return known
}

/** @throws AppError `INVALID_REQUEST` when something was found */
function refuse(found: ErrorDetail[]) {
  if (found.length > 0) throw invalidMembers(found)
}
