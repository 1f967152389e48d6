import type { Context } from 'koa'
import type { App, Caller } from '../context.ts'
import { findOwnerAccount } from '../domain/accounts.ts'
import { rateLimited } from '../errors.ts'
import { clientNetworks } from '../network.ts'
import { countInTurn, openCounters, windowCounters } from './window-counters.ts'

/** Length of a window. Windows are aligned to the clock, so all callers of an account see the same reset. */
export const windowSeconds = 60

/** Number of the window of a time in milliseconds since 1970. */
export const windowAt = (timeMs: number) => Math.floor(timeMs / 1000 / windowSeconds)

/** Maximum counters per window; further callers share one. Limits the memory, since an attacker may use any number of addresses. */
const maxCounters = 100_000

/** Requests per window when `MAYFLY_RATE_LIMIT` is 0: the largest 32-bit integer, so that every client can parse the headers. */
const unlimited = 2_147_483_647

/** The parts of a `Context` that are read to count a request. */
type Counted = Pick<Context, 'ip'> & { res: { setHeader(name: string, value: string): unknown } }

export interface RateLimit {
  /**
   * Counts a request, and sets the three headers. The requests of an account are counted apart for its keys and for its sessions, those
   * without a caller for the networks of the client.
   * @throws AppError `RATE_LIMITED` over the limit
   */
  count(ctx: Counted, caller: Caller | undefined): void | Promise<void>
  /** Sets the headers for a request that is not counted, since its caller cannot be looked up. */
  skip(ctx: Context): void
}

/** @param kind names the counters: each kind counts separately */
export function rateLimit(app: App, kind = 'requests'): RateLimit {
  const limit = app.config.rateLimit || unlimited
  // without a limit there is nothing to share
  const options = { kind, windowMs: windowSeconds * 1000, maxNames: maxCounters }
  const countCall = limit < unlimited ? openCounters(app, options) : windowCounters(maxCounters)
  const refuse = openRefusal(app)
  function setHeaders({ res }: Counted, { limit, remaining, reset }: { limit: number, remaining: number, reset: number }) {
    res.setHeader('X-RateLimit-Limit', String(limit))
    res.setHeader('X-RateLimit-Remaining', String(remaining))
    res.setHeader('X-RateLimit-Reset', String(reset))
  }
  const resetOf = (window: number) => (window + 1) * windowSeconds
  /** The dashboard does not use up the requests of the account's keys. */
  function limitsOf({ ip }: Counted, caller: Caller | undefined) {
    if (caller) return [{ name: caller.sessionId === null ? caller.accountId : `sessions of ${caller.accountId}`, limit }]
    return clientNetworks(ip).map(({ name, factor }) => ({ name, limit: Math.min(unlimited, limit * factor) }))
  }
  return {
    count(ctx, caller) {
      const now = app.clock.now()
      const window = windowAt(now)
      const reset = resetOf(window)
      const counted = countInTurn(countCall, window, limitsOf(ctx, caller))
      const check = ({ limit, left }: { limit: number, left: number }) => {
        setHeaders(ctx, { limit, remaining: Math.max(0, left), reset })
        if (left < 0) return refuse(caller, { limit, waitSeconds: Math.max(1, Math.ceil(reset - now / 1000)) })
      }
      if (!(counted instanceof Promise)) return check(counted)
      setHeaders(ctx, { limit, remaining: 0, reset }) // for a request that cannot be counted
      return counted.then(check)
    },
    skip: (ctx) => { setHeaders(ctx, { limit, remaining: 0, reset: resetOf(windowAt(app.clock.now())) }) },
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
