import { isUtf8 } from 'node:buffer'
import { parse } from 'node:querystring'
import type { AnySchemaObject, ErrorObject } from 'ajv'
import type { OpenAPIBackend, Operation } from 'openapi-backend'
import type { OpenAPIV3_1 } from 'openapi-types'
import { maskSecrets } from '../../api-key-format.ts'
import type { OperationId } from '../../contract/operations.gen.ts'
import { invalidInput, invalidRequest } from '../../errors.ts'
import type { AppError, ErrorDetail } from '../../errors.ts'

export type Backend = OpenAPIBackend<OpenAPIV3_1.Document>
export type ApiOperation = Operation<OpenAPIV3_1.Document>

/** The parts of a request that the document describes. */
export interface RequestParts {
  path: Record<string, string>
  /** Integers and booleans are converted. */
  query: Record<string, unknown>
  /** The parsed JSON; undefined without a body. */
  body: unknown
}

interface KnownOperation {
  sizes: SizeSchema
  readQuery: ReturnType<typeof queryReader>
}

/** The checks of requests against the document, beside those of openapi-backend. */
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
      this.#operations.set(operation.operationId!, { sizes, readQuery: queryReader(parameters) })
    }
  }

  /** Parses a query string, and converts its members to the types of their parameters. */
  readQuery(operationId: OperationId, querystring: string): Record<string, unknown> {
    return this.#operations.get(operationId)!.readQuery(querystring)
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
   * @param querystring as it came
   * @throws AppError `INVALID_REQUEST` naming every member with text that cannot be stored, or a query that is not UTF-8
   */
  checkText({ query, body }: RequestParts, querystring: string): void {
    if (body === undefined && isPlain.test(querystring)) return
    refuse([...undecodableQuery(querystring), ...unstorableText({ query, body }, '')])
  }

  /** Converts errors of Ajv to `INVALID_REQUEST` naming every member at fault. */
  toError(operationId: OperationId, errors: ErrorObject[]): AppError {
    this.forgetErrors(operationId)
    return invalidMembers(errors.filter(({ keyword }) => keyword !== 'if').map(toDetail)) // `then` has the fault
  }

  /** Removes the errors of the last request from the validators, which would keep it in memory. */
  forgetErrors(operationId: OperationId): void {
    for (const validate of this.backend.validator.getRequestValidatorsForOperation(operationId)) validate.errors = null
  }
}

/** @throws AppError `INVALID_REQUEST` when something was found */
function refuse(found: ErrorDetail[]) {
  if (found.length > 0) throw invalidMembers(found)
}

/** Maximum errors that one response lists. */
const maxErrors = 20

/** `INVALID_REQUEST` naming every member at fault. */
export function invalidMembers(found: ErrorDetail[]): AppError {
  const details = found.slice(0, maxErrors).map(({ path, message }) => ({ path: shownPath(path), message }))
  const [first] = details
  const more = details.length < maxErrors ? `${details.length - 1} more` : 'more'
  return invalidInput(`${first!.path}: ${first!.message}${details.length > 1 ? ` (and ${more})` : ''}.`, details)
}

/** Maximum characters of a path in an error. */
const maxPathLength = 200

/** Converts `requestBody.alias` of the validator to `body.alias`. An unknown member name may be a secret in the wrong place. */
const shownPath = (path: string) =>
  maskSecrets(path.replace(/^requestBody/, 'body').slice(0, maxPathLength)).toWellFormed() || 'body'

/** Converts an error of the validator. */
function toDetail({ instancePath, params, keyword, message, parentSchema }: ErrorObject): ErrorDetail {
  const member = params['additionalProperty'] ?? params['unevaluatedProperty'] ?? params['missingProperty']
  const path = [...instancePath.split('/').slice(1), ...(member === undefined ? [] : [member])].join('.')
  return {
    path,
    message: messages[keyword]?.(params, parentSchema) ?? message ?? 'is not valid',
  }
}

/** Messages for keywords whose message in Ajv does not say how to correct the request. */
const messages: Record<string, (params: Record<string, unknown>, schema?: AnySchemaObject) => string | undefined> = {
  pattern: (_params, schema) => {
    if (typeof schema?.['x-format'] === 'string') return `must match format "${schema['x-format']}"`
    return typeof schema?.['description'] === 'string' ? `does not fit: ${firstSentence(schema['description'])}` : undefined
  },
  additionalProperties: () => 'is not known; leave it out',
  unevaluatedProperties: () => 'is not known; leave it out',
  required: () => 'is required',
  maximum: ({ limit }, schema) => typeof schema?.['x-beyond'] === 'string'
    ? `must be <= ${String(limit)}; to go further, ${schema['x-beyond']}`
    : undefined,
  format: ({ format }) => format === 'uri' ? 'must be a URL, such as https://example.com/path' : undefined,
  enum: ({ allowedValues }) => `must be one of ${(allowedValues as unknown[]).join(', ')}`,
}

/** The first sentence of a description gives the format of a value; the rest gives its use. */
const firstSentence = (description: string) => description.replace(/\s+/g, ' ').trim().split(/\.(?: (?=[A-Z])|$)/)[0]!

/** A query parameter of the document; `$ref`s are resolved. */
interface QueryParameter {
  name: string
  schema?: unknown
}

const queryParameters = ({ parameters = [] }: ApiOperation): QueryParameter[] =>
  (parameters as OpenAPIV3_1.ParameterObject[]).filter((parameter) => parameter.in === 'query')

/**
 * Converts text by the type of its parameter. Integers and booleans are written as in JSON: no plus sign, space, fraction, exponent or
 * other base. Any other text stays text, which the schema of the parameter then refuses.
 */
const readers: Record<string, (text: string) => unknown> = {
  integer: (text) => /^(?:0|-?[1-9]\d*)$/.test(text) ? Number(text) : text,
  boolean: (text) => text === 'true' || text === 'false' ? text === 'true' : text,
}

/** @returns a function that parses a query string, and converts its members to the types of their parameters */
export function queryReader(parameters: QueryParameter[]): (querystring: string) => Record<string, unknown> {
  const typed = parameters.flatMap(({ name, schema }) => {
    const read = readers[String((schema as { type?: unknown } | undefined)?.type)]
    return read ? [{ name, read }] : []
  })
  return (querystring) => {
    const query = parse(querystring) as Record<string, unknown>
    for (const { name, read } of typed) {
      const text = query[name]
      if (typeof text === 'string') query[name] = read(text)
    }
    return query
  }
}

/**
 * The address that a query is about: `address_id` and `addressId` are spellings of one parameter.
 * @throws AppError `INVALID_REQUEST` when both are given and differ
 */
export function addressIdOf(query: { address_id?: string, addressId?: string }): string | undefined {
  if (query.address_id && query.addressId && query.address_id !== query.addressId) {
    throw invalidRequest('query.addressId', 'differs from query.address_id; give one of them')
  }
  return query.address_id ?? query.addressId
}

/** The parts of a schema that limit the size of a value. `$ref`s are resolved. */
type SizeSchema = Pick<OpenAPIV3_1.SchemaObject, 'type' | 'maxLength'> & {
  maxItems?: number
  items?: SizeSchema
  properties?: Record<string, SizeSchema>
  oneOf?: SizeSchema[]
  anyOf?: SizeSchema[]
  allOf?: SizeSchema[]
}

/**
 * Finds strings and arrays that are longer than their schema allows. Runs before the full validation, because patterns, formats and
 * checks of each item can take long for a long value. Members that the schema does not name are skipped.
 */
function oversized(schema: SizeSchema, value: unknown, path: string, found: ErrorDetail[] = []): ErrorDetail[] {
  if (typeof value === 'string') {
    if (isLonger(value, schema.maxLength)) found.push({ path, message: `must NOT have more than ${schema.maxLength} characters` })
  } else if (Array.isArray(value)) checkItems(schema, value, path, found)
  else if (typeof value === 'object' && value !== null) {
    for (const name in schema.properties) {
      if (Object.hasOwn(value, name)) oversized(schema.properties[name]!, (value as Values)[name], below(path, name), found)
    }
  }
  for (const branches of [schema.oneOf, schema.anyOf, schema.allOf]) {
    for (const branch of branches ?? []) if (fits(branch.type, value)) oversized(branch, value, path, found)
  }
  return found
}

type Values = Record<string, unknown>

function checkItems({ maxItems, items }: SizeSchema, values: unknown[], path: string, found: ErrorDetail[]) {
  if (maxItems !== undefined && values.length > maxItems) found.push({ path, message: `must NOT have more than ${maxItems} items` })
  else if (items) for (const [i, item] of values.entries()) oversized(items, item, `${path}.${i}`, found)
}

const below = (path: string, name: string) => path ? `${path}.${name}` : name

/** Characters are code points, of one or two UTF-16 units. */
const isLonger = (text: string, maxLength = Infinity) =>
  text.length > maxLength && (text.length > 2 * maxLength || [...text].length > maxLength)

function fits(type: SizeSchema['type'], value: unknown) {
  const types = [type ?? []].flat() as string[]
  const actual = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value
  return types.length === 0 || types.includes(actual)
}

/**
 * Finds text that cannot be stored and sent unchanged: with a NUL, which SMTP forbids (RFC 5321, section 4.5.2) and functions of SQLite
 * take as the end, or with half of a surrogate pair, which UTF-8 cannot encode.
 */
function unstorableText(value: unknown, path: string, found: ErrorDetail[] = []): ErrorDetail[] {
  if (typeof value === 'string') {
    const message = faultOf(value)
    if (message) found.push({ path, message })
  } else if (typeof value === 'object' && value !== null) {
    for (const name of Object.keys(value)) unstorableText((value as Values)[name], below(path, name), found)
  }
  return found
}

/** Finds bytes that are not UTF-8, which the parser of a query replaces by U+FFFD. */
function undecodableQuery(querystring: string): ErrorDetail[] {
  if (isPlain.test(querystring)) return []
  const bytes = querystring.replace(/%([0-9a-f]{2})/gi, (_escape, hex: string) => String.fromCharCode(parseInt(hex, 16)))
  return isUtf8(Buffer.from(bytes, 'latin1')) ? [] : [{ path: 'query', message: 'is not UTF-8 in percent-encoding' }]
}

/** ASCII without escapes. */
const isPlain = /^[!-$&-~]*$/

function faultOf(text: string) {
  if (text.includes('\0')) return 'must not have the character U+0000; leave it out'
  return text.isWellFormed() ? undefined : 'must not have half of a surrogate pair (U+D800 to U+DFFF); write whole characters'
}

/** Whether a character of a quoted string is escaped: an odd number of backslashes is before it. */
export function isEscaped(text: string, at: number): boolean {
  let start = at
  while (text[start - 1] === '\\') start--
  return (at - start) % 2 === 1
}
