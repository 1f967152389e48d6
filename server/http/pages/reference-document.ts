import type { OpenAPIV3_1 } from 'openapi-types'
import { document } from '../../contract/document.ts'
import { readProgramFile } from '../../program-file.ts'
import type { OperationId } from '../../contract/operations.gen.ts'
import { curlSample, follow } from './curl-sample.ts'

/** A way to call an operation, as `/docs` shows it. */
interface Sample { title: string, language: string, code: string }

type Parameter = OpenAPIV3_1.ParameterObject | OpenAPIV3_1.ReferenceObject
type Operation = OpenAPIV3_1.OperationObject & { operationId: OperationId, 'x-audience'?: string }

const withoutKey = 'Without a key, requests have the session of the dashboard in this browser.'

/** The members of operations that say how code is made of them, and tell a reader nothing. */
const hidden = ['x-audience', 'x-stream']

/**
 * The document as `/docs` shows it (docs/decisions/0007). Its server is the one of the page, so that requests have the session of the
 * dashboard; it has samples; parameters have no example that a request would send unless the reader removes it; and the chapters of the
 * description are a guide.
 */
export function referenceDocument(): object {
  const apiKey = document.components!.securitySchemes!['apiKey'] as OpenAPIV3_1.HttpSecurityScheme
  const description = document.info.description!
  const guide = description.indexOf('\n## ')
  const sdkSamples = JSON.parse(readProgramFile(new URL('../../contract/samples.gen.json', import.meta.url))) as Record<string, string>
  return {
    ...document,
    'info': { ...document.info, description: description.slice(0, guide) },
    'x-guide': description.slice(guide),
    'servers': [{ url: '../' }],
    'components': {
      ...document.components,
      securitySchemes: { apiKey: { ...apiKey, description: `${apiKey.description} ${withoutKey}` } },
    },
    'paths': Object.fromEntries(Object.entries(document.paths!).map(([path, item]) => [path, mapItem(item!, sdkSamples)])),
  }
}

/** The parameters of a path are those of each of its operations: Swagger UI does not follow them when it opens an operation by its link. */
const mapItem = ({ parameters = [], ...item }: OpenAPIV3_1.PathItemObject, sdkSamples: Record<string, string>) =>
  Object.fromEntries(Object.entries(item).map(([name, part]: [string, unknown]) =>
    [name, isOperation(part) ? mapOperation(part, parameters, sdkSamples) : part]))

const isOperation = (part: unknown): part is Operation => typeof part === 'object' && part !== null && 'operationId' in part

function mapOperation(operation: Operation, ofPath: Parameter[], sdkSamples: Record<string, string>) {
  const shown = Object.entries(operation).filter(([name]) => !hidden.includes(name))
  const sdk = sdkSamples[operation.operationId]
  const samples: Sample[] = [{ title: 'curl', language: 'bash', code: curlSample(operation.operationId) }]
  if (sdk) samples.push({ title: 'SDK', language: 'javascript', code: sdk })
  return {
    ...Object.fromEntries(shown),
    parameters: [...ofPath, ...operation.parameters ?? []].map((parameter) => withoutExample(follow(parameter))),
    security: operation.security!.filter((requirement) => !('session' in requirement)),
    'x-samples': samples,
  }
}

/** Moves the example of a parameter to its description: fields are filled with examples, and then sent. */
function withoutExample(parameter: OpenAPIV3_1.ParameterObject): OpenAPIV3_1.ParameterObject {
  if (!('example' in parameter)) return parameter
  const { example, ...rest } = parameter
  return { ...rest, description: `${parameter.description?.trimEnd()}\n\nExample: \`${String(example)}\`` }
}
