import { Ajv2020 } from 'ajv/dist/2020.js'
import type { ErrorObject, Options } from 'ajv'
import addFormats from 'ajv-formats'
import type { Context } from 'koa'
import { OpenAPIBackend } from 'openapi-backend'
import type { Operation, OpenAPIValidator } from 'openapi-backend'
import type { OpenAPIV3_1 } from 'openapi-types'
import type { OperationId } from '../contract/operations.gen.ts'
import { AppError } from '../errors.ts'
import type { ErrorDetail } from '../errors.ts'

export interface Validation {
  /**
   * Checks path, query and body, and gives query members the types of the document.
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
    coerceTypes: true,
    customizeAjv: (_ajv, options) => sharedAjv(options),
  })
  await backend.init()
  const { validator } = backend
  validator.preCompileRequestValidators()
  const operations = new Map(backend.router.getOperations().map((operation) => [operation.operationId as OperationId, operation]))

  return {
    request(operationId, ctx, body) {
      const { errors, coerced } = validator.validateRequest({
        method: ctx.method,
        path: ctx.path,
        query: ctx.querystring,
        headers: ctx.headers as Record<string, string>,
        body,
      }, operations.get(operationId))
      if (errors && errors.length > 0) throw invalid(errors)
      return { path: coerced!.params, query: coerced!.query }
    },
    reply: (operationId, status, body) => faultsOf(validator, operations.get(operationId)!, status, body),
  }
}

/** Building an Ajv costs more than compiling a schema with it; only those that coerce differ. */
const ajvs = new Map<boolean, Ajv2020>()

function sharedAjv(options: Options | undefined) {
  const coerces = options?.coerceTypes === true
  let ajv = ajvs.get(coerces)
  if (!ajv) {
    ajv = new Ajv2020({ strict: false, allErrors: true, coerceTypes: coerces, formats: { binary: true, password: true } })
    addFormats.default(ajv)
    ajvs.set(coerces, ajv)
  }
  return ajv
}

function invalid(errors: ErrorObject[]) {
  const details = errors.map(toDetail)
  const [first] = details
  const others = details.length > 1 ? ` (and ${details.length - 1} more)` : ''
  return new AppError('INVALID_REQUEST', `${first!.path}: ${first!.message}${others}.`, details.slice(0, 20))
}

/** `/requestBody/alias` of the validator is `body.alias` for people. */
function toDetail({ instancePath, params, keyword, message }: ErrorObject): ErrorDetail {
  const member = params['additionalProperty'] ?? params['unevaluatedProperty'] ?? params['missingProperty']
  const path = [...instancePath.split('/').slice(1), ...(member === undefined ? [] : [member])].join('.')
  return {
    path: path.replace(/^requestBody/, 'body') || 'body',
    message: messages[keyword]?.(params) ?? message ?? 'is not valid',
  }
}

const messages: Record<string, (params: Record<string, unknown>) => string> = {
  additionalProperties: () => 'is not known; leave it out',
  unevaluatedProperties: () => 'is not known; leave it out',
  required: () => 'is required',
  enum: ({ allowedValues }) => `must be one of ${(allowedValues as unknown[]).join(', ')}`,
}

function faultsOf(validator: OpenAPIValidator, operation: Operation, status: number, body: unknown): string[] {
  const described = (operation.responses as OpenAPIV3_1.ResponsesObject | undefined)?.[status]
  if (!described) return [`${operation.operationId} does not describe the status ${status}`]
  const { errors } = validator.validateResponse(body, operation, status)
  return (errors ?? []).map(({ instancePath, message, params }) =>
    `${operation.operationId} ${status} ${instancePath} ${message} ${JSON.stringify(params)}`)
}
