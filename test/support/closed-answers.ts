import type { OpenAPIV3_1 } from 'openapi-types'

interface Schema {
  $ref?: string
  properties?: Record<string, Schema>
  items?: Schema
  oneOf?: Schema[]
  anyOf?: Schema[]
  allOf?: Schema[]
  additionalProperties?: unknown
  'x-extensible-enum'?: string[]
}

/**
 * The document with the strictness that holds for this version of the server: schemas of answers forbid members that they do not name,
 * and `x-extensible-enum` allows no other value. The document itself allows both to grow.
 */
export function closedAnswers(document: OpenAPIV3_1.Document): OpenAPIV3_1.Document {
  const schemas = document.components!.schemas as Record<string, Schema>

  /** A schema that is used on its own. */
  function closed(schema: Schema): Schema {
    if (schema.$ref) return schema // its target is closed
    const isOpenObject = (schema.properties ?? schema.allOf) && schema.additionalProperties === undefined
    return { ...part(schema), ...isOpenObject && { unevaluatedProperties: false } }
  }

  /** A schema in an `allOf`, which must allow the members of the other schemas. */
  function part({ $ref, ...schema }: Schema): Schema {
    if ($ref) return part(schemas[$ref.split('/').at(-1)!]!)
    const { properties, items, oneOf, anyOf, allOf, 'x-extensible-enum': values } = schema
    return {
      ...schema,
      ...properties && { properties: closedEach(properties) },
      ...items && { items: closed(items) },
      ...oneOf && { oneOf: oneOf.map(closed) },
      ...anyOf && { anyOf: anyOf.map(closed) },
      ...allOf && { allOf: allOf.map(part) },
      ...values && { enum: values },
    }
  }

  const closedEach = (all: Record<string, Schema>) =>
    Object.fromEntries(Object.entries(all).map(([name, schema]) => [name, closed(schema)]))

  // copied, since openapi-backend resolves a reference that is shared by two schemas in only one of them
  return JSON.parse(JSON.stringify({ ...document, components: { ...document.components, schemas: closedEach(schemas) } }))
}
