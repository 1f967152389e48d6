import { resolveRef } from '../document.ts'
import type { Context, Schema } from './shapes.ts'
import { refName } from './shapes.ts'

const literal = (values: unknown[]) => `Literal[${values.map(literalOf).join(', ')}]`
const literalOf = (value: unknown) => value === true ? 'True' : value === false ? 'False' : `'${String(value)}'`

/** Values of answers that may grow: a newer server may send others. */
const open = (values: unknown[]) => `${literal(values)} | str`

/**
 * The annotation of a value.
 * @param prefix of the names of types: `types.` outside their module
 */
export function annotationOf(context: Context, schema: Schema, prefix = ''): string {
  const name = refName(schema)
  if (name && isInput(name)) return 'Mapping[str, object]'
  if (name) return prefix + name
  if (schema.const !== undefined) return literal([schema.const])
  if (schema.enum) return literal(schema.enum)
  if (schema['x-extensible-enum']) return open(schema['x-extensible-enum'])
  if (schema.type === 'array') return `Sequence[${annotationOf(context, schema.items, prefix)}]`
  if (schema.additionalProperties) return 'Mapping[str, str]'
  const simple = schema.format === 'date-time' ? 'datetime' : schema.format === 'date' ? 'date' : simpleTypes[String(schema.type)]
  if (!simple) throw new Error(`no Python type for ${JSON.stringify(schema)}`)
  return simple
}

/** Whether a schema is the body of a request, or an item in one. */
export const isInput = (name: string): boolean => /(Create|Update|Send|Set|Step|ChangeAll)$/.test(name)

const simpleTypes: Record<string, string> = { string: 'str', boolean: 'bool', integer: 'int', number: 'float' }

/** The type of a named set of values: `EmailStatus`. */
export const aliasOf = (schema: Schema): string | undefined =>
  schema['x-extensible-enum'] ? open(schema['x-extensible-enum']) : schema.enum ? literal(schema.enum) : undefined

/** The method of `Reader` for a value, with its argument beside the name: `reader.items('links', Link.from_json)`. */
export function readerOf(context: Context, schema: Schema): { method: string, argument?: string } {
  const name = refName(schema)
  const resolved = resolveRef<Schema>(context.document, schema)
  if (resolved.type === 'array') {
    const items = resolved.items
    const isObject = refName(items) && !aliasOf(resolveRef<Schema>(context.document, items))
    return isObject ? { method: 'items', argument: `${refName(items)}.from_json` } : { method: 'texts' }
  }
  if (resolved.const !== undefined) return { method: 'constant', argument: literalOf(resolved.const) }
  if (name && !aliasOf(resolved)) return { method: 'item', argument: `${name}.from_json` }
  if (resolved.additionalProperties) return { method: 'texts_by_name' }
  if (resolved.format === 'date-time') return { method: 'time' }
  if (resolved.format === 'date') return { method: 'day' }
  return { method: { string: 'text', boolean: 'flag', integer: 'integer' }[String(resolved.type)]! }
}
