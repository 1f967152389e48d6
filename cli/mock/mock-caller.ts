import type { Context } from 'koa'
import type { Caller } from '../../server/context.ts'
import { operations } from '../../server/contract/operations.gen.ts'
import type { OperationId } from '../../server/contract/operations.gen.ts'
import { allScopes } from '../../server/domain/api-keys.ts'
import { authorize, bearer } from '../../server/http/operations/authenticate.ts'
import { readSessionCookie } from '../../server/http/wire/session-cookie.ts'

/** URLs of servers for which the cookie of a session has either name. */
const baseUrls = ['http://localhost', 'https://localhost']

const anyone = { accountId: 'mock', plan: 'business', scopes: allScopes, dialect: 'primary' } as const
const anyMember = { email: 'ada@example.com', role: 'owner', isProven: true } as const

/**
 * The mock accepts any key and any cookie, with every scope. A live key cannot request faults, as on the server.
 * @throws AppError `INVALID_API_KEY` without them, except for an operation that needs none
 */
export function mockCaller(ctx: Context, operationId: OperationId): Caller {
  const caller = callerOf(ctx)
  if (!operations[operationId].isPublic) authorize(ctx, caller, operationId, { baseUrl: () => baseUrls[0]! })
  return caller ?? { ...anyone, apiKeyId: null, sessionId: null, member: null, mode: 'live' }
}

function callerOf(ctx: Context): Caller | undefined {
  const key = bearer.exec(ctx.req.headers.authorization ?? '')?.[1]
  if (key !== undefined) return { ...anyone, apiKeyId: 'mock', sessionId: null, member: null, mode: key.startsWith('svc_live_') ? 'live' : 'test' }
  if (ctx.req.headers.authorization !== undefined || !baseUrls.some((url) => readSessionCookie(ctx.req, url))) return undefined
  return { ...anyone, apiKeyId: null, sessionId: 'mock', member: anyMember, mode: ctx.req.headers['x-mayfly-mode'] === 'test' ? 'test' : 'live' }
}
