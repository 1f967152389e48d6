import type { OpenAPIV3_1 } from 'openapi-types'

/** A change that can break a client, and its place, such as `#/components/schemas/Email`. */
export interface Break {
  message: string
  pointer: string
}

type Node = Record<string, unknown>

/** Keywords with lists of values, and keywords without schemas. */
const lists = ['enum', 'x-extensible-enum'] as const
const leaves = new Set<string>([...lists, 'default', 'const', 'example', 'examples'])

/**
 * Finds breaks that `redocly diff` does not report: a value removed from an enum of answers, for which clients may wait, and a changed
 * default. Compares the nodes at the same place of both documents.
 */
export function valueBreaks(before: OpenAPIV3_1.Document, after: OpenAPIV3_1.Document): Break[] {
  return compare(before, after, '#')
}

function compare(before: unknown, after: unknown, pointer: string): Break[] {
  if (!isNode(before) || !isNode(after)) return []
  const isSchema = !pointer.endsWith('/properties') // a member may have the name of a keyword
  const now = new Map(membersOf(after).map(({ name, value }) => [name, value]))
  return [
    ...isSchema ? [...lostValues(before, after, pointer), ...otherDefault(before, after, pointer)] : [],
    ...membersOf(before).flatMap(({ name, key, value }) => isSchema && leaves.has(key) ? [] : compare(value, now.get(name), `${pointer}/${escaped(key)}`)),
  ]
}

function lostValues(before: Node, after: Node, pointer: string): Break[] {
  return lists.flatMap((keyword) => {
    const [were, are] = [before[keyword], after[keyword]]
    if (!Array.isArray(were) || !Array.isArray(are)) return []
    const lost = were.filter((value) => !are.includes(value)).map((value) => `'${String(value)}'`)
    return lost.length === 0 ? [] : [{ message: `\`${keyword}\` lost values: ${lost.join(', ')}.`, pointer: `${pointer}/${keyword}` }]
  })
}

function otherDefault({ default: before }: Node, { default: after }: Node, pointer: string): Break[] {
  const [was, is] = [before, after].map((value) => JSON.stringify(value) as string | undefined)
  if (was === undefined || was === is) return []
  return [{ message: `\`default\` changed from ${was} to ${is ?? 'none'}.`, pointer: `${pointer}/default` }]
}

/** The members of an object or the items of a list. Parameters are identified by their names, since their order is irrelevant. */
function membersOf(node: Node): { name: string, key: string, value: unknown }[] {
  return Object.entries(node).map(([key, value]) => {
    const { name, in: place, $ref: ref } = Array.isArray(node) && isNode(value) ? value : {}
    return { name: typeof ref === 'string' ? ref : typeof name === 'string' ? `${String(place)} ${name}` : key, key, value }
  })
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null

const escaped = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1')
