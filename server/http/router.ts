import Router from '@koa/router'
import type { Context, Middleware } from 'koa'
import type { App } from '../context.ts'
import { operations } from '../contract/operations.gen.ts'
import type { OperationId } from '../contract/operations.gen.ts'
import { auditTrail } from './audit.ts'
import { openBackend } from './backend.ts'
import { endCall, openCall } from './call.ts'
import type { UnmatchedCall } from './call.ts'
import type { FairShare } from './fair-share.ts'
import { openIdempotency } from './idempotency.ts'
import type { HttpLimits } from './limits.ts'
import type { MatchedRequest } from './matched-router.ts'
import { queryParameters, queryReader } from './query.ts'
import { requestSteps } from './steps.ts'
import type { Validation } from './validation.ts'

export interface ApiRouter {
  middleware: Middleware
  /** Writes waiting audit records, except those that still count calls. */
  flush(): Promise<unknown>
  /** Waits for the requests in progress, then writes all waiting audit records. */
  close(): Promise<unknown>
}

/** Routes each operation of the document: @koa/router finds it by path and method, openapi-backend runs the steps of its request. */
export async function apiRouter(
  app: App, validation: Validation, { limits, share }: { limits: HttpLimits, share: FairShare },
): Promise<ApiRouter> {
  const router = new Router({ sensitive: true })
  const audit = auditTrail(app)
  const backend = await openBackend(validation, requestSteps(app, { validation, limits, share, audit, carryOutOnce: openIdempotency(app) }))

  for (const operationId of inOrder(Object.keys(operations) as OperationId[])) {
    const operation = backend.getOperation(operationId)!
    const readQuery = queryReader(queryParameters(operation))
    router.register(operation.path.replaceAll(/\{(\w+)\}/g, ':$1'), [operation.method], async (ctx) => {
      ctx.state['operationId'] = operationId
      ctx.set('Cache-Control', 'no-store')
      const call = openCall(app, ctx, toRequest(ctx, { operation, query: readQuery(ctx.querystring) as MatchedRequest['query'] }))
      await audit.follow(ctx, call, async (auditOfChange) => {
        try {
          return await backend.handleRequest(call.request, call, auditOfChange) as unknown
        } finally {
          endCall(call)
        }
      })
    })
  }

  const dispatch = router.routes() as unknown as Middleware
  const refuse = (ctx: Context) => {
    const request = toRequest(ctx, { allowedMethods: allowedMethods(router, ctx) })
    return backend.handleRequest(request, { ctx, request } satisfies UnmatchedCall)
  }
  return {
    flush: audit.flush,
    async close() {
      await share.idle()
      await new Promise(setImmediate) // in this turn the last request adds its audit record
      await audit.close()
    },
    // HEAD is not in the document, though the router adds it to every GET
    middleware: (ctx) => ctx.method === 'HEAD' ? refuse(ctx) : dispatch(ctx, () => refuse(ctx)),
  }
}

/** Paths without parameters first: `/emails/wait` before `/emails/{id}`. */
const inOrder = (ids: OperationId[]) =>
  ids.toSorted((a, b) => Number(operations[a].path.includes('{')) - Number(operations[b].path.includes('{')))

function toRequest(ctx: Context, parts: Partial<MatchedRequest>): MatchedRequest {
  return {
    method: ctx.method,
    path: ctx.path,
    operation: undefined,
    allowedMethods: [],
    params: (ctx['params'] ?? {}) as Record<string, string>,
    query: {},
    headers: {},
    cookies: {},
    requestBody: undefined,
    ...parts,
  }
}

/** Methods of the operations at the path of a request. */
function allowedMethods(router: Router, ctx: Context): string[] {
  const { path } = router.match(ctx.path, ctx.method)
  return [...new Set(path.flatMap((layer) => layer.methods))].filter((method) => method !== 'HEAD')
}
