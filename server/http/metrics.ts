import type { Context, Next } from 'koa'
import type { App } from '../context.ts'
import { isLoopback } from '../network.ts'
import { isForwarded } from './caller-address.ts'

/** Counts requests by operation and status. */
export const countRequests = (app: App) => async (ctx: Context, next: Next) => {
  const start = performance.now()
  app.metrics.openRequests.add(ctx.state)
  ctx.res.once('close', () => app.metrics.openRequests.delete(ctx.state))
  await next()
  app.metrics.requestAnswered(ctx.state.operationId ?? 'none', ctx.status, performance.now() - start)
}

/** `/metrics`, for the callers that `MAYFLY_METRICS` allows. Others get the 404 of an unknown path. */
export const serveMetrics = (app: App) => async (ctx: Context, next: Next) => {
  if (ctx.path !== '/metrics' || ctx.method !== 'GET' || !isAllowed(app, ctx)) return next()
  const { contentType, text } = await app.metrics.exposition()
  ctx.set('Content-Type', contentType)
  ctx.set('Cache-Control', 'no-store')
  ctx.body = text
}

/** `auto` allows callers on this machine. A request with headers of a proxy came through a local proxy from elsewhere. */
const isAllowed = ({ config }: App, { req }: Context) =>
  config.metrics === 'true' || config.metrics === 'auto' && isLoopback(req.socket.remoteAddress) && !isForwarded(req, config.http.clientHeader)
