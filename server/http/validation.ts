import { Ajv2020 } from 'ajv/dist/2020.js'
import type { AnySchema, ErrorObject } from 'ajv'
import addFormats from 'ajv-formats'
import type { OpenAPIV3_1 } from 'openapi-types'
import type { OperationId } from '../contract/operations.gen.ts'
import type { AppError, ErrorDetail } from '../errors.ts'
import { invalidMembers, maxErrors, toDetail } from './invalid-members.ts'
import { checkMatched, MatchedRouter, ObjectBackend } from './openapi-backend.ts'
import type { ApiOperation, CompiledDocument, MatchedRequest } from './openapi-backend.ts'
import { queryParameters } from './query.ts'
import { uuid } from './uuids.ts'
import { oversized, undecodableQuery, unstorableText } from './value-checks.ts'
import type { SizeSchema } from './value-checks.ts'

/** The checks of requests and answers against the document. */
export interface Validation extends CompiledDocument {
  /** Whether the operation has a request body; the body of a request to any other is not read. */
  takesBody(operationId: OperationId): boolean
  /**
   * Checks lengths alone, before the validator looks at patterns and formats.
   * @throws AppError `INVALID_REQUEST` naming every member that is too long
   */
  checkSizes(operationId: OperationId, request: MatchedRequest): void
  /**
   * Compares a request with the document, as openapi-backend does for the server.
   * @throws AppError `INVALID_REQUEST` naming every member at fault
   */
  check(operationId: OperationId, request: MatchedRequest): void
  /**
   * Checks the characters of all text of a valid request.
   * @param querystring the query as it came
   * @throws AppError `INVALID_REQUEST` naming every member with text that cannot be stored, or a query that is not UTF-8
   */
  checkText(request: MatchedRequest, querystring: string): void
  /** Converts the errors of the validator to `INVALID_REQUEST` naming every member at fault, and removes them from the validator. */
  toError(operationId: OperationId, errors: ErrorObject[]): AppError
  /** Compares an answer with the document. @returns the differences */
  reply(operationId: OperationId, status: number, body: unknown): string[]
}

/** By document: compiling takes longer than the rest of a server's start. */
const compiled = new WeakMap<OpenAPIV3_1.Document, Promise<Validation>>()

/** The document, compiled once in the process. */
export function openValidation(document: OpenAPIV3_1.Document): Promise<Validation> {
  const known = compiled.get(document) ?? compile(document)
  compiled.set(document, known)
  return known
}

/** Resolves the references of the document. The schemas of an operation are compiled when they are first used. */
async function compile(document: OpenAPIV3_1.Document): Promise<Validation> {
  const { definition, validator } = await new ObjectBackend({
    definition: document,
    quick: true,
    strict: true,
    customizeAjv: () => sharedAjv(),
  }).init()
  const router = validator.router = new MatchedRouter({ definition })
  validator.validateRequest = checkMatched(validator)
  const operations = new Map(router.getOperations().map((operation) => [operation.operationId as OperationId, operation]))
  const sizes = new Map([...operations].map(([operationId, operation]) => [operationId, sizesOf(operation)]))

  function toError(operationId: OperationId, errors: ErrorObject[]) {
    for (const validate of validator.getRequestValidatorsForOperation(operationId)) validate.errors = null
    return invalidMembers(errors.map(toDetail))
  }

  return {
    document,
    router,
    validator,
    takesBody: (operationId) => operations.get(operationId)!.requestBody !== undefined,
    checkSizes(operationId, request) {
      refuse(oversized(sizes.get(operationId)!, request, ''))
    },
    check(operationId, request) {
      const { errors } = validator.validateRequest(request, operations.get(operationId))
      if (errors) throw toError(operationId, errors)
    },
    checkText({ params, query, requestBody }, querystring) {
      refuse([...undecodableQuery(querystring), ...unstorableText({ path: params, query, requestBody }, '')])
    },
    toError,
    reply: (operationId, status, body) => faultsOf(validator, operations.get(operationId)!, status, body),
  }
}

/** The size limits of a request's query and body, from the document. */
function sizesOf(operation: ApiOperation): SizeSchema {
  const { content } = (operation.requestBody ?? {}) as Partial<OpenAPIV3_1.RequestBodyObject>
  return {
    properties: {
      query: { properties: Object.fromEntries(queryParameters(operation).map(({ name, schema }) => [name, schema as SizeSchema])) },
      requestBody: (content?.['application/json']?.schema ?? {}) as SizeSchema,
    },
  }
}

let ajv: Ajv2020 | undefined

/** Shared by all requests and replies: building an Ajv costs more than compiling a schema with it. */
function sharedAjv() {
  if (ajv) return ajv
  ajv = new Ajv2020({
    strict: false, allErrors: true, verbose: true, formats: { binary: true, password: true },
    meta: false, validateSchema: false, // `npm run check` validates the document; to compile the meta-schema takes as long as 20 operations
  })
  addFormats.default(ajv)
  ajv.addFormat('uuid', uuid) // the package's takes urn:uuid: too
  keepFewErrors(ajv)
  return ajv
}

/** A reply can have more errors than a function call can have arguments. */
function keepFewErrors(ajv: Ajv2020) {
  const compile = ajv.compile.bind(ajv)
  ajv.compile = (schema: AnySchema) => {
    const validate = compile(schema)
    const limited = Object.assign((data: unknown) => {
      const isValid = validate(data)
      limited.errors = isValid ? null : takeErrors(validate)
      return isValid
    }, { errors: null as ErrorObject[] | null })
    return limited as never
  }
}

/** Removes the errors from a validator, which would otherwise keep them in memory with the data that they refer to. */
function takeErrors(validate: { errors?: ErrorObject[] | null }): ErrorObject[] {
  const errors = validate.errors?.slice(0, maxErrors) ?? []
  validate.errors = null
  return errors
}

/** @throws AppError `INVALID_REQUEST` when something was found */
function refuse(found: ErrorDetail[]) {
  if (found.length > 0) throw invalidMembers(found)
}

function faultsOf(validator: Validation['validator'], operation: ApiOperation, status: number, body: unknown): string[] {
  const described = operation.responses?.[status]
  if (!described) return ['is not described']
  const { errors } = validator.validateResponse(body, operation, status)
  return (errors ?? []).map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`)
}
