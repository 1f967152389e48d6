import type { Context, Next } from 'koa'
import type { OpenAPIV3_1 } from 'openapi-types'
import type { OperationId } from '../../contract/operations.gen.ts'
import type { ErrorBody } from '../../contract/types.gen.ts'
import { dialectHeaderName, dialects } from '../../dialects/dialects.ts'
import { openValidation, operationsAt } from './call.ts'
import type { Backend, Validation } from './validation.ts'

/** Compares every answer with a document, for tests. */
export interface ReplyCheck {
  /** The OpenAPI document, perhaps with stricter schemas of answers. */
  document: OpenAPIV3_1.Document
  /** The same for answers of the classic dialect. */
  classicDocument(): OpenAPIV3_1.Document
  /** Called with every answer to an operation. */
  onReply(reply: CheckedReply): void
}

interface CheckedReply {
  operationId: OperationId
  status: number
  /** Differences from the document. */
  faults: string[]
  /** Whether the call requested this status with `X-Mayfly-Fault`, the store is away, or the account moves: no operation documents it. */
  isUndocumented: boolean
}

const limitHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']

/** Replaces an answer that the document does not describe by a 500 with the differences. */
export const checkReplies = (validation: Validation, { onReply, classicDocument }: ReplyCheck) => async (ctx: Context, next: Next) => {
  await next()
  const named = String(ctx.req.headers[dialectHeaderName])
  const dialect = Object.hasOwn(dialects, named) ? named : ctx.state.dialect
  const { backend } = dialect === 'classic' ? await openValidation(classicDocument()) : validation
  const isUndocumented = ctx.state.isRequestedFault === true || ctx.state.isAway === true
  const found = answeredOperations(ctx).flatMap((operationId) => {
    const faults = [...missingHeaders(ctx), ...isUndocumented ? [] : faultsOf(operationId, ctx.status, bodyOf(ctx), backend)]
      .map((fault) => `${operationId} ${ctx.status} ${fault}`)
    onReply({ operationId, status: ctx.status, faults, isUndocumented })
    return faults
  })
  if (found.length === 0) return
  ctx.status = 500
  ctx.body = { error: found.join('; '), code: 'INTERNAL_ERROR' } satisfies ErrorBody
}

/** The operation that was called; for a 405, all operations at the path, as each of them documents it. */
function answeredOperations(ctx: Context): readonly OperationId[] {
  const { operationId } = ctx.state
  if (operationId) return [operationId]
  return ctx.status === 405 ? operationsAt(ctx.path) : []
}

/** Compares an answer with the document. @returns the differences */
function faultsOf(operationId: OperationId, status: number, body: unknown, { router, validator }: Backend): string[] {
  const operation = router.getOperation(operationId)!
  if (!operation.responses?.[status]) return ['is not described']
  const { errors } = validator.validateResponse(body, operation, status)
  return (errors ?? []).map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`)
}

const missingHeaders = (ctx: Context) => limitHeaders.filter((name) => !ctx.response.get(name)).map((name) => `has no header ${name}`)

function bodyOf(ctx: Context): unknown {
  if (Buffer.isBuffer(ctx.body)) return JSON.parse(String(ctx.body)) // a long answer
  const isJson = ctx.response.is('application/json') && typeof ctx.body === 'object' && !('pipe' in (ctx.body ?? {}))
  return isJson ? JSON.parse(JSON.stringify(ctx.body)) : ctx.status === 204 ? null : undefined
}
