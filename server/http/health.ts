import type { Context } from 'koa'
import type { App } from '../context.ts'
import { waitAtMost } from '../deadline.ts'
import { haveTooManySources } from '../domain/source-moves.ts'
import { isLoopback } from '../network.ts'
import { hasAccounts } from '../store/accounts/accounts.ts'
import { pageRouter } from './pages/asset.ts'
import { isForwarded } from './wire/middleware.ts'
import { isOwnHost } from './wire/session-cookie.ts'

/** Time after which a database that gives no answer counts as unavailable. */
const maxAnswerMs = 5_000

/** `/healthz`: the process runs. `/readyz`: the database answers and there is disk space for mail. */
export const health = (app: App) => pageRouter()
  .all('/healthz', (ctx) => { ctx.body = { status: 'ok' } })
  .all('/readyz', async (ctx) => {
    const reason = await unreadyReason(app)
    ctx.status = reason ? 503 : 200
    ctx.body = reason ? { status: 'unavailable', reason } : { status: 'ready' }
  })
  .routes()

async function unreadyReason(app: App): Promise<string | undefined> {
  if (app.draining.aborted) return 'the server is about to end'
  try {
    if (await waitAtMost(maxAnswerMs, hasAccounts(app.db)) === undefined) throw new Error('no answer in time')
  } catch (error) {
    app.log.error(error, 'the database does not answer')
    return 'the database does not answer'
  }
  if (await haveTooManySources(app)) return 'too many sources of mail wait for their store: mail is answered 451'
  try {
    return await app.freeBytes() < app.config.minFreeBytes ? 'low on disk space: mail is answered 452' : undefined
  } catch (error) {
    app.log.error(error, 'the free disk space cannot be read')
    return 'the free disk space cannot be read: mail is answered 451'
  }
}

/** `/metrics`, for the callers that `MAYFLY_METRICS` allows. Others get the 404 of an unknown path. */
export const serveMetrics = (app: App) => pageRouter().get('/metrics', async (ctx, next) => {
  if (!isAllowed(app, ctx)) return next()
  const { contentType, text } = await app.metrics.exposition()
  ctx.set('Content-Type', contentType)
  ctx.set('Cache-Control', 'no-store')
  ctx.body = text
}).routes()

/** `auto` allows callers on this machine. A request with headers of a proxy came through a local proxy from elsewhere. */
const isAllowed = (app: App, ctx: Context) => app.config.metrics === 'true' || app.config.metrics === 'auto'
  && isLoopback(ctx.req.socket.remoteAddress) && !isForwarded(ctx.req, app.config.http.clientHeader) && isOwnHost(ctx, app.baseUrl())
