import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Context, Next } from 'koa'
import { lookupPath, maxNames } from '../config/cells.ts'
import type { Cells, FoundCell, LookedUp } from '../context.ts'
import { nameOfAddress, nameOfKey, nameOfSession, openAccountLookup } from '../domain/cells.ts'
import type { FindAccount } from '../domain/cells.ts'
import { AppError, invalidInput, UnavailableError } from '../errors.ts'
import { clientNetwork } from '../network.ts'
import { bearer } from './operations/authenticate.ts'
import { parseBody, readBody } from './operations/body.ts'
import { goneSignal } from './operations/call.ts'
import type { ServerCalls } from './operations/server-call.ts'
import type { CallerAddresses } from './wire/middleware.ts'
import { readSessionCookie } from './wire/session-cookie.ts'

/** Headers that are for one connection (RFC 9110, section 7.6.1), or were answered here. */
const hopHeaders = [
  'connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection', 'te', 'trailer', 'upgrade', 'expect',
]
const framingHeaders = ['content-length', 'transfer-encoding']
/** Of an answer of another cell: it does not have the account, which was moved meanwhile. */
const absentHeader = 'x-mayfly-absent'
/** Milliseconds without a byte of an answer that has begun: event streams have a comment each 15 seconds. */
const silenceMs = 60_000

/** The parts of the listener by which requests are passed on. */
export const openPassingOn = (cells: Cells) => ({
  /** As `direct`, and for a request that a cell has passed on the client that the cell reports. */
  callers: (direct: CallerAddresses): CallerAddresses => ({ ...direct, of: (req) => cells.readHeader(req)?.client ?? direct.of(req) }),
  serve: (calls: ServerCalls, trust: (socket: Socket) => void) => serveCells(calls, cells, trust),
})

/**
 * Middleware that passes on the requests of accounts of other cells. This cell is asked first, so that its own requests cost nothing more,
 * and guesses count against the rate limit before other cells are asked.
 * @param trust called with connections of other cells
 */
function serveCells(calls: ServerCalls, cells: Cells, trust: (socket: Socket) => void) {
  const find = openAccountLookup(calls.app)
  return async (ctx: Context, next: Next): Promise<void> => {
    const sent = cells.readHeader(ctx.req)
    if (sent) trust(ctx.req.socket)
    if (sent?.client) return answerPassedOn(ctx, next, () => isAbsent(calls, ctx, find))
    if (sent && ctx.path === lookupPath) return answerLookup(ctx, calls, find)
    const name = nameOf(calls, ctx)
    if (!name) return next()
    const known = cells.known(name)
    if (known) return passOn(calls, ctx, known, name)
    const refusal = await next().then(() => ctx.status === 401 ? 'answered' : undefined, refusalOf)
    if (!refusal || ctx.headerSent) return
    const found = await find(name) === null ? await cells.find(name, clientNetwork(ctx.ip)) : undefined
    if (found) return passOn(calls, ctx, found, name)
    if (refusal !== 'answered') throw refusal
  }
}

function refusalOf(error: unknown): AppError {
  if (error instanceof AppError && error.code === 'INVALID_API_KEY') return error
  throw error
}

/** The key, login or session of a request; undefined where no account of another cell can answer. */
function nameOf({ app }: ServerCalls, { path, req }: Context): LookedUp | undefined {
  if (!/^\/(?:api|mcp|compatible)(?:\/|$)/.test(path)) return undefined
  const { authorization } = req.headers
  if (authorization === undefined) {
    const cookie = readSessionCookie(req, app.baseUrl())
    return cookie === undefined ? undefined : nameOfSession(cookie)
  }
  const [, login] = path.startsWith('/compatible/') && /^Basic +(\S+) *$/i.exec(authorization) || []
  if (login !== undefined) return nameOfAddress(app, Buffer.from(login, 'base64').toString().split(':')[0]!)
  const key = bearer.exec(authorization)?.[1]
  return key === undefined ? undefined : nameOfKey(key)
}

async function passOn({ app, share }: ServerCalls, ctx: Context, found: FoundCell, name: LookedUp): Promise<void> {
  const { cells } = app.network
  const { req, res, state } = ctx
  const { cell, accountId } = found
  delete state.operationId // the other cell counts it
  share.identify(req.socket, accountId)
  const headers = { ...endToEnd(req), ...cells!.headerFor(ctx.ip) }
  const hasBody = req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0
  app.metrics.cells?.passedOn('request')
  const sent = { method: ctx.method, path: req.url!, headers }
  const answer = await cell.send(sent, hasBody ? req : undefined, { accountId, gone: goneSignal(app.closing, ctx) })
  if (answer.headers[absentHeader] !== undefined) {
    answer.destroy()
    cells!.forget(name)
    throw new UnavailableError('place')
  }
  cells!.keep(name, found)
  answer.setTimeout(silenceMs, () => answer.destroy())
  answer.on('error', () => res.destroy()) // its reader must not take a part for the whole
  for (const header of res.getHeaderNames()) res.removeHeader(header)
  ctx.body = answer
  if (answer.statusCode === 204 || answer.statusCode === 304) answer.resume() // Koa drops it
  ctx.status = answer.statusCode!
  for (const header of res.getHeaderNames()) res.removeHeader(header) // which Koa has added
  for (const [header, value] of Object.entries(endToEnd(answer))) if (header !== 'transfer-encoding') res.setHeader(header, value!)
}

/** The headers that are not for one connection. Those with the length of the body stay, against request smuggling. */
function endToEnd({ headers }: IncomingMessage) {
  const named = (headers.connection ?? '').toLowerCase().split(',').map((each) => each.trim()).filter((each) => !framingHeaders.includes(each))
  return Object.fromEntries(Object.entries(headers).filter(([header]) => !hopHeaders.includes(header) && !named.includes(header)))
}

/** Answers a request that another cell has passed on, which is never passed on again. */
async function answerPassedOn(ctx: Context, next: Next, isAbsent: () => Promise<boolean>) {
  const mark = async () => { if (await isAbsent()) ctx.set(absentHeader, 'true') }
  try {
    await next()
    if (ctx.status === 401) await mark()
  } catch (error) {
    if (error instanceof AppError && error.code === 'INVALID_API_KEY') await mark()
    throw error
  }
}

async function isAbsent(calls: ServerCalls, ctx: Context, find: FindAccount): Promise<boolean> {
  const name = nameOf(calls, ctx)
  return name !== undefined && await find(name) === null
}

async function answerLookup(ctx: Context, { app, share }: ServerCalls, find: FindAccount) {
  const { cells } = app.network
  share.identify(ctx.req.socket, 'cells')
  const { names } = parseBody(await readBody(ctx)) as { names?: unknown }
  if (!Array.isArray(names) || names.length > maxNames) throw invalidInput(`body.names: must be a list of at most ${maxNames}.`)
  const accounts = await Promise.all(names.map((name) => find(String(name))))
  ctx.set('Cache-Control', 'no-store')
  ctx.body = { cell: app.config.defaultDomain, cells: cells!.names, accounts }
}
