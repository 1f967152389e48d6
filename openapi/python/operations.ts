import type { OpenAPIV3_1 } from 'openapi-types'
import { operationsOf, resolveRef } from '../document.ts'
import type { DocumentOperation } from '../document.ts'
import { functionName, memberName } from './names.ts'
import { membersOf, refName, withoutNull } from './shapes.ts'
import type { Context, Schema } from './shapes.ts'
import { annotationOf } from './types.ts'

/** An argument of a method. */
export interface Argument {
  /** In the request. */
  name: string
  python: string
  place: 'path' | 'query' | 'body'
  annotation: string
  isRequired: boolean
  /** Whether None is a value of its own, and differs from leaving it out. */
  isNullable: boolean
  description: string | undefined
}

/** The result of a call. */
export interface Result {
  /** `page`: a list in pages. `list`: a whole list. `item`: one object. `file`: bytes. */
  kind: 'page' | 'list' | 'item' | 'file'
  /** `Address`, also for lists of it. */
  type: string
  /** Whether the object, or the page, stands in `data`. */
  isInData: boolean
  /** The member of a page with its items. */
  items?: string
  /** The type of a file, for the header `Accept`. */
  accept?: string
}

export interface PythonOperation extends DocumentOperation {
  resource: string
  methodName: string
  functionName: string
  arguments: Argument[]
  result: Result
}

export const pythonOperations = (context: Context): PythonOperation[] => operationsOf(context.document).map((operation) => {
  const [resource, name] = operation.operationId.split('.') as [string, string]
  return {
    ...operation,
    resource,
    methodName: memberName(name),
    functionName: functionName(operation.operationId),
    arguments: argumentsOf(context, operation),
    result: resultOf(context, operation),
  }
})

function argumentsOf(context: Context, { path, definition }: DocumentOperation): Argument[] {
  const { document } = context
  const shared = document.paths![path]!.parameters ?? []
  const parameters = [...shared, ...definition.parameters ?? []]
    .map((parameter) => resolveRef<OpenAPIV3_1.ParameterObject>(document, parameter))
  const found = parameters.flatMap(({ name, in: place, required, schema, description }): Argument[] => {
    if (place !== 'path' && place !== 'query') return [] // headers are options of each call
    const annotation = parameterType(context, name, schema as Schema)
    return [{ name, python: memberName(name), place, annotation, isRequired: required ?? false, isNullable: false, description }]
  })
  // `addressId` is another spelling of `address_id`
  const unique = found.filter(({ python }, i) => found.findIndex((other) => other.python === python) === i)
  return [...unique, ...bodyArguments(context, definition)]
}

/** Truth values stand in queries as `true` and `false`; a position is also an email or a time. */
function parameterType(context: Context, name: string, schema: Schema): string {
  if (name === 'after') return 'After'
  return schema.enum?.join() === 'true,false' ? 'bool' : annotationOf(context, schema, 'types.')
}

function bodyArguments(context: Context, { requestBody }: OpenAPIV3_1.OperationObject): Argument[] {
  if (!requestBody) return []
  const { content } = resolveRef<OpenAPIV3_1.RequestBodyObject>(context.document, requestBody)
  return membersOf(context, content['application/json']!.schema as Schema).map((member) => ({
    ...member, place: 'body', annotation: annotationOf(context, member.schema, 'types.'),
  }))
}

/** The methods whose message is a part of the result: the others drop it. */
const withMessage: Record<string, string> = { DomainCheckedAnswer: 'DomainChecked' }

function resultOf(context: Context, { definition, status }: DocumentOperation): Result {
  const { content } = definition.responses![status] as OpenAPIV3_1.ResponseObject
  const schema = content?.['application/json']?.schema
  if (!schema) return { kind: 'file', type: 'bytes', isInData: false, accept: fileType(Object.keys(content!)) }
  const answer = membersOf(context, schema)
  const data = answer.find(({ name }) => name === 'data')
  const named = withMessage[refName(schema) ?? '']
  if (named) return { kind: 'item', type: named, isInData: false }
  if (!data) return { kind: 'item', type: refName(schema)!, isInData: false }
  if (data.schema.type === 'array') {
    const isPage = answer.some(({ name }) => name === 'total')
    return { kind: isPage ? 'page' : 'list', type: itemOf(data.schema), isInData: false, items: 'data' }
  }
  const list = membersOf(context, data.schema).find(({ schema }) => withoutNull(schema).schema.type === 'array')
  const isPage = membersOf(context, data.schema).some(({ name }) => name === 'total')
  if (list && isPage) return { kind: 'page', type: itemOf(list.schema), isInData: true, items: list.name }
  return { kind: 'item', type: refName(data.schema)!, isInData: true }
}

const itemOf = (schema: Schema) => refName(schema.items!)!

const fileType = (types: string[]) => types.includes('*/*') ? '*/*' : types[0]!
