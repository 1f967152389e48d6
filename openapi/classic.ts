import { isDeepStrictEqual } from 'node:util'
import { readFileSync } from 'node:fs'
import { openapiOverlay } from 'openapi-format'
import type { OpenAPIV3_1 } from 'openapi-types'
import { parse } from 'yaml'
import type { OperationId } from '../server/contract/operations.gen.ts'
import { toClassicAnswer } from '../server/dialects/answers.ts'
import { toClassicError } from '../server/dialects/errors.ts'
import { toClassicData, toClassicEvents } from '../server/dialects/events.ts'
import { classicRequests, secondsPerHour } from '../server/dialects/requests.ts'
import { prefixedId, readIds, typesOfIds, uuid } from '../server/ids.ts'
import type { PrefixedType } from '../server/ids.ts'
import { operationsOf, resolveRef } from './document.ts'
import type { DocumentOperation } from './document.ts'

/** The differences of the classic dialect (OpenAPI Overlay 1.0). */
const overlayFile = new URL('./classic.overlay.yaml', import.meta.url)

type Parameter = OpenAPIV3_1.ParameterObject

/**
 * The document of the classic dialect. Its examples are those of the primary one, converted as requests and answers are.
 * @throws Error for a target of the overlay that the document does not have
 */
export async function classicDocumentOf(primary: OpenAPIV3_1.Document): Promise<OpenAPIV3_1.Document> {
  const overlaySet = parse(readFileSync(overlayFile, 'utf8'))
  const copy = JSON.parse(JSON.stringify(primary)) // nodes that the YAML repeats are shared
  const { data, resultData } = await openapiOverlay(copy, { overlaySet })
  const unused = (resultData as { unusedActions: { target: string }[] }).unusedActions
  if (unused.length > 0) throw new Error(`classic.overlay.yaml: openapi.yaml has no ${unused.map(({ target }) => target).join(', ')}`)
  const document = data as OpenAPIV3_1.Document
  for (const operation of operationsOf(document)) convertExamples(document, operation)
  convertEvents(document)
  convertParameters(document)
  return document
}

/** Converts each example once: operations share responses, and examples. */
const converted = new WeakSet<object>()

function convertExamples(document: OpenAPIV3_1.Document, operation: DocumentOperation) {
  const operationId = operation.operationId as OperationId
  const path = examplePath(document, operation)
  const { requestBody, responses } = operation.definition
  if (requestBody) each(document, requestBody, (value) => toClassicBody(operationId, value as object))
  for (const [status, response] of Object.entries(responses!)) {
    each(document, response, (value) => {
      if (Number(status) >= 400) return toClassicError(value as never)
      if (operation.isStream) return toClassicEvents(value as string)
      return typeof value === 'object' ? toClassicAnswer(operationId, value!, path) : value
    })
  }
}

/** Converts the examples of a body. */
function each(document: OpenAPIV3_1.Document, body: object, convert: (value: unknown) => unknown) {
  const { content = {} } = resolveRef<OpenAPIV3_1.ResponseObject>(document, body as never)
  for (const { examples = {} } of Object.values(content)) {
    for (const named of Object.values(examples)) {
      const example = resolveRef<OpenAPIV3_1.ExampleObject>(document, named)
      if (converted.has(example)) continue
      converted.add(example)
      example.value = convert(example.value)
    }
  }
}

/** The members of the path in the examples. */
function examplePath(document: OpenAPIV3_1.Document, { path }: DocumentOperation): Record<string, string> {
  const parameters = (document.paths![path]!.parameters ?? []).map((parameter) => resolveRef<Parameter>(document, parameter as never))
  return Object.fromEntries(parameters.filter((parameter) => parameter.in === 'path').map(({ name, example }) => [name, String(example)]))
}

function convertEvents(document: OpenAPIV3_1.Document) {
  for (const item of Object.values(document.webhooks!) as OpenAPIV3_1.PathItemObject[]) {
    each(document, item.post!.requestBody!, (value) => ({ ...value as object, data: toClassicData((value as { data: object }).data) }))
  }
}

/** The examples of parameters that are ids get the prefix of their pattern. */
function convertParameters(document: OpenAPIV3_1.Document) {
  const inPaths = Object.values(document.paths!).flatMap((item) => [item!.parameters, item!.get?.parameters]).flatMap((all) => all ?? [])
  for (const parameter of [...Object.values(document.components!.parameters!), ...inPaths] as Parameter[]) {
    const [, prefix] = /^\^\(([a-z]+_)\)\?/.exec((parameter.schema as OpenAPIV3_1.SchemaObject | undefined)?.pattern ?? '') ?? []
    if (prefix && uuid.test(String(parameter.example))) parameter.example = prefix + String(parameter.example)
  }
}

/** The body of an example: the inverse of the conversion of requests. @throws Error when it is not */
function toClassicBody(operationId: OperationId, primary: object): object {
  const classic = Object.fromEntries(Object.entries(primary).map(([name, value]: [string, unknown]) => {
    if (name === 'expiresIn') return [name, Number(value) / secondsPerHour]
    const type = typesOfIds[name]
    const withPrefix = (id: unknown) => typeof id === 'string' ? prefixedId(type as PrefixedType, id) : id
    return [name, !type || type === 'any' ? value : Array.isArray(value) ? value.map(withPrefix) : withPrefix(value)]
  }))
  const plain = { ...classic }
  readIds(plain)
  const { body } = { body: plain, ...classicRequests[operationId]?.({ path: {}, query: {}, body: plain }) }
  if (!isDeepStrictEqual(body, primary)) throw new Error(`${operationId}: the example of the body is not the same in both dialects`)
  return classic
}
