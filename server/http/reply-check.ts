import type { Context, Next } from 'koa'
import type { ErrorBody } from '../contract/types.gen.ts'
import type { OperationId } from '../contract/operations.gen.ts'
import type { Validation } from './validation.ts'

const limitHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']

/** Compares every answer with the document. What it does not describe becomes a 500 that says so, and is noted in `faults`. */
export const checkReplies = (validation: Validation, faults: string[]) => async (ctx: Context, next: Next) => {
  await next()
  const found = faultsOf(validation, ctx)
  if (found.length === 0) return
  faults.push(...found)
  ctx.status = 500
  ctx.body = { error: found.join('; '), code: 'INTERNAL_ERROR' } satisfies ErrorBody
}

function faultsOf(validation: Validation, ctx: Context): string[] {
  const operationId = ctx.state['operationId'] as OperationId | undefined
  if (!operationId) return []
  const missing = limitHeaders.filter((name) => !ctx.response.get(name)).map((name) => `${operationId}: no header ${name}`)
  if (ctx.state['isAskedFault']) return missing // the document tells of these in words
  const isJson = ctx.response.is('application/json') && typeof ctx.body === 'object' && !('pipe' in (ctx.body ?? {}))
  const body = isJson ? JSON.parse(JSON.stringify(ctx.body)) : ctx.status === 204 ? null : undefined
  return [...missing, ...validation.reply(operationId, ctx.status, body)]
}
