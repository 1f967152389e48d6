import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { Context, Next } from 'koa'
import type { App } from '../../context.ts'
import { invalidInput, malformedRequest, methodNotAllowed } from '../../errors.ts'
import { readVersion } from '../../version.ts'
import { bearer, invalidKey } from '../operations/authenticate.ts'
import { parseBody, readBody, sizeOfBody } from '../operations/body.ts'
import { goneSignal } from '../operations/call.ts'
import { whenRead } from '../operations/server-call.ts'
import type { ServerCalls } from '../operations/server-call.ts'
import type { InnerFetch } from '../wire/inner-request.ts'
import { isOfOtherOrigin, isOwnHost } from '../wire/session-cookie.ts'

/**
 * Middleware that answers the Model Context Protocol at `/mcp`, by its streamable HTTP transport without sessions. A tool calls operations
 * with the key of the request, as any client does, so they have its limits, its scopes and its audit records.
 */
export const serveMcp = (calls: ServerCalls, innerFetch: InnerFetch) => (ctx: Context, next: Next): Promise<void> =>
  ctx.path === '/mcp' ? answer(ctx, calls, innerFetch) : next()

async function answer(ctx: Context, calls: ServerCalls, innerFetch: InnerFetch) {
  const { app, share, unread, bodies, limitRate } = calls
  ctx.set('Cache-Control', 'no-store')
  const caller = await calls.authenticate(ctx, 'apiKey')
  await limitRate.count(ctx, caller)
  if (!caller) throw invalidKey(ctx)
  refuseOtherOrigin(ctx, app)
  if (ctx.method !== 'POST') {
    ctx.set('Allow', 'POST')
    throw methodNotAllowed('POST') // without sessions there is neither a stream to open (GET) nor a session to end (DELETE)
  }
  ctx.state.accountId = caller.accountId
  share.identify(ctx.req.socket, caller.accountId)
  unread.follow(caller.accountId, ctx.res)
  const body = await takeBody(ctx, bodies, caller.accountId)
  const { answerMcp } = await import('../../../mcp/http.ts') // most servers have no agents: the packages are loaded with the first
  const request = new Request(new URL('/mcp', app.baseUrl()), { method: 'POST', headers: headersOf(ctx), signal: goneSignal(app.closing, ctx) })
  await share.turn(caller.accountId)
  const response = await answerMcp(request, {
    body,
    version: readVersion(),
    scopes: caller.scopes,
    apiKey: bearer.exec(ctx.get('authorization'))![1]!,
    baseUrl: app.baseUrl(),
    fetch: (inner) => innerFetch(inner, ctx.ip, (connection) => share.identify(connection, caller.accountId)),
  })
  ctx.body = response.body && Readable.fromWeb(response.body as ReadableStream, { objectMode: false })
  ctx.status = response.status // after the body: without one, Koa makes it 204
  for (const [name, value] of response.headers) ctx.set(name, value)
  ctx.set('Cache-Control', 'no-store, no-transform') // a proxy that gathers or compresses progress would hold it back
  ctx.set('X-Accel-Buffering', 'no')
}

/** Against DNS rebinding: a page of another origin must not reach a server on the machine of its reader. */
function refuseOtherOrigin(ctx: Context, { baseUrl, config }: App) {
  const { origin } = ctx.req.headers
  const { corsOrigins } = config.http
  const isOwn = !isOfOtherOrigin(ctx.req, baseUrl()) && (origin === undefined || isOwnHost(ctx, baseUrl()))
  if (isOwn || corsOrigins.includes('*') || corsOrigins.includes(origin ?? '')) return
  ctx.state.refusedOrigin = origin
  throw malformedRequest(403, 'This request comes from a page of another origin. MAYFLY_CORS_ORIGINS names the origins that may call this server.')
}

async function takeBody(ctx: Context, bodies: ServerCalls['bodies'], accountId: string): Promise<unknown> {
  const bytes = sizeOfBody(ctx)
  if (bytes === undefined) throw invalidInput('The body is missing. Send a JSON-RPC message.')
  const release = await bodies.take(accountId, bytes)
  try {
    const body = parseBody(await readBody(ctx))
    if (Array.isArray(body)) throw invalidInput('body: must be one JSON-RPC message, not a list of them.')
    return body
  } finally {
    whenRead(ctx.req, release)
  }
}

/** The headers of the transport. */
const headersOf = ({ req }: Context): [string, string][] => Object.entries(req.headers)
  .filter(([name]) => /^(accept|content-type|mcp-.*)$/.test(name))
  .map(([name, value]) => [name, String(value)])
