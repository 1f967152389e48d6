import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { OpenAPIV3_1 } from 'openapi-types'

/** The contract as it is written. */
export const documentFile = new URL('./openapi.yaml', import.meta.url)

/** The contract in the classic dialect, as `npm run generate` makes it. */
export const classicFile = new URL('./openapi.classic.yaml', import.meta.url)

export const documentText = (): string => readFileSync(documentFile, 'utf8')

/** The contract as an object; `$ref`s stand as they are. */
export const readDocument = (): OpenAPIV3_1.Document => readDocumentFile(documentFile)

export const readDocumentFile = (file: string | URL): OpenAPIV3_1.Document => parse(readFileSync(file, 'utf8'), { maxAliasCount: -1 })

export interface DocumentOperation {
  operationId: string
  method: string
  path: string
  /** `dashboard` for the operations of the dashboard alone, which no API key may call (`x-audience`). */
  audience: Audience
  /** The scope that a key needs; null where none may call it. */
  scope: string | null
  /** Whether it is called without a key and without a session, for signing in. */
  isPublic: boolean
  /** Whether it is called with the token of a share link, and with nothing else. */
  isShared: boolean
  /** The status of success. */
  status: number
  definition: OpenAPIV3_1.OperationObject
  /** Whether its answer is a stream of events without an end (`x-stream`). */
  isStream: boolean
}

/** The callers for which an operation is made. */
export type Audience = 'api' | 'dashboard'

const audienceOf = (definition: OpenAPIV3_1.OperationObject): Audience => 'x-audience' in definition ? 'dashboard' : 'api'

/** The operations of one audience, with the components that they refer to. */
export function documentFor(audience: Audience, document = readDocument()): OpenAPIV3_1.Document {
  const paths = Object.fromEntries(Object.entries(document.paths!).flatMap(([path, item]) => {
    const kept = Object.entries(item!)
      .filter(([name, part]) => !isMethod(name) || audienceOf(part as OpenAPIV3_1.OperationObject) === audience)
    return kept.some(([name]) => isMethod(name)) ? [[path, Object.fromEntries(kept)]] : []
  }))
  const { webhooks, components, security, ...rest } = document
  const kept = { ...rest, paths, ...audience === 'api' && { webhooks, security } }
  const { session, share, ...others } = components!.securitySchemes!
  const securitySchemes = { session: session!, ...audience === 'api' ? others : { share: share! } }
  const used = referencesIn(document, [kept, securitySchemes])
  const usedComponents = Object.fromEntries(Object.entries(components!).map(([kind, all]) =>
    [kind, Object.fromEntries(Object.entries(all).filter(([name]) => used.has(`#/components/${kind}/${name}`)))]))
  return { ...kept, components: { ...usedComponents, securitySchemes } }
}

/** The targets of all `$ref`s below a node, and below those targets. */
function referencesIn(document: OpenAPIV3_1.Document, node: unknown, found = new Set<string>()): Set<string> {
  if (typeof node !== 'object' || node === null) return found
  for (const [name, value] of Object.entries(node)) {
    if (name !== '$ref' || typeof value !== 'string') referencesIn(document, value, found)
    else if (!found.has(value)) referencesIn(document, nodeAt(document, value), found.add(value))
  }
  return found
}

/** The node that a JSON pointer such as `#/components/schemas/Email` names (RFC 6901). */
export const nodeAt = (document: OpenAPIV3_1.Document, pointer: string): any =>
  pointer.split('/').slice(1).reduce((node: any, part) => node[part.replaceAll('~1', '/').replaceAll('~0', '~')], document)

/** Returns the target of a `$ref`, and any other node unchanged. */
export const resolveRef = <T extends object>(document: OpenAPIV3_1.Document, node: T | OpenAPIV3_1.ReferenceObject): T =>
  '$ref' in node ? resolveRef<T>(document, nodeAt(document, String(node.$ref))) : node

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const

const isMethod = (name: string) => (methods as readonly string[]).includes(name)

/** Every operation of a document, in its order. */
export function operationsOf(document: OpenAPIV3_1.Document): DocumentOperation[] {
  return Object.entries(document.paths!).flatMap(([path, item]) => methods.flatMap((method) => {
    const definition = item![method]
    if (!definition) return []
    return [{
      operationId: definition.operationId!,
      method,
      path,
      audience: audienceOf(definition),
      scope: definition.security!.find((requirement) => 'apiKey' in requirement)?.['apiKey']![0] ?? null,
      isPublic: definition.security!.length === 0,
      isShared: definition.security!.some((requirement) => 'share' in requirement),
      status: Number(Object.keys(definition.responses).find((status) => status.startsWith('2'))),
      definition,
      isStream: 'x-stream' in definition,
    }]
  }))
}
