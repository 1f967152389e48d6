import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import type { App } from '../context.ts'
import { document } from '../contract/document.ts'
import { waitAtMost } from '../deadline.ts'
import { clientAddress, isLoopback } from '../network.ts'
import { serveCompatibleApis } from './compatible/compatible-apis.ts'
import { health, serveMetrics } from './health.ts'
import { httpLimits } from './limits.ts'
import type { HttpLimits } from './limits.ts'
import { openValidation } from './operations/call.ts'
import { FairShare } from './operations/fair-share.ts'
import { checkReplies } from './operations/reply-check.ts'
import type { ReplyCheck } from './operations/reply-check.ts'
import { operationsPath, ServerCalls } from './operations/server-call.ts'
import { serveDashboard } from './pages/dashboard.ts'
import { serveDocs, serveDocuments } from './pages/docs.ts'
import { serveMcp } from './pages/mcp.ts'
import { signInByProvider } from './pages/provider-sign-in.ts'
import { verifyForwarding } from './pages/verify-forwarding.ts'
import { wellKnown } from './pages/well-known.ts'
import { refuseMalformed, ServerConnections } from './wire/connections.ts'
import { openInnerFetch } from './wire/inner-request.ts'
import { answerErrors, followRequests, logAnswerError, openCallerAddresses, openCors, securityHeaders } from './wire/middleware.ts'
import { answerOnSocket } from './wire/refusals.ts'
import { basePathOf, readSessionCookie } from './wire/session-cookie.ts'

export interface HttpListener {
  url: string
  port: number
  /** Writes waiting audit records of calls that were answered. */
  flush(): Promise<unknown>
  close(): Promise<void>
}

interface HttpOptions {
  /** Compares every answer with a document, for tests. */
  replyCheck?: ReplyCheck
  limits?: Partial<HttpLimits>
  /** Resolves when the files of the dashboard are built: a page that is requested earlier waits. Default: at once. */
  dashboardBuilt?: Promise<unknown>
}

/** Listens for HTTP. */
export async function listenHttp(app: App, options: HttpOptions): Promise<HttpListener> {
  const limits = { ...httpLimits, ...options.limits }
  const { cells } = app.network
  const passingOn = cells && (await import('./cells.ts')).openPassingOn(cells)
  const direct = openCallerAddresses(app.config.http)
  const callers = passingOn?.callers(direct) ?? direct
  const validation = await openValidation(options.replyCheck?.document ?? document)
  const share = new FairShare()
  const calls = new ServerCalls(app, validation, { limits, share })

  const koa = new Koa()
  koa.on('error', logAnswerError(app))
  koa.use(followRequests(app, callers, limits, securityHeaders(app.config)))
  if (options.replyCheck) koa.use(checkReplies(validation, options.replyCheck))
  koa.use(answerErrors(app))
  koa.use(refuseMalformed(calls.limitRate))
  const { corsOrigins } = app.config.http
  const allowOrigins = corsOrigins.length > 0 ? openCors(corsOrigins) : undefined
  if (allowOrigins) koa.use((ctx, next) => ctx.path.startsWith(operationsPath) ? allowOrigins(ctx, next) : next())
  if (passingOn) koa.use(passingOn.serve(calls, (socket) => connections.trust(socket)))
  koa.use(calls.answerOperation) // before the pages, since most requests are calls of operations
  koa.use(verifyForwarding(app))
  if (app.network.openId) koa.use(signInByProvider(calls, app.network.openId))
  koa.use(serveMetrics(app)) // before CORS: no page reads it
  if (allowOrigins) koa.use(allowOrigins)
  if (app.config.compatibleApis.length > 0) koa.use(serveCompatibleApis(calls))
  koa.use(serveMcp(calls, (...request) => openInnerFetch(server)(...request)))
  koa.use(health(app))
  koa.use(wellKnown(app))
  koa.use(serveDocuments(() => app.baseUrl()))
  koa.use(serveDocs(app, ({ req }) => readSessionCookie(req, app.baseUrl()) !== undefined))
  koa.use(serveDashboard(app, options.dashboardBuilt)) // after the other pages: it has all paths that they do not have
  koa.use(calls.answer)

  const server = createServer({
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    connectionsCheckingInterval: limits.timeoutCheckMs,
    requireHostHeader: false, // by `wire/connections.ts`
    keepAliveTimeout: limits.idleTimeoutMs,
  })
  server.timeout = limits.stallTimeoutMs
  const connections = new ServerConnections({
    limits, share, isUnbounded: (address) => callers.isProxy(address) || isLoopback(address), clientOf: callers.of,
    basePath: app.config.baseUrl === null ? '' : basePathOf(app.config.baseUrl),
    answer: koa.callback(),
    refuse(socket, fault) {
      const { remoteAddress = '' } = socket
      const ip = callers.isProxy(remoteAddress) ? undefined : clientAddress(remoteAddress)
      return answerOnSocket(socket, fault, { ip, limit: calls.limitRate })
    },
  })
  connections.limit(server)
  server.on('checkExpectation', (req, res) => server.emit('request', req, res)) // refused like others, by `wire/connections.ts`
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen({ port: app.config.http.port, host: app.config.http.host, backlog: limits.maxBacklog }, resolve)
  })
  const { port, family, address } = server.address() as AddressInfo
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`,
    port,
    flush: () => calls.audit.flush(),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      // a connection is idle once the request that it waited with has its answer
      const idle = setInterval(() => server.closeIdleConnections(), 20)
      server.closeIdleConnections()
      await waitAtMost(limits.closeTimeoutMs, closed)
      server.closeAllConnections()
      await closed
      clearInterval(idle)
      await connections.close()
      await calls.audit.close()
    },
  }
}
