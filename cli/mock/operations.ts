import type { IHttpRequest } from '@stoplight/prism-http'
import type { Context } from 'koa'
import type { OpenAPIV3_1 } from 'openapi-types'
import { operations } from '../../server/contract/operations.gen.ts'
import { AppError } from '../../server/errors.ts'
import { answersOf } from './preference.ts'
import type { Answer } from './preference.ts'

export interface MockOperation {
  method: IHttpRequest['method']
  path: string
  pattern: RegExp
  answers: Answer[]
}

/** Every operation with what it may answer; a path with a name in a place comes before one that takes anything there. */
export function mockOperations(document: OpenAPIV3_1.Document): MockOperation[] {
  return Object.values(operations)
    .map(({ method, path }) => ({
      method,
      path,
      pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      answers: answersOf(document, document.paths![path]![method]!),
    }))
    .sort((a, b) => Number(a.path.includes('{')) - Number(b.path.includes('{')))
}

/** @throws AppError as the server: `NOT_FOUND`, or `METHOD_NOT_ALLOWED` where only the method is another */
export function findOperation(operations: MockOperation[], ctx: Context): MockOperation {
  const there = operations.filter(({ pattern }) => pattern.test(ctx.path))
  const found = there.find(({ method }) => method === ctx.method.toLowerCase())
  if (found) return found
  if (there.length === 0) throw new AppError('NOT_FOUND', 'There is nothing at this path. openapi.yaml describes what there is.')
  const allowed = [...new Set(there.map(({ method }) => method.toUpperCase()))].join(', ')
  ctx.set('Allow', allowed)
  throw new AppError('METHOD_NOT_ALLOWED', `This path takes ${allowed}.`)
}
