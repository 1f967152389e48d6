import { randomUUID } from 'node:crypto'
import type { Context, Next } from 'koa'
import type { App } from '../context.ts'
import type { CallerAddresses } from './caller-address.ts'
import { callerNetwork, windowAt, windowCounters } from './rate-limit.ts'

/** Maximum lines about refused requests of a caller, an account or a network, in a window of the rate limit. */
const maxRefusals = 100
/** Maximum callers per window with a counter of their own; further callers share one. */
const maxCallers = 100_000

/** One line a request: no header, no body, no query, so no secret and no mail. Refused requests of a caller have a limited number. */
export function logRequests(app: App, callers: CallerAddresses) {
  const refusals = windowCounters(maxCallers)
  return async (ctx: Context, next: Next) => {
    const start = performance.now()
    const requestId = randomUUID()
    ctx.state['requestId'] = requestId
    ctx.set('X-Request-Id', requestId)
    ctx.request.ip = callers.of(ctx.req) // sets `ctx.ip`: Koa does not know the trusted proxies
    await next()
    if (isRefusal(ctx)) {
      const caller = ctx.state['accountId'] as string | undefined ?? callerNetwork(ctx.ip)
      const count = refusals(windowAt(app.clock.now()), caller)
      if (count === maxRefusals + 1) app.log.info({ caller }, 'more refused requests of this caller are not logged in this minute')
      if (count > maxRefusals) return
    }
    app.log.info({
      requestId,
      ip: ctx.ip,
      method: ctx.method,
      path: ctx.path,
      operation: ctx.state['operationId'],
      status: ctx.status,
      ms: Math.round((performance.now() - start) * 100) / 100,
    }, 'request')
  }
}

const isRefusal = ({ status }: Context) => status >= 400 && status < 500

/** Errors of a connection whose caller went away, stalled, or sent what is not HTTP. */
const connectionError = /^(EPIPE|ECONNRESET|ECONNABORTED|ETIMEDOUT|ERR_STREAM_PREMATURE_CLOSE|ERR_HTTP_REQUEST_TIMEOUT|HPE_\w+)$/

/** Logs an error that came up after the answer had begun; one of the connection is no fault of this server. */
export const logAnswerError = (app: App) => (error: Error & { code?: unknown }) => {
  if (connectionError.test(String(error.code))) app.log.debug({ reason: error.message }, 'a connection failed')
  else app.log.error(error, 'answer failed')
}
