import type { Context } from 'koa'
import type { App, Caller } from '../context.ts'
import type { Scope } from '../contract/types.gen.ts'
import { openKeyLookup } from '../domain/api-keys.ts'
import { plansWithApi } from '../domain/plans.ts'
import { invalidApiKey, missingScope, planRequired } from '../errors.ts'
import type { AppError } from '../errors.ts'

/** Finds the caller by the key of a request; undefined without a key that is valid at this moment. */
export type Authenticate = (ctx: Context) => Promise<Caller | undefined>

export function openAuthenticate({ db, keyUses }: App): Authenticate {
  const find = openKeyLookup(db)
  return async (ctx) => {
    const key = keyOf(ctx)
    const caller = key ? await find(key) : undefined
    if (caller) keyUses.record(caller.apiKeyId)
    return caller
  }
}

/** The key in the header of a request; undefined without one. */
export const keyOf = ({ req }: Context): string | undefined => /^Bearer +(\S+) *$/i.exec(req.headers.authorization ?? '')?.[1]

/** @throws AppError `INVALID_API_KEY`, `PLAN_REQUIRED`, `MISSING_SCOPE` */
export function authorize(caller: Caller | undefined, scope: Scope): asserts caller {
  if (!caller) throw invalidApiKey('The API key is missing, malformed, unknown or revoked. Send "Authorization: Bearer <key>".')
  if (!plansWithApi.includes(caller.plan)) {
    throw planRequired(`The API is part of the Business plan; this account has the ${caller.plan} plan.`)
  }
  if (!caller.scopes.includes(scope)) throw lacksScope(scope)
}

export const lacksScope = (scope: Scope): AppError => missingScope(`This key lacks the scope ${scope}. Create a key that has it.`)
