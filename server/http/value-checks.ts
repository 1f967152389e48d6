import { isUtf8 } from 'node:buffer'
import type { OpenAPIV3_1 } from 'openapi-types'
import type { ErrorDetail } from '../errors.ts'

/** The parts of a schema that limit the size of a value. `$ref`s are resolved. */
export type SizeSchema = Pick<OpenAPIV3_1.SchemaObject, 'type' | 'maxLength'> & {
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
export function oversized(schema: SizeSchema, value: unknown, path: string, found: ErrorDetail[] = []): ErrorDetail[] {
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
export function unstorableText(value: unknown, path: string, found: ErrorDetail[] = []): ErrorDetail[] {
  if (typeof value === 'string') {
    const message = faultOf(value)
    if (message) found.push({ path, message })
  } else if (typeof value === 'object' && value !== null) {
    for (const name of Object.keys(value)) unstorableText((value as Values)[name], below(path, name), found)
  }
  return found
}

/** Finds bytes that are not UTF-8, which the parser of a query replaces by U+FFFD. */
export function undecodableQuery(querystring: string): ErrorDetail[] {
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
