import type { OpenAPIV3_1 } from 'openapi-types'
import { nodeAt } from './document.ts'

type Schema = OpenAPIV3_1.SchemaObject & { $ref?: string, items?: Schema }

/**
 * The names of the members of answers and events that are times, and of those that are maps, with any names in them.
 * @throws Error when a name is that of a time in one place and not in another: the SDK goes by the name
 */
export function timesOf(document: OpenAPIV3_1.Document): { times: string[], maps: string[] } {
  const times = new Set<string>()
  const maps = new Set<string>()
  const others = new Set<string>()
  const visited = new Set<unknown>()

  for (const item of [...Object.values(document.paths!), ...Object.values(document.webhooks ?? {})] as OpenAPIV3_1.PathItemObject[]) {
    for (const operation of [item.get, item.post, item.patch, item.delete]) {
      if (operation) [operation.requestBody, ...Object.values(operation.responses ?? {})].forEach((part) => visit(part))
    }
  }
  const both = [...times].filter((name) => others.has(name))
  if (both.length > 0) throw new Error(`${both.join(', ')}: a time in one answer and something else in another`)
  return { times: [...times].sort(), maps: [...maps].sort() }

  /** Walks through all schemas below a node. */
  function visit(part: unknown) {
    if (typeof part !== 'object' || part === null || visited.has(part)) return
    visited.add(part)
    const { $ref, properties, ...rest } = part as Schema
    if ($ref) return visit(nodeAt(document, $ref))
    for (const [name, schema] of Object.entries(properties ?? {})) record(name, schema)
    for (const [key, inner] of Object.entries(rest)) if (!key.startsWith('example')) visit(inner)
  }

  function record(name: string, schema: OpenAPIV3_1.SchemaObject) {
    if (/^date(-time)?$/.test(schema.format ?? '')) times.add(name)
    else others.add(name)
    if (schema.type === 'object' && schema.additionalProperties) maps.add(name)
    else visit(schema)
  }
}
