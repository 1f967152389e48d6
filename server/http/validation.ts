import { Ajv2020 } from 'ajv/dist/2020.js'
import type { AnySchemaObject, AnySchema, ErrorObject } from 'ajv'
import addFormats from 'ajv-formats'
import type { Context } from 'koa'
import { OpenAPIBackend } from 'openapi-backend'
import type { Operation, OpenAPIValidator } from 'openapi-backend'
import type { OpenAPIV3_1 } from 'openapi-types'
import type { OperationId } from '../contract/operations.gen.ts'
import { AppError } from '../errors.ts'
import type { ErrorDetail } from '../errors.ts'
import { queryReader } from './query.ts'
import { oversized } from './size-check.ts'
import type { SizeSchema } from './size-check.ts'
import { unstorableText } from './text-check.ts'

export interface Validation {
  /** Whether the document gives the operation a body; others do not look at one. */
  takesBody(operationId: OperationId): boolean
  /**
   * Checks path, query and body, and gives query members the types of the document, ids their lower case.
   * @throws AppError `INVALID_REQUEST` naming every member at fault
   */
  request(operationId: OperationId, ctx: Context, body: unknown): { path: unknown, query: unknown }
  /** What is wrong with an answer; empty when the document describes it. */
  reply(operationId: OperationId, status: number, body: unknown): string[]
}

/** Compiles the document's schemas, once. */
export async function openValidation(document: OpenAPIV3_1.Document): Promise<Validation> {
  const backend = new OpenAPIBackend({
    definition: document,
    quick: true,
    strict: true,
    customizeAjv: () => sharedAjv(),
  })
  await backend.init()
  const { validator } = backend
  validator.preCompileRequestValidators()
  const operations = new Map(backend.router.getOperations().map((operation) => [operation.operationId as OperationId, operation]))

  // the validator's own way in parses path, query, headers and cookies again, for ten times the cost of checking them
  const checks = new Map([...operations].map(([operationId, operation]) => [operationId, {
    readQuery: queryReader(queryOf(operation)),
    sizes: sizesOf(operation),
    validators: validator.getRequestValidatorsForOperation(operationId) ?? [],
  }]))

  return {
    takesBody: (operationId) => operations.get(operationId)!.requestBody !== undefined,
    request(operationId, ctx, body) {
      const { readQuery, sizes, validators } = checks.get(operationId)!
      const parts = { path: ctx['params'] as object, query: readQuery(ctx.querystring), requestBody: body }
      refuse(oversized(sizes, parts, ''))
      refuse(validators.flatMap((validate) => validate(parts) ? [] : takeErrors(validate)).map(toDetail))
      refuse(unstorableText(parts, ''))
      return { path: withPlainIds(parts.path), query: withPlainIds(parts.query) }
    },
    reply: (operationId, status, body) => faultsOf(validator, operations.get(operationId)!, status, body),
  }
}

export const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

const queryOf = ({ parameters = [] }: Operation) =>
  (parameters as OpenAPIV3_1.ParameterObject[]).filter((parameter) => parameter.in === 'query')

/** The size limits of a request's query and body, from the document. */
function sizesOf(operation: Operation): SizeSchema {
  const { content } = (operation.requestBody ?? {}) as Partial<OpenAPIV3_1.RequestBodyObject>
  return {
    properties: {
      query: { properties: Object.fromEntries(queryOf(operation).map(({ name, schema }) => [name, schema as SizeSchema])) },
      requestBody: (content?.['application/json']?.schema ?? {}) as SizeSchema,
    },
  }
}

/** UUIDs are read in any case and stored in lower case (RFC 9562, section 4). */
function withPlainIds(parts: object): object {
  const members = parts as Record<string, unknown>
  for (const name in members) {
    const value = members[name]
    if (typeof value === 'string' && uuid.test(value)) members[name] = value.toLowerCase()
  }
  return members
}

let ajv: Ajv2020 | undefined

/** One for all requests and replies: building an Ajv costs more than compiling a schema with it. */
function sharedAjv() {
  if (ajv) return ajv
  ajv = new Ajv2020({ strict: false, allErrors: true, verbose: true, formats: { binary: true, password: true } })
  addFormats.default(ajv)
  ajv.addFormat('uuid', uuid) // the package's takes urn:uuid: too
  keepFewErrors(ajv)
  return ajv
}

/** Maximum errors that one response lists. */
const maxErrors = 20

/** A reply can have more errors than a function call can have arguments. */
function keepFewErrors(ajv: Ajv2020) {
  const compile = ajv.compile.bind(ajv)
  ajv.compile = (schema: AnySchema) => {
    const validate = compile(schema)
    const limited = Object.assign((data: unknown) => {
      const isValid = validate(data)
      limited.errors = takeErrors(validate)
      return isValid
    }, { errors: [] as ErrorObject[] })
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
  if (found.length === 0) return
  const details = found.slice(0, maxErrors).map(({ path, message }) => ({ path: shownPath(path), message }))
  const [first] = details
  const more = details.length < maxErrors ? `${details.length - 1} more` : 'more'
  throw new AppError('INVALID_REQUEST', `${first!.path}: ${first!.message}${details.length > 1 ? ` (and ${more})` : ''}.`, details)
}

/** Maximum characters of a path in an error. */
const maxPathLength = 200

/** Converts `requestBody.alias` of the validator to `body.alias`. */
const shownPath = (path: string) => path.replace(/^requestBody/, 'body').slice(0, maxPathLength).toWellFormed() || 'body'

function toDetail({ instancePath, params, keyword, message, parentSchema }: ErrorObject): ErrorDetail {
  const member = params['additionalProperty'] ?? params['unevaluatedProperty'] ?? params['missingProperty']
  const path = [...instancePath.split('/').slice(1), ...(member === undefined ? [] : [member])].join('.')
  return {
    path,
    message: messages[keyword]?.(params, parentSchema) ?? message ?? 'is not valid',
  }
}

/** Where the validator's own words do not say what to do. */
const messages: Record<string, (params: Record<string, unknown>, schema?: AnySchemaObject) => string | undefined> = {
  pattern: (_params, schema) => typeof schema?.['description'] === 'string' ? `does not fit: ${schema['description'].replace(/\s+/g, ' ').trim().replace(/\.$/, '')}` : undefined,
  additionalProperties: () => 'is not known; leave it out',
  unevaluatedProperties: () => 'is not known; leave it out',
  required: () => 'is required',
  maximum: ({ limit }, schema) => typeof schema?.['x-beyond'] === 'string'
    ? `must be <= ${String(limit)}; to go further, ${schema['x-beyond']}`
    : undefined,
  enum: ({ allowedValues }) => `must be one of ${(allowedValues as unknown[]).join(', ')}`,
}

function faultsOf(validator: OpenAPIValidator, operation: Operation, status: number, body: unknown): string[] {
  const described = (operation.responses as OpenAPIV3_1.ResponsesObject | undefined)?.[status]
  if (!described) return [`${operation.operationId} does not describe the status ${status}`]
  const { errors } = validator.validateResponse(body, operation, status)
  return (errors ?? []).map(({ instancePath, message, params }) =>
    `${operation.operationId} ${status} ${instancePath} ${message} ${JSON.stringify(params)}`)
}
