import Router from '@koa/router'
import type { Context, Middleware } from 'koa'
import { operationIds } from '../contract/paths.ts'
import type { ApiOperation, MatchedRequest } from './openapi-backend.ts'
import type { Pipeline } from './pipeline.ts'
import { queryParameters, queryReader } from './query.ts'
import type { Validation } from './validation.ts'

/** Finds the operation of a request by path and method, and hands both to the pipeline. */
export function routeOperations(
  { answerRequest: handle, refuseRequest: refuse }: Pick<Pipeline, 'answerRequest' | 'refuseRequest'>, { router: document }: Validation,
): Middleware {
  const router = new Router({ sensitive: true })
  // @koa/router compares a path with each of its routes; these have no parameter
  const withoutParameters = new Map<string, (ctx: Context) => Promise<void>>()

  for (const operationId of operationIds) {
    const operation = withOneScheme(document.getOperation(operationId)!)
    const readQuery = queryReader(queryParameters(operation))
    const answer = (ctx: Context) => handle(ctx, toRequest(ctx, { operation, query: readQuery(ctx.querystring) as MatchedRequest['query'] }))
    router.register(operation.path.replaceAll(/\{(\w+)\}/g, ':$1'), [operation.method], answer)
    if (!operation.path.includes('{')) withoutParameters.set(`${operation.method.toUpperCase()} ${operation.path}`, answer)
  }

  const dispatch = router.routes() as unknown as Middleware
  const unmatched = (ctx: Context) => refuse(ctx, toRequest(ctx, { allowedMethods: allowedMethods(router, ctx) }))
  // HEAD is not in the document, though the router adds it to every GET
  return (ctx) => {
    const answer = withoutParameters.get(`${ctx.method} ${ctx.path}`)
    if (answer) return answer(ctx)
    return ctx.method === 'HEAD' ? unmatched(ctx) : dispatch(ctx, () => unmatched(ctx))
  }
}

/** The handler of the first security scheme authenticates by all of them: the library would call one for each. */
const withOneScheme = (operation: ApiOperation): ApiOperation => ({ ...operation, security: operation.security?.slice(0, 1) })

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
