import type { OpenAPIV3_1 } from 'openapi-types'
import { classicDocument, document as primaryDocument } from '../../contract/document.ts'
import { operations } from '../../contract/operations.gen.ts'
import type { OperationId } from '../../contract/operations.gen.ts'
import type { DialectName } from '../../dialects/dialects.ts'
import { dialectHeader } from '../../dialects/dialects.ts'
import { readProgramFile } from '../../program-file.ts'

/** A way to call an operation, as `/docs` shows it. */
interface Sample { title: string, language: string, code: string }

type Parameter = OpenAPIV3_1.ParameterObject | OpenAPIV3_1.ReferenceObject
interface ShownDialect { document: OpenAPIV3_1.Document, dialect: DialectName, sdkSamples: Record<string, string> }
type Operation = OpenAPIV3_1.OperationObject & { operationId: OperationId, 'x-audience'?: string }

const withoutKey = 'Without a key, requests have the session of the dashboard in this browser.'

/** The members of operations that say how code is made of them, and tell a reader nothing. */
const hidden = ['x-audience', 'x-stream']

/**
 * The document as `/docs` shows it (docs/decisions/0007). Its server is the one of the page, so that requests have the session of the
 * dashboard; it has samples; parameters have no example that a request would send unless the reader removes it; and the chapters of the
 * description are a guide. Samples of the SDK are in the primary dialect alone.
 */
export function referenceDocument(dialect: DialectName): object {
  const document = dialect === 'primary' ? primaryDocument : classicDocument()
  const apiKey = document.components!.securitySchemes!['apiKey'] as OpenAPIV3_1.HttpSecurityScheme
  const description = document.info.description!
  const guide = description.indexOf('\n## ')
  const samples = JSON.parse(readProgramFile(new URL('../../contract/samples.gen.json', import.meta.url))) as Record<string, string>
  const shown = { document, dialect, sdkSamples: dialect === 'primary' ? samples : {} }
  return {
    ...document,
    'info': { ...document.info, description: description.slice(0, guide) },
    'x-guide': description.slice(guide),
    'servers': [{ url: '../' }],
    'components': {
      ...document.components,
      securitySchemes: { apiKey: { ...apiKey, description: `${apiKey.description} ${withoutKey}` } },
    },
    'paths': Object.fromEntries(Object.entries(document.paths!).map(([path, item]) => [path, mapItem(item!, shown)])),
  }
}

/** The parameters of a path are those of each of its operations: Swagger UI does not follow them when it opens an operation by its link. */
const mapItem = ({ parameters = [], ...item }: OpenAPIV3_1.PathItemObject, shown: ShownDialect) =>
  Object.fromEntries(Object.entries(item).map(([name, part]: [string, unknown]) =>
    [name, isOperation(part) ? mapOperation(part, parameters, shown) : part]))

const isOperation = (part: unknown): part is Operation => typeof part === 'object' && part !== null && 'operationId' in part

function mapOperation(operation: Operation, ofPath: Parameter[], { document, dialect, sdkSamples }: ShownDialect) {
  const members = Object.entries(operation).filter(([name]) => !hidden.includes(name))
  const sdk = sdkSamples[operation.operationId]
  const samples: Sample[] = [{ title: 'curl', language: 'bash', code: curlSample(operation.operationId, document, dialect) }]
  if (sdk) samples.push({ title: 'SDK', language: 'javascript', code: sdk })
  return {
    ...Object.fromEntries(members),
    parameters: [...ofPath, ...operation.parameters ?? []].map((parameter) => withoutExample(follow(document, parameter))),
    security: operation.security!.filter((requirement) => 'apiKey' in requirement),
    'x-samples': samples,
  }
}

/** Moves the example of a parameter to its description: fields are filled with examples, and then sent. */
function withoutExample(parameter: OpenAPIV3_1.ParameterObject): OpenAPIV3_1.ParameterObject {
  if (!('example' in parameter)) return parameter
  const { example, ...rest } = parameter
  return { ...rest, description: `${parameter.description?.trimEnd()}\n\nExample: \`${String(example)}\`` }
}

/**
 * The command that calls an operation with the examples of the document. It takes the server from `MAYFLY_BASE_URL` and the key from
 * `MAYFLY_API_KEY`, for an operation of the dashboard the cookie of a session from `MAYFLY_COOKIE`, and for one of a share link its token
 * from `MAYFLY_SHARE_TOKEN`.
 */
function curlSample(operationId: OperationId, document: OpenAPIV3_1.Document, dialect: DialectName): string {
  const { method, path, scope, isPublic, isShared, isStream } = operations[operationId]
  const item = document.paths![path]!
  const operation = item[method] as OpenAPIV3_1.OperationObject
  const parameters = [...item.parameters ?? [], ...operation.parameters ?? []]
    .map((each) => follow<OpenAPIV3_1.ParameterObject>(document, each))
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(parameters.find((each) => each.name === name)?.example))
  const body = exampleBody(document, operation)
  const isChange = method !== 'get'
  return [
    `curl ${isStream ? '-N ' : ''}${isChange && !(method === 'post' && body) ? `-X ${method.toUpperCase()} ` : ''}"$MAYFLY_BASE_URL${filled}"`,
    ...scope === null ? [] : ['-H "Authorization: Bearer $MAYFLY_API_KEY"'],
    ...isShared ? ['-H "Authorization: Bearer $MAYFLY_SHARE_TOKEN"'] : scope === null && !isPublic ? ['-H "Cookie: $MAYFLY_COOKIE"', ...isChange ? ["-H 'Sec-Fetch-Site: same-origin'"] : []] : [],
    ...dialect === 'primary' ? [] : [`-H '${dialectHeader}: ${dialect}'`],
    ...body ? ["-H 'Content-Type: application/json'", `-d ${quote(body)}`] : [],
  ].join(' \\\n  ')
}

/** The first example of the body of an operation, as JSON. */
function exampleBody(document: OpenAPIV3_1.Document, { requestBody }: OpenAPIV3_1.OperationObject): string | undefined {
  if (!requestBody) return undefined
  const [example] = Object.values(follow<OpenAPIV3_1.RequestBodyObject>(document, requestBody).content['application/json']?.examples ?? {})
  return example && JSON.stringify(follow<OpenAPIV3_1.ExampleObject>(document, example).value)
}

/** Returns the component that a reference names, and any other part itself. */
const follow = <T extends object>(document: OpenAPIV3_1.Document, part: T | OpenAPIV3_1.ReferenceObject): T =>
  '$ref' in part ? part.$ref.split('/').slice(1).reduce<unknown>((node, name) => (node as Record<string, unknown>)[name], document) as T : part

/** Quotes a text for a POSIX shell. */
const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
