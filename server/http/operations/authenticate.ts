import type { Context } from 'koa'
import { hourMs, timestamp } from '../../clock.ts'
import type { App, Caller } from '../../context.ts'
import { operations } from '../../contract/operations.gen.ts'
import type { OperationId } from '../../contract/operations.gen.ts'
import type { Scope } from '../../contract/types.gen.ts'
import { openKeyLookup } from '../../domain/api-keys.ts'
import { requirePlanWithApi } from '../../domain/plans.ts'
import { callerOf, findSession } from '../../domain/sessions.ts'
import { findSharer } from '../../domain/share-links.ts'
import { invalidApiKey, invalidRequest, missingScope, planRequired } from '../../errors.ts'
import type { AppError } from '../../errors.ts'
import { plansWithApi } from '../../store/schema/values.ts'
import { authorizeBound } from './bounds.ts'
import type { Scheme } from './call.ts'
import { authorizeRole } from './roles.ts'
import { isForged, readSessionCookie, setSessionCookie } from '../wire/session-cookie.ts'

/** @returns the caller of a request by a security scheme of the document; undefined when its credentials are missing or not valid */
export type Authenticate = (ctx: Context, scheme: Scheme) => Promise<Caller | undefined>

/** Selects the mode of a request with a session; a key has one. */
const modeHeader = 'X-Mayfly-Mode'

/** A request with a key is not one of a session: its cookie is not read. */
export function openAuthenticate({ db, clock, baseUrl, keyUses, sessionUses }: App): Authenticate {
  const find = openKeyLookup(db)

  async function findCallerOfSession(ctx: Context, cookie: string): Promise<Caller | undefined> {
    const holder = isForged(ctx.req, baseUrl()) ? undefined : await findSession(db, cookie)
    if (!holder) return undefined
    if (!ctx.headerSent) { // a stream that is open does not extend its session
      if (hourOf(holder.usedAt) !== hourOf(clock.now())) setSessionCookie(ctx, baseUrl(), cookie)
      sessionUses.record(holder.sessionId)
    }
    return callerOf(holder, ctx.req.headers['x-mayfly-mode'] === 'test' ? 'test' : 'live')
  }

  return async (ctx, scheme) => {
    const { authorization } = ctx.req.headers
    if (scheme === 'session') {
      const cookie = authorization === undefined ? readSessionCookie(ctx.req, baseUrl()) : undefined
      return cookie === undefined ? undefined : findCallerOfSession(ctx, cookie)
    }
    const key = bearer.exec(authorization ?? '')?.[1]
    if (scheme === 'share') return key === undefined ? undefined : findSharer(db, key)
    const caller = key && await find(key)
    if (!caller) return undefined
    if (caller.endsAt !== null && caller.endsAt <= clock.now()) {
      ctx.state.keyEndedAt = caller.endsAt
      return undefined
    }
    keyUses.record(caller.apiKeyId)
    return caller
  }
}

/** The cookie is sent again with the first use in an hour: the browser keeps it as long as the server keeps the session. */
const hourOf = (time: number) => Math.floor(time / hourMs)

/** The header `Authorization` with a key or a token, which is the first group. */
export const bearer = /^Bearer +(\S+) *$/i

/**
 * The one check of a caller's rights, by operation.
 * @throws AppError `INVALID_API_KEY`, `PLAN_REQUIRED`, `MISSING_SCOPE`; `INVALID_REQUEST` for the header of the mode
 */
export function authorize(ctx: Context, caller: Caller | undefined, operationId: OperationId, { baseUrl }: Pick<App, 'baseUrl'>): asserts caller {
  const { scope, isShared } = operations[operationId]
  if (isShared) return authorizeShare(caller)
  if (!caller) throw invalidCredentials(ctx, scope, baseUrl())
  if (caller.sessionId !== null) checkMode(ctx)
  else if (scope === null) throw invalidSession()
  if (caller.member) authorizeRole(caller.member, operationId)
  authorizePlan(caller, operationId)
  if (scope !== null && !caller.scopes.includes(scope)) throw lacksScope(scope)
  if (caller.bound) authorizeBound(operationId)
}

function authorizeShare(caller: Caller | undefined): asserts caller {
  if (!caller?.share) throw invalidApiKey('This link is unknown, was ended, or has expired. Ask for a new one.')
}

/** Part of every plan, so that an account finds the webhooks that its plan does not include, in order to end them. */
const readsOfWebhooks: OperationId[] = ['webhooks.list', 'webhooks.get', 'webhooks.deliveries']

/** Changes that end a resource: part of every plan while the body has no other members and values than these. */
const endingBodies: { [Id in OperationId]?: Record<string, unknown> } = {
  'webhooks.update': { isActive: false },
  'forwardingRules.update': { isActive: false, forwardToId: null },
}

/**
 * Checks the plan of a caller: before its body is read, and with the body. Keys need a plan with the API, and sessions do for webhooks.
 * @throws AppError `PLAN_REQUIRED`, but never for an operation that ends a resource
 */
export function authorizePlan({ plan, sessionId }: Caller, operationId: OperationId, body?: object) {
  if (plansWithApi.includes(plan) || !needsPlanWithApi(operationId, sessionId === null ? 'key' : 'session')) return
  const ending = endingBodies[operationId]
  if (ending && Object.entries(body ?? {}).every(([name, value]) => ending[name] === value)) return
  if (sessionId !== null) requirePlanWithApi('Webhooks', plan)
  throw planRequired(`The API is part of the Business plan; this account has the ${plan} plan.`)
}

/** Whether an operation that has a scope needs one of `plansWithApi`. */
export function needsPlanWithApi(operationId: OperationId, credential: 'key' | 'session'): boolean {
  const { scope, method } = operations[operationId]
  const isPartOfApi = credential === 'key' || scope === 'webhooks:manage'
  return isPartOfApi && method !== 'delete' && !readsOfWebhooks.includes(operationId)
}

function checkMode({ req }: Context) {
  const mode = req.headers['x-mayfly-mode']
  if (mode !== undefined && mode !== 'live' && mode !== 'test') throw invalidRequest(`header.${modeHeader}`, 'must be live or test')
}

function invalidCredentials(ctx: Context, scope: Scope | null, baseUrl: string): AppError {
  const { req } = ctx
  const hasSession = req.headers.authorization === undefined && readSessionCookie(req, baseUrl) !== undefined
  if (hasSession && isForged(req, baseUrl)) return forgedRequest(baseUrl)
  if (hasSession || scope === null) return invalidSession()
  return invalidKey(ctx)
}

/** The error of a request without a valid key, after `Authenticate`. */
export const invalidKey = ({ state }: Context): AppError => invalidApiKey(state.keyEndedAt === undefined
  ? 'The API key is missing, malformed, unknown or revoked. Send "Authorization: Bearer <key>".'
  : `The API key ended at ${timestamp(state.keyEndedAt)}. Create a new one.`)

const invalidSession = () => invalidApiKey('The session is missing, has expired or was ended. Sign in to the dashboard again.')

/** The error of a request with a session from a page of another origin (CSRF). */
export const forgedRequest = (baseUrl: string): AppError => invalidApiKey(
  'A session is valid for pages of this server only, and this request does not come from one. ' +
  `Open the dashboard at ${baseUrl}, or set MAYFLY_BASE_URL to the URL in the address bar.`,
)

export const lacksScope = (scope: Scope): AppError => missingScope(`This key lacks the scope ${scope}. Create a key that has it.`)
