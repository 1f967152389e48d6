import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { finished, Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import cors from '@koa/cors'
import helmet from 'helmet'
import ipaddr from 'ipaddr.js'
import type { Context, Middleware, Next } from 'koa'
import { lookupPath } from '../../config/cells.ts'
import type { Config } from '../../config/config.ts'
import type { App } from '../../context.ts'
import type { ErrorBody } from '../../contract/types.gen.ts'
import { waitAtMost } from '../../deadline.ts'
import { dialectHeaderName, dialectOf } from '../../dialects/dialects.ts'
import { AppError, internalError, UnavailableError } from '../../errors.ts'
import { addressMatcher, clientNetwork } from '../../network.ts'
import type { HttpLimits } from '../limits.ts'
import { RequestedFault } from '../operations/faults.ts'
import { windowAt, windowCounters } from '../operations/rate-limit.ts'
import { isEscaped } from '../operations/validation.ts'

/** Maximum log lines about refused requests, per window of the rate limit and caller (the account, or the network without a key). */
const maxRefusals = 100
/** Maximum callers per window with a counter of their own; further callers share one. */
const maxCallers = 100_000

/**
 * Follows a request from its id to its answer: metrics count it, and the log gets a line, without headers, body and query (secrets).
 * @param headers of every answer
 */
export function followRequests(app: App, callers: CallerAddresses, limits: HttpLimits, headers: Map<string, string>) {
  const refusals = windowCounters(maxCallers)
  const { openRequests } = app.metrics
  return async (ctx: Context, next: Next) => {
    const start = performance.now()
    const requestId = ctx.state.requestId = randomUUID()
    ctx.res.setHeader('X-Request-Id', requestId)
    for (const [name, value] of headers) ctx.res.setHeader(name, value)
    ctx.request.ip = callers.of(ctx.req) // sets `ctx.ip`: Koa does not know the trusted proxies
    openRequests.add(ctx.state)
    ctx.res.once('close', () => openRequests.delete(ctx.state))
    await next()
    if (app.draining.aborted) ctx.set('Connection', 'close') // the next request of this caller finds another node
    const ms = performance.now() - start
    if (!ctx.req.complete) await closeUnread(ctx, limits)
    app.metrics.requestAnswered(ctx.state.operationId ?? 'none', ctx.status, ms)
    if (ctx.status >= 400 && ctx.status < 500) {
      const caller = ctx.state.accountId ?? clientNetwork(ctx.ip)
      const count = refusals(windowAt(app.clock.now()), caller)
      if (count === maxRefusals + 1) app.log.info({ caller }, 'more refused requests of this caller are not logged in this minute')
      if (count > maxRefusals) return
    }
    const { refusedOrigin } = ctx.state
    if (refusedOrigin !== undefined) {
      app.log.info({ requestId }, `a page of the origin ${refusedOrigin} was refused: MAYFLY_CORS_ORIGINS does not name this origin`)
    }
    app.log[probes.includes(ctx.path) ? 'debug' : 'info']({
      requestId,
      ip: ctx.ip,
      method: ctx.method,
      path: ctx.path,
      operation: ctx.state.operationId,
      status: ctx.status,
      ms: Math.round(ms * 100) / 100,
    }, 'request')
  }
}

/** Paths that monitors and other cells request often. */
const probes = ['/healthz', '/readyz', '/metrics', lookupPath]

/** Error codes of a connection whose caller disconnected, stalled, or did not send HTTP. */
const connectionError = /^(EPIPE|ECONNRESET|ECONNABORTED|ETIMEDOUT|ERR_STREAM_PREMATURE_CLOSE|ERR_HTTP_REQUEST_TIMEOUT|HPE_\w+)$/

/** Logs an error after the answer has begun; errors of the connection at the level debug, as the server is not their cause. */
export const logAnswerError = (app: App) => (error: Error & { code?: unknown }) => {
  if (connectionError.test(String(error.code))) app.log.debug({ reason: error.message }, 'a connection failed')
  else app.log.error(error, 'answer failed')
}

/** Turns every error of a request into the error body of the contract. `answerOnSocket` does for a request without a response object. */
export const answerErrors = (app: Pick<App, 'log'> & Partial<Pick<App, 'db'>>) => async (ctx: Context, next: Next) => {
  try {
    await next()
  } catch (thrown) {
    const error = toAppError(app.db, thrown)
    ctx.state.isUnavailable = error instanceof UnavailableError
    // other outages are logged once for all requests
    const isLogged = error instanceof UnavailableError ? error.part === 'database' : error.status >= 500
    if (isLogged && !(error instanceof RequestedFault)) {
      app.log.error({ err: thrown, requestId: ctx.state.requestId }, 'request failed')
    }
    ctx.status = error.status
    const body = errorBody(error, (name, value) => ctx.set(name, value))
    ctx.body = dialectOf(ctx.req.headers[dialectHeaderName], ctx.state.dialect)?.toError(body) ?? body
  }
}

/** @param setHeader sets the headers that belong to the error */
export function errorBody({ code, message, details, retryAfter }: AppError, setHeader: (name: string, value: string) => void): ErrorBody {
  if (code === 'INVALID_API_KEY') setHeader('WWW-Authenticate', 'Bearer')
  if (retryAfter !== undefined) setHeader('Retry-After', String(retryAfter))
  return { error: message, code, ...(details && { details }) }
}

function toAppError(db: App['db'] | undefined, thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown
  const known = db?.engine.toAppError(thrown)
  if (known instanceof UnavailableError) return known
  return internalError('Something went wrong on this server. Its operator finds the reason in the log.')
}

/**
 * The security headers of an API: no response is an HTML page, unless a handler sets its own policy. They are the same in every response,
 * so helmet is called once.
 */
export function securityHeaders(config: Config): Map<string, string> {
  const headers = new Map<string, string>()
  const res = { setHeader: (name: string, value: string) => headers.set(name, value), removeHeader() {} }
  helmet(optionsOf(config))({} as IncomingMessage, res as unknown as ServerResponse, () => {})
  return headers
}

const optionsOf = ({ baseUrl }: Config): Parameters<typeof helmet>[0] => ({
  // HSTS for the host of the base URL only: its subdomains may belong to other services
  strictTransportSecurity: baseUrl?.startsWith('https:') === true && { includeSubDomains: false },
  contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
  xFrameOptions: { action: 'deny' },
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
})

/** The headers of answers in the contract. */
const answerHeaders = [
  'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'Retry-After', 'X-Request-Id', 'Content-Disposition',
  'X-Mayfly-Cursor', 'Idempotency-Replayed',
]

/**
 * Allows pages of these origins to call the API; `*` allows every origin.
 * @param more further headers that the pages may read
 */
export const openCors = (origins: string[], more: string[] = []): Middleware => cors({
  origin: (ctx) => origins.includes('*') || origins.includes(ctx.get('origin')) ? ctx.get('origin') : '',
  exposeHeaders: [...answerHeaders, ...more],
  maxAge: 600,
})

/**
 * Closes the connection of a request whose body was not read to its end, because it was refused or is too long. The response is sent
 * at once. Then the rest of the body is read within limits (lingering close): a TCP reset would discard the response before a caller
 * that still sends has read it.
 * @see RFC 9112, section 9.6
 */
export async function closeUnread(ctx: Context, limits: HttpLimits): Promise<void> {
  await setImmediate() // the response may be ready before the parser reaches the end of a body in the same packet
  if (ctx.req.complete) return
  ctx.set('Connection', 'close')
  if (ctx.body === null || ctx.body === undefined || ctx.method === 'HEAD') return
  if (ctx.body instanceof Readable) {
    ctx.body = Readable.from(andLinger(ctx.body, ctx.req, limits), { objectMode: false })
    return
  }
  const bytes = Buffer.isBuffer(ctx.body) ? ctx.body : Buffer.from(typeof ctx.body === 'string' ? ctx.body : JSON.stringify(ctx.body))
  ctx.body = Readable.from(andLinger([bytes], ctx.req, limits), { objectMode: false })
  ctx.length = bytes.length
}

async function* andLinger(answer: AsyncIterable<Uint8Array> | Uint8Array[], req: IncomingMessage, limits: HttpLimits) {
  yield* answer
  await linger(req, limits)
}

/** Resolves at the end of the body, when the caller disconnects, or after `maxLingerMs`. */
function linger(req: IncomingMessage, { maxLingerMs, maxLingerBytes }: HttpLimits) {
  let bytes = 0
  req.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > maxLingerBytes) req.pause()
  })
  return waitAtMost(maxLingerMs, new Promise<void>((resolve) => { finished(req, () => resolve()) }))
}

export interface CallerAddresses {
  /** The IP address of a caller: the peer of the connection, or the address that trusted proxies report. */
  of(req: IncomingMessage): string
  /** Whether this peer address is that of a trusted proxy, which other callers share. */
  isProxy(address: string): boolean
}

/** Headers that proxies add. */
const forwardingHeader = /^(forwarded|via|x-real-ip|x-forwarded-.+)$/

/** Whether a request has headers that proxies add. @param clientHeader the header by `MAYFLY_CLIENT_HEADER`, in lower case */
export const isForwarded = ({ headers }: IncomingMessage, clientHeader: string): boolean =>
  clientHeader in headers || Object.keys(headers).some((name) => forwardingHeader.test(name))

/**
 * Determines the IP addresses of callers. Forwarded addresses are read from one header alone, from the last hop backwards, as long as the
 * hop that reports one is trusted: a caller can write anything into the entries before that, and into other headers (IP spoofing).
 */
export function openCallerAddresses({ trustedProxies, clientHeader }: Config['http']): CallerAddresses {
  const isTrusted = addressMatcher(trustedProxies)
  const hopsOf = clientHeader === 'forwarded' ? hopsOfForwarded : hopsOfList
  const lastUntrusted = (peer: string, hops: (string | undefined)[]) => {
    let address = peer
    for (const hop of hops.toReversed()) {
      if (hop === undefined || !isTrusted(address)) break
      address = hop
    }
    return address
  }
  const peers = new WeakMap<Socket, string>()
  return {
    of({ socket, headers }) {
      let peer = peers.get(socket)
      if (peer === undefined) peers.set(socket, peer = plainAddress(socket.remoteAddress ?? '') ?? '')
      const header = headers[clientHeader]
      return header === undefined || !isTrusted(peer) ? peer : lastUntrusted(peer, hopsOf(String(header)))
    },
    isProxy: isTrusted,
  }
}

/** `X-Forwarded-For` and other headers: addresses from the first caller to the last proxy, some with a port. */
const hopsOfList = (header: string) => header === '' ? [] : header.split(',').map((hop) => addressIn(hop.trim()))

/** `Forwarded` (RFC 7239, section 4): one `for=` per hop, in quotes when it has a port or is IPv6; it may be an obfuscated name. */
function hopsOfForwarded(header: string) {
  return elementsOf(header).map((element) => {
    const [, quoted, token] = /(?:^|;)\s*for=(?:"((?:[^"\\]|\\.)*)"|([^;,\s"]*))/i.exec(element) ?? []
    return addressIn(quoted?.replaceAll(/\\(.)/g, '$1') ?? token ?? '')
  })
}

/**
 * The elements of `Forwarded`, which commas outside of quotes separate. Read from the end: a quote that a caller leaves open must not take
 * the elements of the proxies after it into its own.
 */
function elementsOf(header: string): string[] {
  const elements: string[] = []
  let end = header.length
  let isQuoted = false
  for (let at = header.length - 1; at >= 0; at--) {
    if (header[at] === '"' && !isEscaped(header, at)) isQuoted = !isQuoted
    if (header[at] !== ',' || isQuoted) continue
    elements.push(header.slice(at + 1, end))
    end = at
  }
  return [...elements, header.slice(0, end)].reverse()
}

/** @returns undefined unless the hop is an IP address, optionally in brackets and with a port */
function addressIn(hop: string): string | undefined {
  const [, bracketed, ipv4] = /^(?:\[([^\]]+)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+)(?::\d+)?)$/.exec(hop) ?? []
  return plainAddress(bracketed ?? ipv4 ?? hop)
}

/** Normalized; an IPv4-mapped IPv6 address becomes IPv4. */
const plainAddress = (text: string): string | undefined => isAddress(text) ? ipaddr.process(text).toString() : undefined

/** Stricter than ipaddr.js alone, which accepts `1`, octal and hexadecimal numbers as IPv4. */
const isAddress = (text: string) => ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text)
