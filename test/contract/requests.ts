import type { OpenAPIV3_1 } from 'openapi-types'
import { classicFile, operationsOf, readDocument, readDocumentFile } from '../../openapi/document.ts'
import type { DocumentOperation } from '../../openapi/document.ts'
import type { Scope } from '../../server/contract/types.gen.ts'
import type { DialectName } from '../../server/dialects/dialects.ts'
import type { RawRequest } from '../support/raw-request.ts'

export const document = readDocument()
export const allOperations = operationsOf(document)
/** The operations of the API, which a key may call. */
export const operations = allOperations.filter(({ audience }) => audience === 'api')

/** The contract in each dialect. */
export interface Contract {
  dialect: DialectName
  document: OpenAPIV3_1.Document
  /** Those of the API. */
  operations: DocumentOperation[]
  /** Of a request that the document describes. */
  headers: Record<string, string>
}

export const primaryContract: Contract = { dialect: 'primary', document, operations, headers: {} }
const classicDocument = readDocumentFile(classicFile)
const classicContract: Contract = {
  dialect: 'classic',
  document: classicDocument,
  operations: operationsOf(classicDocument).filter(({ audience }) => audience === 'api'),
  headers: { 'x-mayfly-dialect': 'classic' },
}
export const contracts = [primaryContract, classicContract]

export const allScopes = (document.components!.schemas!['Scope'] as OpenAPIV3_1.SchemaObject).enum as Scope[]

/** An id that no resource has. */
export const unknownId = '019c0000-0000-7000-8000-000000000000'

/** The names of the ids in the path of an operation. */
export const pathIdsOf = ({ path }: DocumentOperation): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)

export const fillPath = ({ path }: DocumentOperation, idOf: (name: string) => string): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => idOf(name))

/** The values of the examples of the body, if the operation takes one. */
export function exampleBodies({ definition }: DocumentOperation): unknown[] {
  const body = definition.requestBody as OpenAPIV3_1.RequestBodyObject | undefined
  const examples = body?.content['application/json']?.examples ?? {}
  return Object.values(examples).map((example) => (example as OpenAPIV3_1.ExampleObject).value as unknown)
}

/** The queries with which operations that wait answer at once. */
const queries: Record<string, string> = { 'emails.wait': `?timeout=0&after=${unknownId.replace(/^.{8}/, '00000000')}` }

/** The example request of the document, with ids that no resource has. */
export function exampleRequest(
  operation: DocumentOperation, headers: Record<string, string>, idOf: (name: string) => string = () => unknownId,
): RawRequest {
  const [body] = exampleBodies(operation)
  return {
    method: operation.method.toUpperCase(),
    path: fillPath(operation, idOf) + (queries[operation.operationId] ?? ''),
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    body: body === undefined ? undefined : JSON.stringify(body),
  }
}

export const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
