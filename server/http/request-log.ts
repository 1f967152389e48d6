import { randomUUID } from 'node:crypto'
import type { Context, Next } from 'koa'
import type { App } from '../context.ts'
import type { CallerAddresses } from './caller-address.ts'
import { clientNetwork } from '../network.ts'
import { windowAt } from './rate-limit.ts'
import { windowCounters } from './window-counters.ts'

/** Maximum log lines about refused requests, per window of the rate limit and caller (the account, or the network without a key). */
const maxRefusals = 100
/** Maximum callers per window with a counter of their own; further callers share one. */
const maxCallers = 100_000

/** Logs a line per request, without headers, body and query, which may contain secrets and mail. */
export function logRequests(app: App, callers: CallerAddresses) {
  const refusals = windowCounters(maxCallers)
  return async (ctx: Context, next: Next) => {
    const start = performance.now()
    const requestId = randomUUID()
    ctx.state.requestId = requestId
    ctx.res.setHeader('X-Request-Id', requestId)
    ctx.request.ip = callers.of(ctx.req) // sets `ctx.ip`: Koa does not know the trusted proxies
    await next()
    if (isRefusal(ctx)) {
      const caller = ctx.state.accountId ?? clientNetwork(ctx.ip)
      const count = refusals(windowAt(app.clock.now()), caller)
      if (count === maxRefusals + 1) app.log.info({ caller }, 'more refused requests of this caller are not logged in this minute')
      if (count > maxRefusals) return
    }
    app.log[probes.includes(ctx.path) ? 'debug' : 'info']({
      requestId,
      ip: ctx.ip,
      method: ctx.method,
      path: ctx.path,
      operation: ctx.state.operationId,
      status: ctx.status,
      ms: Math.round((performance.now() - start) * 100) / 100,
    }, 'request')
  }
}

/** Paths that monitors request every few seconds. */
const probes = ['/healthz', '/readyz', '/metrics']

const isRefusal = ({ status }: Context) => status >= 400 && status < 500

/** Error codes of a connection whose caller disconnected, stalled, or did not send HTTP. */
const connectionError = /^(EPIPE|ECONNRESET|ECONNABORTED|ETIMEDOUT|ERR_STREAM_PREMATURE_CLOSE|ERR_HTTP_REQUEST_TIMEOUT|HPE_\w+)$/

/** Logs an error after the answer has begun; errors of the connection at the level debug, as the server is not their cause. */
export const logAnswerError = (app: App) => (error: Error & { code?: unknown }) => {
  if (connectionError.test(String(error.code))) app.log.debug({ reason: error.message }, 'a connection failed')
  else app.log.error(error, 'answer failed')
}
