import type { Context } from 'koa'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { App, Caller } from '../context.ts'
import { AppError } from '../errors.ts'

/** Seconds of a window; windows stand side by side, so all of an account's callers see the same reset. */
const windowLength = 60

/**
 * Counts a request against its account, or against its IP address when it has no valid key.
 * @returns a check that sets the three headers, and throws AppError `RATE_LIMITED` over the limit
 */
export function rateLimit(app: App): (ctx: Context, caller: Caller | undefined) => Promise<void> {
  const limiter = new RateLimiterMemory({ points: app.config.rateLimit, duration: windowLength })
  return async (ctx, caller) => {
    const now = app.clock.now() / 1000
    const window = Math.floor(now / windowLength)
    const reset = (window + 1) * windowLength
    const who = caller ? `account ${caller.accountId}` : `ip ${ctx.ip}`
    const { consumedPoints } = await limiter.consume(`${window} ${who}`).catch((refused: unknown) => {
      if (refused instanceof RateLimiterRes) return refused
      throw refused
    })
    ctx.set('X-RateLimit-Limit', String(app.config.rateLimit))
    ctx.set('X-RateLimit-Remaining', String(Math.max(0, app.config.rateLimit - consumedPoints)))
    ctx.set('X-RateLimit-Reset', String(reset))
    if (consumedPoints <= app.config.rateLimit) return
    const wait = Math.max(1, Math.ceil(reset - now))
    const error = new AppError('RATE_LIMITED', `More than ${app.config.rateLimit} requests in a minute. Try again in ${wait} seconds.`)
    throw Object.assign(error, { retryAfter: wait })
  }
}
