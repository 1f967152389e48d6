import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import type { Middleware } from 'koa'
import type { App } from '../context.ts'
import { document } from '../contract/document.ts'
import { waitAtMost } from '../deadline.ts'
import { clientAddress, isLoopback } from '../network.ts'
import { health, serveMetrics } from './health.ts'
import { httpLimits } from './limits.ts'
import type { HttpLimits } from './limits.ts'
import { FairShare } from './operations/fair-share.ts'
import { checkReplies } from './operations/reply-check.ts'
import type { ReplyCheck } from './operations/reply-check.ts'
import { ServerCalls } from './operations/server-call.ts'
import { openValidation } from './operations/validation.ts'
import { serveDashboard } from './pages/dashboard.ts'
import { serveDocs, serveDocument } from './pages/docs.ts'
import { verifyForwarding } from './pages/verify-forwarding.ts'
import { answerOnSocket, faultOfHeaders, ServerConnections } from './wire/connections.ts'
import {
  answerErrors, closeUnread, followRequests, logAnswerError, openCallerAddresses, openCors, openSecurityHeaders,
} from './wire/middleware.ts'
import { basePathOf } from './wire/session-cookie.ts'

export interface HttpListener {
  url: string
  port: number
  /** Writes waiting audit records of calls that were answered. */
  flush(): Promise<unknown>
  close(): Promise<void>
}

/** The beginning of the path of every operation, and of no page. */
const operationsPath = '/api/'

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
  const callers = openCallerAddresses(app.config.http)
  const validation = await openValidation(options.replyCheck?.document ?? document)
  const share = new FairShare()
  const calls = new ServerCalls(app, validation, { limits, share })

  const koa = new Koa()
  koa.on('error', logAnswerError(app))
  koa.use(closeUnread(limits))
  koa.use(followRequests(app, callers))
  if (options.replyCheck) koa.use(checkReplies(validation, options.replyCheck))
  koa.use(answerErrors(app))
  koa.use(await openSecurityHeaders(app.config))
  koa.use(refuseMalformed(calls))
  const { corsOrigins } = app.config.http
  const allowOrigins = corsOrigins.length > 0 ? openCors(corsOrigins) : undefined
  const { answer } = calls
  // before the pages, since most requests are calls of operations
  koa.use((ctx, next) => !ctx.path.startsWith(operationsPath) ? next() : allowOrigins ? allowOrigins(ctx, () => answer(ctx)) : answer(ctx))
  koa.use(verifyForwarding(app))
  koa.use(serveMetrics(app)) // before CORS: no page reads it
  if (allowOrigins) koa.use(allowOrigins)
  koa.use(health(app))
  koa.use(serveDocument(() => ({ ...document, servers: [{ url: app.baseUrl() }] })))
  koa.use(serveDocs(app))
  koa.use(serveDashboard(app, options.dashboardBuilt)) // after the other pages: it has all paths that they do not have
  koa.use(answer)

  const server = createServer({
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    connectionsCheckingInterval: limits.timeoutCheckMs,
    requireHostHeader: false, // by `wire/connections.ts`
    keepAliveTimeout: limits.idleTimeoutMs,
  })
  server.timeout = limits.stallTimeoutMs
  const handle = koa.callback()
  const basePath = app.config.baseUrl === null ? '' : basePathOf(app.config.baseUrl)
  new ServerConnections({
    limits, share, isUnbounded: (address) => callers.isProxy(address) || isLoopback(address),
    answer(req, res) {
      if (basePath !== '' || !req.url!.startsWith('/')) req.url = withoutBasePath(originForm(req.url!), basePath)
      void handle(req, res)
    },
    refuse(socket, fault) {
      const { remoteAddress = '' } = socket
      const ip = callers.isProxy(remoteAddress) ? undefined : clientAddress(remoteAddress)
      void answerOnSocket(socket, fault, { ip, limit: calls.limitRate })
    },
  }).limit(server)
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
      await calls.close()
    },
  }
}

/** A proxy may remove the path of the base URL, or not. */
const withoutBasePath = (target: string, basePath: string) =>
  target.startsWith(basePath) && /^[/?]|^$/.test(target.slice(basePath.length)) ? target.slice(basePath.length).replace(/^(?!\/)/, '/') : target

/** Refuses requests whose headers are at fault. They are counted as those without a key. */
const refuseMalformed = ({ limitRate }: ServerCalls): Middleware => async (ctx, next) => {
  const fault = faultOfHeaders(ctx.req)
  if (!fault) return next()
  ctx.set('Connection', 'close')
  await limitRate.count(ctx, undefined)
  throw fault
}

/**
 * The path and query of a request target (RFC 9112, section 3.2), which may be an absolute URL.
 * @returns `*`, which names no resource, for a malformed target: Koa's parser would throw wherever the path is read
 */
function originForm(target: string): string {
  if (target.startsWith('/') || target === '*') return target
  if (!URL.canParse(target)) return '*'
  const { pathname, search } = new URL(target)
  return pathname.startsWith('/') ? pathname + search : '*'
}
