import type { Context, Next } from 'koa'
import type { CompatibleApi } from '../../config/config.ts'
import type { App } from '../../context.ts'
import { authenticateLogin } from '../../domain/smtp-logins.ts'
import { AppError, invalidApiKey, malformedRequest, methodNotAllowed, nothingFound } from '../../errors.ts'
import { clientNetwork } from '../../network.ts'
import { authorizePlan } from '../operations/authenticate.ts'
import { parseBody, readBody, sizeOfBody } from '../operations/body.ts'
import { whenRead } from '../operations/server-call.ts'
import type { ServerCalls } from '../operations/server-call.ts'
import { basePathOf, isOfOtherOrigin } from '../wire/session-cookie.ts'
import { CompatibleCall } from './compatible-call.ts'
import type { CompatibleRoute, CompatibleRoutes } from './compatible-call.ts'
import { writeError } from './compatible-reply.ts'
import { maildev } from './maildev.ts'
import { mailhog } from './mailhog.ts'
import { mailpit } from './mailpit.ts'

const apis: Record<CompatibleApi, CompatibleRoutes> = { mailpit, mailhog, maildev }

/**
 * Middleware that answers the APIs of other test servers for the mail of one address. A request has the SMTP login of the address
 * (RFC 7617, section 2), and the limits of an API key of its account.
 */
export function serveCompatibleApis(calls: ServerCalls) {
  const { compatibleApis } = calls.app.config
  return (ctx: Context, next: Next): Promise<void> => {
    const [, name, path] = pathOfApi.exec(ctx.path) ?? []
    const served = compatibleApis.find((each) => each === name)
    return served ? answer(ctx, calls, served, path!) : next()
  }
}

const pathOfApi = /^\/compatible\/([a-z]+)(\/.*)$/

async function answer(ctx: Context, calls: ServerCalls, name: CompatibleApi, path: string) {
  ctx.set('Cache-Control', 'no-store')
  try {
    await answerLogin(ctx, calls, name, path)
  } catch (error) {
    calls.limitRate.setHeaders(ctx)
    if (!(error instanceof AppError) || error.status >= 500) throw error
    ctx.status = error.status
    if (error.code === 'INVALID_API_KEY') ctx.set('WWW-Authenticate', 'Basic realm="Mayfly", charset="UTF-8"')
    if (error.retryAfter !== undefined) ctx.set('Retry-After', String(error.retryAfter))
    writeError(ctx, apis[name].toError(error.message))
  }
}

async function answerLogin(ctx: Context, calls: ServerCalls, name: CompatibleApi, path: string) {
  const { app, share, unread } = calls
  const login = await findLogin(ctx, app)
  if (!login) {
    await calls.limitRate.count(ctx, undefined)
    throw invalidApiKey('Send the user name and the password of the SMTP login of an address (HTTP Basic authentication).')
  }
  ctx.state.accountId = login.accountId
  share.identify(ctx.req.socket, login.accountId)
  unread.follow(login.accountId, ctx.res)
  const { accountId, mode, plan } = login
  const caller = { accountId, mode, bound: undefined, plan, apiKeyId: null, sessionId: null, member: null, scopes: [], dialect: 'primary' as const }
  const matching = apis[name].routes.filter((route) => route.path.test(path))
  const route = matching.find(({ method }) => method === (ctx.method === 'HEAD' ? 'GET' : ctx.method))
  const captured = route?.path.exec(path)!.slice(1) ?? []
  const basePath = `${basePathOf(app.baseUrl())}/compatible/${name}`
  const call = new CompatibleCall(ctx, calls, { caller, address: login, path: captured, basePath })
  try {
    await calls.limitRate.count(ctx, caller)
    refuseForged(ctx, app)
    if (!route) throw noRoute(ctx, matching)
    await carryOut(ctx, calls, route, call)
    call.record(route, ctx.status)
  } catch (error) {
    call.record(route, error instanceof AppError ? error.status : 500)
    throw error
  }
}

/** Carries out a counted call, in the steps of a `ServerCall`. */
async function carryOut(ctx: Context, { app, bodies, share, unread }: ServerCalls, route: CompatibleRoute, call: CompatibleCall) {
  const { caller, caller: { accountId } } = call
  using held = new DisposableStack()
  if (route.operationId) authorizePlan(caller, route.operationId)
  const bytes = route.takesBody ? sizeOfBody(ctx) : undefined
  if (bytes !== undefined) held.adopt(await bodies.take(accountId, bytes), (release) => whenRead(ctx.req, release))
  const text = bytes === undefined ? '' : await readBody(ctx)
  await share.startRequest(accountId)
  held.defer(() => share.endRequest(accountId))
  unread.check(accountId)
  call.body = parseBody(text) as Record<string, unknown>
  ctx.status = 200
  await call.send(await app.db.engine.runForAccount(accountId, route.answer, call))
}

const basic = /^Basic +([\w+/-]+=*) *$/i

async function findLogin(ctx: Context, app: App) {
  const encoded = basic.exec(ctx.get('authorization'))?.[1]
  const [, username, password] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded ?? '', 'base64').toString()) ?? []
  if (username === undefined || password === undefined) return undefined
  return app.db.engine.runForAccount(clientNetwork(ctx.ip), authenticateLogin, app, username, password)
}

/** A browser sends a login that it knows with requests of any page (CSRF). */
function refuseForged({ req, method, state }: Context, { baseUrl, config }: App) {
  const origin = req.headers.origin ?? ''
  if (method === 'GET' || method === 'HEAD' || !isOfOtherOrigin(req, baseUrl())) return
  if (config.http.corsOrigins.includes(origin) || config.http.corsOrigins.includes('*')) return
  state.refusedOrigin = origin
  throw malformedRequest(403, 'This request comes from a page of another origin. MAYFLY_CORS_ORIGINS names the origins that may change something.')
}

/** @param matching the routes of the path, with other methods */
function noRoute(ctx: Context, matching: CompatibleRoute[]): AppError {
  if (matching.length === 0) return nothingFound('Mayfly does not have this call.')
  const allowed = [...new Set(matching.map((each) => each.method))].join(', ')
  ctx.set('Allow', allowed)
  return methodNotAllowed(allowed)
}
