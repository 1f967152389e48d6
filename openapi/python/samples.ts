import type { OpenAPIV3_1 } from 'openapi-types'
import { resolveRef } from '../document.ts'
import { toSnake } from './names.ts'
import { pythonOperations } from './operations.ts'
import type { Argument, PythonOperation } from './operations.ts'
import type { Context } from './shapes.ts'
import { call } from './signature.ts'

const client = "from mayfly import Mayfly\n\nmayfly = Mayfly(base_url='$MAYFLY_BASE_URL', api_key='$MAYFLY_API_KEY')"

/** A program for each operation: its method, with the ids of the document and the members of the first example of its body. */
export const pythonSamples = (context: Context): Record<string, string> => Object.fromEntries(pythonOperations(context)
  .map((operation) => [operation.operationId, `${client}\n${byHand[operation.operationId] ?? callOf(context, operation)}`]))

/** The methods that return something else than the answer. */
const byHand: Record<string, string> = {
  'events.stream': "for event in mayfly.events.subscribe(events=['email.received']):\n    print(event.data.subject)",
}

function callOf({ document }: Context, { methodName, resource, arguments: all, result, path, definition }: PythonOperation): string {
  const parameters = (document.paths![path]!.parameters ?? []).map((each) => resolveRef<OpenAPIV3_1.ParameterObject>(document, each))
  const body = exampleBody(document, definition)
  const given = all.flatMap((argument) => {
    const value = argument.place === 'body' ? body?.[argument.name] : parameters.find(({ name }) => name === argument.name)?.example as unknown
    return argument.place === 'query' || value === undefined ? [] : [passed(argument, value)]
  })
  const method = `mayfly.${toSnake(resource)}.${methodName}`
  if (result.kind === 'page' || result.kind === 'list') return `${call('for item in ', method, given, ':')}\n    print(item)`
  return `${call('result = ', method, given)}\nprint(result)`
}

const passed = ({ place, python }: Argument, value: unknown) => place === 'path' ? literal(value) : `${python}=${literal(value)}`

function exampleBody(document: OpenAPIV3_1.Document, { requestBody }: OpenAPIV3_1.OperationObject): Record<string, unknown> | undefined {
  if (!requestBody) return undefined
  const { content } = resolveRef<OpenAPIV3_1.RequestBodyObject>(document, requestBody)
  const [example] = Object.values(content['application/json']!.examples!)
  return (example as OpenAPIV3_1.ExampleObject).value as Record<string, unknown>
}

/** A JSON value in Python, with the names of members as they are in the SDK. */
function literal(value: unknown): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'string') return quoted(value)
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value === 'object') return `{${Object.entries(value).map(([name, each]) => `${quoted(toSnake(name))}: ${literal(each)}`).join(', ')}}`
  return JSON.stringify(value)
}

const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`
