import type { OpenAPIV3_1 } from 'openapi-types'
import { resolveRef } from '../document.ts'
import { docstring, pythonText } from './docs.ts'
import { capitalized } from './names.ts'
import { pythonOperations } from './operations.ts'
import type { PythonOperation } from './operations.ts'
import type { Context } from './shapes.ts'

export interface Resource {
  /** `AddressesOperations` */
  className: string
  description: string
  operations: PythonOperation[]
}

/** The methods that are written by hand, since they do more than one request, or return bytes or a stream. */
const byHand = new Set(['emails.wait', 'emails.raw', 'emails.attachment', 'events.stream'])

/** The resources of the client, in the order of the document, without the methods that are written by hand. */
export function resourcesOf(context: Context): Resource[] {
  const byName = Map.groupBy(pythonOperations(context), ({ resource }) => resource)
  return [...byName].map(([name, operations]) => {
    const tag = context.document.tags!.find(({ name }) => name === operations[0]!.definition.tags![0])
    return {
      className: `${capitalized(name)}Operations`,
      description: tag!.description!,
      operations: operations.filter(({ operationId }) => !byHand.has(operationId)),
    }
  }).filter(({ operations }) => operations.length > 0)
}

/** The docstring of a method: what it does, its arguments with their units, and its errors. */
export function methodDoc(context: Context, { definition, arguments: all }: PythonOperation): string {
  const text = (value: string | undefined) => pythonText(value, context.operations)
  return docstring('        ', text(definition.description ?? definition.summary),
    ...all.filter(({ description }) => description).map(({ python, description }) => `:param ${python}: ${withoutTables(text(description))}`),
    ...errorsOf(context, definition).map(([name, description]) => `:raises ${name}: ${text(description)}`))
}

const withoutTables = (description: string) => description.trim().replace(/\s*\n\s*/g, ' ')

/** The errors that depend on the call. The others may come from any: see `MayflyError`. */
const errorNames: Record<string, string> = {
  400: 'InvalidRequestError', 404: 'NotFoundError', 409: 'ConflictError', 413: 'InvalidRequestError',
}

function errorsOf({ document }: Context, { responses }: OpenAPIV3_1.OperationObject): [name: string, description: string][] {
  return Object.entries(responses!).flatMap(([status, response]): [string, string][] => {
    const name = errorNames[status]
    return name ? [[name, resolveRef<OpenAPIV3_1.ResponseObject>(document, response).description]] : []
  })
}
