import type { Context } from 'koa'
import type { Caller } from '../../server/context.ts'
import { operations } from '../../server/contract/operations.gen.ts'
import type { OperationId } from '../../server/contract/operations.gen.ts'
import { allScopes } from '../../server/domain/api-keys.ts'
import { authorize, bearer } from '../../server/http/operations/authenticate.ts'
import { readSessionCookie } from '../../server/http/wire/session-cookie.ts'

/** URLs of servers for which the cookie of a session has either name. */
const baseUrls = ['http://localhost', 'https://localhost']

const anyShare = { linkId: 'mock', addressId: 'mock', address: 'mock', expiresAt: 0 }
const anyone = { accountId: 'mock', bound: undefined, plan: 'business', scopes: allScopes, dialect: 'primary' } as const
const anyMember = { email: 'ada@example.com', role: 'owner', isProven: true } as const

/**
 * The mock accepts any key, any cookie and any token of a share link, with every scope. A live key cannot request faults, as on the server.
 * @throws AppError `INVALID_API_KEY` without them, except for an operation that needs none
 */
export function mockCaller(ctx: Context, operationId: OperationId): Caller {
  const caller = operations[operationId].isShared ? sharerOf(ctx) : callerOf(ctx)
  if (!operations[operationId].isPublic) authorize(ctx, caller, operationId, { baseUrl: () => baseUrls[0]! })
  return caller ?? { ...anyone, apiKeyId: null, sessionId: null, member: null, mode: 'live' }
}

const keyOf = ({ req }: Context) => bearer.exec(req.headers.authorization ?? '')?.[1]

const sharerOf = (ctx: Context): Caller | undefined =>
  keyOf(ctx) === undefined ? undefined : { ...anyone, apiKeyId: null, sessionId: null, member: null, mode: 'live', share: anyShare }

function callerOf(ctx: Context): Caller | undefined {
  const key = keyOf(ctx)
  if (key !== undefined) return { ...anyone, apiKeyId: 'mock', sessionId: null, member: null, mode: key.startsWith('svc_live_') ? 'live' : 'test' }
  if (ctx.req.headers.authorization !== undefined || !baseUrls.some((url) => readSessionCookie(ctx.req, url))) return undefined
  return { ...anyone, apiKeyId: null, sessionId: 'mock', member: anyMember, mode: ctx.req.headers['x-mayfly-mode'] === 'test' ? 'test' : 'live' }
}
