import type { Context, Next } from 'koa'
import type { CompatibleApi } from '../../config/config.ts'
import type { App } from '../../context.ts'
import { authenticateLogin } from '../../domain/smtp-logins.ts'
import { AppError, invalidApiKey, malformedRequest, methodNotAllowed, nothingFound } from '../../errors.ts'
import { uuid } from '../../ids.ts'
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
    return served ? calls.follow(() => answer(ctx, calls, served, path!)) : next()
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
  const caller = login && { accountId: login.accountId, mode: login.mode, plan: login.plan, apiKeyId: null, sessionId: null, scopes: [] }
  ctx.state.accountId = login?.accountId
  if (login) {
    share.identify(ctx.req.socket, login.accountId)
    unread.follow(login.accountId, ctx.res)
  }
  await calls.limitRate.count(ctx, caller)
  if (!login) throw invalidApiKey('Send the user name and the password of the SMTP login of an address (HTTP Basic authentication).')
  refuseForged(ctx, app)
  const [route, captured] = findRoute(ctx, apis[name].routes, path)
  let releaseBody: (() => void) | undefined
  let call: CompatibleCall | undefined
  let status = 500
  let hasShare = false
  try {
    if (route.operationId) authorizePlan(caller!, route.operationId)
    const bytes = route.takesBody ? sizeOfBody(ctx) : undefined
    if (bytes !== undefined) releaseBody = await calls.bodies.take(login.accountId, bytes)
    const text = bytes === undefined ? '' : await readBody(ctx)
    await share.startRequest(login.accountId)
    hasShare = true
    unread.check(login.accountId)
    const basePath = `${basePathOf(app.baseUrl())}/compatible/${name}`
    call = new CompatibleCall(ctx, calls, { caller: caller!, address: login, path: captured, body: parseBody(text) as object, basePath })
    ctx.status = status = 200
    await call.send(await app.db.engine.runForAccount(login.accountId, route.answer, call))
    status = ctx.status
  } catch (error) {
    if (error instanceof AppError) status = error.status
    throw error
  } finally {
    if (route.operationId) {
      const audited = { ctx, caller, operationId: route.operationId, path: { id: uuid.test(captured[0] ?? '') ? captured[0]! : login.id }, query: {} }
      calls.audit.record({ ...audited, reply: undefined, isAudited: call?.isAudited ?? false }, status)
    }
    if (hasShare) share.endRequest(login.accountId)
    if (releaseBody) whenRead(ctx.req, releaseBody)
  }
}

const basic = /^Basic +([\w+/-]+=*) *$/i

async function findLogin(ctx: Context, app: App) {
  const encoded = basic.exec(ctx.get('authorization'))?.[1]
  const [, username, password] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded ?? '', 'base64').toString()) ?? []
  if (username === undefined || password === undefined) return undefined
  return app.db.engine.runForAccount(clientNetwork(ctx.ip), authenticateLogin, app, username, password)
}

/** A browser sends a login that it knows with requests of any page (CSRF). */
function refuseForged({ req, method }: Context, { baseUrl, config }: App) {
  const origin = req.headers.origin ?? ''
  if (method === 'GET' || method === 'HEAD' || !isOfOtherOrigin(req, baseUrl())) return
  if (config.http.corsOrigins.includes(origin) || config.http.corsOrigins.includes('*')) return
  throw malformedRequest(403, 'This request comes from a page of another origin. MAYFLY_CORS_ORIGINS names the origins that may change something.')
}

/** @throws AppError `NOT_FOUND`, `METHOD_NOT_ALLOWED` */
function findRoute(ctx: Context, routes: CompatibleRoute[], path: string): [route: CompatibleRoute, captured: string[]] {
  const method = ctx.method === 'HEAD' ? 'GET' : ctx.method
  const matching = routes.filter((route) => route.path.test(path))
  const route = matching.find((each) => each.method === method)
  if (route) return [route, route.path.exec(path)!.slice(1)]
  if (matching.length === 0) throw nothingFound('Mayfly does not have this call.')
  const allowed = [...new Set(matching.map((each) => each.method))].join(', ')
  ctx.set('Allow', allowed)
  throw methodNotAllowed(allowed)
}
