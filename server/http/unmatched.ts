import type { Context } from 'koa'
import { operations } from '../contract/operations.gen.ts'
import { operationIds, pathPattern } from '../contract/paths.ts'
import { methodNotAllowed, nothingFound } from '../errors.ts'

const patterns = operationIds.map((id) => ({ pattern: pathPattern(id), method: operations[id].method.toUpperCase() }))

/** @throws AppError `NOT_FOUND`, or `METHOD_NOT_ALLOWED` for the path of an operation */
export function refuseUnmatched(ctx: Context): never {
  const allowed = patterns.filter(({ pattern }) => pattern.test(ctx.path)).map(({ method }) => method).join(', ')
  if (!allowed) throw nothingFound('There is nothing at this path. /docs describes what there is.')
  ctx.set('Allow', allowed)
  throw methodNotAllowed(allowed)
}
