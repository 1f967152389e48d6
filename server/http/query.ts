import { parse } from 'node:querystring'
import type { OpenAPIV3_1 } from 'openapi-types'
import { invalidRequest } from '../errors.ts'
import type { ApiOperation } from './backend.ts'

/** A query parameter of the document; `$ref`s are resolved. */
interface QueryParameter {
  name: string
  schema?: unknown
}

export const queryParameters = ({ parameters = [] }: ApiOperation): QueryParameter[] =>
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
