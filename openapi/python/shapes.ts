import type { OpenAPIV3_1 } from 'openapi-types'
import { resolveRef } from '../document.ts'
import { memberName } from './names.ts'

export type Schema = OpenAPIV3_1.SchemaObject & { 'x-extensible-enum'?: string[], $ref?: string, items?: Schema, const?: unknown }

/** A member of a JSON object. */
export interface Member {
  /** In JSON. */
  name: string
  /** In Python. */
  python: string
  schema: Schema
  isRequired: boolean
  isNullable: boolean
  description: string | undefined
}

/** The arguments of the functions that write the files. */
export interface Context {
  document: OpenAPIV3_1.Document
  /** The operationId by method and path, for texts. */
  operations: Map<string, string>
}

export const refName = (schema: Schema): string | undefined => schema.$ref?.split('/').at(-1)

/** The schema without `null`, and whether it allows `null`. */
export function withoutNull(schema: Schema): { schema: Schema, isNullable: boolean } {
  if (Array.isArray(schema.type) && schema.type.includes('null')) {
    return { schema: { ...schema, type: schema.type.find((type) => type !== 'null')! } as Schema, isNullable: true }
  }
  const kept = schema.oneOf?.filter((part) => !('type' in part && part.type === 'null'))
  return kept && kept.length < schema.oneOf!.length ? { schema: kept[0]!, isNullable: true } : { schema, isNullable: false }
}

/** The members of an object, with those of the objects that it extends. */
export function membersOf({ document }: Context, schema: Schema): Member[] {
  const parts = partsOf(document, schema)
  const required = new Set(parts.flatMap((part) => part.required ?? []))
  const members = new Map<string, Member>()
  for (const [name, property] of parts.flatMap((part) => Object.entries(part.properties ?? {}) as [string, Schema][])) {
    const { schema, isNullable } = withoutNull(property)
    const isRequired = required.has(name)
    members.set(name, { name, python: memberName(name), schema, isRequired, isNullable, description: property.description })
  }
  return [...members.values()]
}

function partsOf(document: OpenAPIV3_1.Document, schema: Schema): Schema[] {
  const resolved = resolveRef<Schema>(document, schema)
  return [...(resolved.allOf ?? []).flatMap((part) => partsOf(document, part)), resolved]
}
