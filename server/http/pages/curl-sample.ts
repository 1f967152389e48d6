import type { OpenAPIV3_1 } from 'openapi-types'
import { document } from '../../contract/document.ts'
import { operations } from '../../contract/operations.gen.ts'
import type { OperationId } from '../../contract/operations.gen.ts'

/**
 * The command that calls an operation with the examples of the document. It takes the server from `MAYFLY_BASE_URL` and the key from
 * `MAYFLY_API_KEY`, and for an operation of the dashboard the cookie of a session from `MAYFLY_COOKIE`.
 */
export function curlSample(operationId: OperationId): string {
  const { method, path, scope, isPublic, isStream } = operations[operationId]
  const item = document.paths![path]!
  const operation = item[method] as OpenAPIV3_1.OperationObject
  const parameters = [...item.parameters ?? [], ...operation.parameters ?? []].map((each) => follow<OpenAPIV3_1.ParameterObject>(each))
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(parameters.find((each) => each.name === name)?.example))
  const body = exampleBody(operation)
  const isChange = method !== 'get'
  return [
    `curl ${isStream ? '-N ' : ''}${isChange && !(method === 'post' && body) ? `-X ${method.toUpperCase()} ` : ''}"$MAYFLY_BASE_URL${filled}"`,
    ...scope === null ? [] : ['-H "Authorization: Bearer $MAYFLY_API_KEY"'],
    ...scope === null && !isPublic ? ['-H "Cookie: $MAYFLY_COOKIE"', ...isChange ? ["-H 'Sec-Fetch-Site: same-origin'"] : []] : [],
    ...body ? ["-H 'Content-Type: application/json'", `-d ${quote(body)}`] : [],
  ].join(' \\\n  ')
}

/** The first example of the body of an operation, as JSON. */
function exampleBody({ requestBody }: OpenAPIV3_1.OperationObject): string | undefined {
  if (!requestBody) return undefined
  const [example] = Object.values(follow<OpenAPIV3_1.RequestBodyObject>(requestBody).content['application/json']?.examples ?? {})
  return example && JSON.stringify(follow<OpenAPIV3_1.ExampleObject>(example).value)
}

/** Returns the component that a reference names, and any other part itself. */
export const follow = <T extends object>(part: T | OpenAPIV3_1.ReferenceObject): T =>
  '$ref' in part ? part.$ref.split('/').slice(1).reduce<unknown>((node, name) => (node as Record<string, unknown>)[name], document) as T : part

/** Quotes a text for a POSIX shell. */
const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
