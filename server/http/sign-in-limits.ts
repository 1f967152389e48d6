import type { App } from '../context.ts'
import { hourMs } from '../durations.ts'
import { rateLimited } from '../errors.ts'
import { forgedRequest } from './authenticate.ts'
import type { Call } from './call.ts'
import { windowCounters } from './rate-limit.ts'
import { isOfOtherOrigin } from './same-origin.ts'

/** Maximum sign-in links that a network may request in an hour. */
const maxLinks = 20
/** Maximum networks with a counter of their own; further ones share one. */
const maxNetworks = 100_000

/**
 * Limits sign-in beyond the rate limit.
 * @returns a check that throws AppError `RATE_LIMITED` for the links of a network, and `INVALID_API_KEY` for a page of another origin that
 * would sign its visitor in (login CSRF)
 */
export function signInLimits({ clock, baseUrl }: App): (call: Call) => void {
  const count = windowCounters(maxNetworks)
  return ({ ctx, operationId, party }) => {
    if (operationId === 'sessions.create' && isOfOtherOrigin(ctx.req, baseUrl())) throw forgedRequest()
    if (operationId !== 'signInLinks.create') return
    const now = clock.now()
    const hour = Math.floor(now / hourMs)
    if (count(hour, party) > maxLinks) throw tooManyLinks((hour + 1) * hourMs - now)
  }
}

const tooManyLinks = (waitMs: number) => rateLimited(
  `More than ${maxLinks} sign-in links in an hour. Try again in ${Math.ceil(waitMs / 60_000)} minutes.`, Math.ceil(waitMs / 1000))
