import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { OpenAPIV3_1 } from 'openapi-types'

/** The contract as it is written. */
export const documentFile = new URL('./openapi.yaml', import.meta.url)

export const documentText = (): string => readFileSync(documentFile, 'utf8')

/** The contract as an object; `$ref`s stand as they are. */
export const readDocument = (): OpenAPIV3_1.Document => readDocumentFile(documentFile)

export const readDocumentFile = (file: string | URL): OpenAPIV3_1.Document => parse(readFileSync(file, 'utf8'), { maxAliasCount: -1 })

export interface DocumentOperation {
  operationId: string
  method: string
  path: string
  /** The scope a key needs. */
  scope: string
  /** The status of success. */
  status: number
  definition: OpenAPIV3_1.OperationObject
  /** Whether its answer is a stream of events without an end (`x-stream`). */
  isStream: boolean
}

/** The node that a JSON pointer such as `#/components/schemas/Email` names (RFC 6901). */
export const nodeAt = (document: OpenAPIV3_1.Document, pointer: string): any =>
  pointer.split('/').slice(1).reduce((node: any, part) => node[part.replaceAll('~1', '/').replaceAll('~0', '~')], document)

/** Returns the target of a `$ref`, and any other node unchanged. */
export const resolveRef = <T extends object>(document: OpenAPIV3_1.Document, node: T | OpenAPIV3_1.ReferenceObject): T =>
  '$ref' in node ? resolveRef<T>(document, nodeAt(document, String(node.$ref))) : node

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const

/** Every operation of the document, in its order. */
export function operationsOf(document: OpenAPIV3_1.Document): DocumentOperation[] {
  return Object.entries(document.paths!).flatMap(([path, item]) => methods.flatMap((method) => {
    const definition = item![method]
    if (!definition) return []
    return [{
      operationId: definition.operationId!,
      method,
      path,
      scope: definition.security![0]!['apiKey']![0]!,
      status: Number(Object.keys(definition.responses).find((status) => status.startsWith('2'))),
      definition,
      isStream: 'x-stream' in definition,
    }]
  }))
}
