import type { Context } from 'koa'
import type { App, Caller } from '../context.ts'
import { findOwnerAccount } from '../domain/accounts.ts'
import { rateLimited } from '../errors.ts'
import { networkOf } from '../network.ts'
import { openCounters, windowCounters } from './window-counters.ts'

/** Length of a window. Windows are aligned to the clock, so all callers of an account see the same reset. */
export const windowSeconds = 60

/** Number of the window of a time in milliseconds since 1970. */
export const windowAt = (timeMs: number) => Math.floor(timeMs / 1000 / windowSeconds)

/** Maximum counters per window; further callers share one. Limits the memory, since an attacker may use any number of addresses. */
const maxCounters = 100_000

/** Prefix lengths of the networks by which callers without a key are counted. */
const networkBits = { ipv4: 32, ipv6: 64 }

/** Requests of the sessions of an account per request of its keys: pages make several at once. They are counted separately. */
const sessionFactor = 6

/** Requests per window when `MAYFLY_RATE_LIMIT` is 0: the largest 32-bit integer, so that every client can parse the headers. */
const unlimited = 2_147_483_647

export const callerNetwork = (ip: string) => networkOf(ip, networkBits)

/** The parts of a `Context` that are read to count a request. */
type Counted = Pick<Context, 'ip'> & { res: { setHeader(name: string, value: string): unknown } }

export interface RateLimit {
  /**
   * Counts a request against its account, with a key or with a session, or against its IP address without either, and sets the three
   * headers. @throws AppError `RATE_LIMITED` over the limit
   */
  count(ctx: Counted, caller: Caller | undefined): void | Promise<void>
  /** Sets the headers for a request that is not counted, since its caller cannot be looked up. */
  skip(ctx: Context): void
}

/** @param kind names the counters: each kind counts separately */
export function rateLimit(app: App, kind = 'requests'): RateLimit {
  const keyLimit = app.config.rateLimit || unlimited
  const sessionLimit = Math.min(unlimited, keyLimit * sessionFactor)
  const options = { windowMs: windowSeconds * 1000, maxNames: maxCounters }
  // without a limit there is nothing to share
  const open = (counted: string, limit: number) =>
    limit < unlimited ? openCounters(app, { kind: counted, limit, ...options }) : windowCounters(maxCounters)
  const countCall = open(kind, keyLimit)
  const countOfSessions = open(`${kind} of sessions`, sessionLimit)
  const refuse = openRefusal(app)
  function setHeaders({ res }: Counted, { limit, remaining, reset }: { limit: number, remaining: number, reset: number }) {
    res.setHeader('X-RateLimit-Limit', String(limit))
    res.setHeader('X-RateLimit-Remaining', String(remaining))
    res.setHeader('X-RateLimit-Reset', String(reset))
  }
  const resetOf = (window: number) => (window + 1) * windowSeconds
  return {
    count(ctx, caller) {
      const now = app.clock.now()
      const window = windowAt(now)
      const reset = resetOf(window)
      const isSession = caller !== undefined && caller.sessionId !== null
      const limit = isSession ? sessionLimit : keyLimit
      const check = (requests: number) => {
        setHeaders(ctx, { limit, remaining: Math.max(0, limit - requests), reset })
        if (requests <= limit) return
        return refuse(caller, { limit, waitSeconds: Math.max(1, Math.ceil(reset - now / 1000)) })
      }
      const name = caller ? caller.accountId : callerNetwork(ctx.ip)
      const requests = isSession ? countOfSessions(window, name) : countCall(window, name)
      if (typeof requests === 'number') return check(requests)
      setHeaders(ctx, { limit, remaining: 0, reset }) // for a request that cannot be counted
      return requests.then(check)
    },
    skip: (ctx) => { setHeaders(ctx, { limit: keyLimit, remaining: 0, reset: resetOf(windowAt(app.clock.now())) }) },
  }
}

/** The account of the operator learns how to lift the limit. A promise for callers with a key, at once for others. */
function openRefusal(app: App) {
  let ownerId: string | undefined // kept once it is found, since refusals have to cost little
  return (caller: Caller | undefined, { limit, waitSeconds }: { limit: number, waitSeconds: number }) => {
    const text = `More than ${limit} requests in a minute. Try again in ${waitSeconds} seconds.`
    if (!caller) throw rateLimited(text, waitSeconds)
    return refuseCaller(caller, text, waitSeconds)
  }

  async function refuseCaller({ accountId }: Caller, text: string, waitSeconds: number) {
    ownerId ??= await findOwnerAccount(app)
    throw rateLimited(accountId === ownerId ? `${text} MAYFLY_RATE_LIMIT sets this limit; 0 switches it off.` : text, waitSeconds)
  }
}
