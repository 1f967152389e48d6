import type { IHttpRequest } from '@stoplight/prism-http'
import type { Context } from 'koa'
import type { OpenAPIV3_1 } from 'openapi-types'
import { operations } from '../../server/contract/operations.gen.ts'
import type { OperationId } from '../../server/contract/operations.gen.ts'
import { operationIds, pathPattern } from '../../server/contract/paths.ts'
import { methodNotAllowed, nothingFound } from '../../server/errors.ts'
import { answersOf } from './preference.ts'
import type { ExampleAnswer } from './preference.ts'

export interface MockOperation {
  operationId: OperationId
  method: IHttpRequest['method']
  /** Has a named group for each parameter of the path. */
  pattern: RegExp
  answers: ExampleAnswer[]
}

/** Every operation with its answers, in the order in which `findOperation` compares their paths. */
export function mockOperations(document: OpenAPIV3_1.Document): MockOperation[] {
  return operationIds.map((operationId) => {
    const { method, path } = operations[operationId]
    return { operationId, method, pattern: pathPattern(operationId), answers: answersOf(document, document.paths![path]![method]!) }
  })
}

/**
 * @returns the operation, and the parameters in its path
 * @throws AppError as the server: `NOT_FOUND`, or `METHOD_NOT_ALLOWED` for a known path
 */
export function findOperation(operations: MockOperation[], ctx: Context): MockOperation & { parts: Record<string, string> } {
  const there = operations.filter(({ pattern }) => pattern.test(ctx.path))
  const found = there.find(({ method }) => method === ctx.method.toLowerCase())
  if (found) return { ...found, parts: { ...found.pattern.exec(ctx.path)!.groups } }
  if (there.length === 0) throw nothingFound('There is nothing at this path. openapi.yaml describes what there is.')
  const allowed = [...new Set(there.map(({ method }) => method.toUpperCase()))].join(', ')
  ctx.set('Allow', allowed)
  throw methodNotAllowed(allowed)
}
