import type { App } from '../context.ts'
import { hourMs } from '../durations.ts'
import { rateLimited } from '../errors.ts'
import { forgedRequest } from './authenticate.ts'
import type { Call } from './call.ts'
import { isOfOtherOrigin } from './same-origin.ts'
import { openCounters } from './window-counters.ts'

/** Maximum sign-in links that a network may request in an hour. */
const maxLinks = 20
/** Maximum networks with a counter of their own; further ones share one. */
const maxNetworks = 100_000

/**
 * Limits sign-in beyond the rate limit.
 * @returns a check that throws AppError `RATE_LIMITED` for the links of a network, and `INVALID_API_KEY` for a page of another origin that
 * would sign its visitor in (login CSRF)
 */
export function signInLimits(app: App): (call: Call) => void | Promise<void> {
  const { clock, baseUrl } = app
  const count = openCounters(app, { kind: 'sign-in links', windowMs: hourMs, limit: maxLinks, maxNames: maxNetworks })
  return ({ ctx, operationId, party }) => {
    if (operationId === 'sessions.create' && isOfOtherOrigin(ctx.req, baseUrl())) throw forgedRequest(baseUrl())
    if (operationId !== 'signInLinks.create') return
    const now = clock.now()
    const hour = Math.floor(now / hourMs)
    const check = (links: number) => {
      if (links > maxLinks) throw tooManyLinks((hour + 1) * hourMs - now)
    }
    const links = count(hour, party)
    return typeof links === 'number' ? check(links) : links.then(check)
  }
}

const tooManyLinks = (waitMs: number) => rateLimited(
  `More than ${maxLinks} sign-in links in an hour. Try again in ${Math.ceil(waitMs / 60_000)} minutes.`, Math.ceil(waitMs / 1000))
