import type { App } from '../context.ts'
import { hourMs, minuteMs } from '../durations.ts'
import { rateLimited } from '../errors.ts'
import { clientNetworks } from '../network.ts'
import { forgedRequest } from './authenticate.ts'
import type { Call } from './call.ts'
import { isOfOtherOrigin } from './same-origin.ts'
import { countInTurn, openCounters } from './window-counters.ts'

/** Maximum sign-in links that may be requested in an hour: by a client, and by all. */
const maxLinks = { ofClient: 20, ofAll: 2_000 }
/** Maximum networks with a counter of their own; further ones share one. */
const maxNetworks = 100_000

/**
 * Limits sign-in beyond the rate limit.
 * @returns a check that throws AppError `RATE_LIMITED` for the links of a network, and `INVALID_API_KEY` for a page of another origin that
 * would sign its visitor in (login CSRF)
 */
export function signInLimits(app: App): (call: Call) => void | Promise<void> {
  const { clock, baseUrl } = app
  const count = openCounters(app, { kind: 'sign-in links', windowMs: hourMs, maxNames: maxNetworks })
  return ({ ctx, operationId }) => {
    if (operationId === 'sessions.create' && isOfOtherOrigin(ctx.req, baseUrl())) throw forgedRequest(baseUrl())
    if (operationId !== 'signInLinks.create') return
    const now = clock.now()
    const hour = Math.floor(now / hourMs)
    const networks = clientNetworks(ctx.ip).map(({ name, factor }) => ({ name, limit: maxLinks.ofClient * factor }))
    const counted = countInTurn(count, hour, [...networks, { name: 'all', limit: maxLinks.ofAll }])
    const check = ({ limit, left }: { limit: number, left: number }) => {
      if (left < 0) throw tooManyLinks(limit, (hour + 1) * hourMs - now)
    }
    return counted instanceof Promise ? counted.then(check) : check(counted)
  }
}

const tooManyLinks = (limit: number, waitMs: number) => rateLimited(
  `More than ${limit} sign-in links in an hour. Try again in ${Math.ceil(waitMs / minuteMs)} minutes.`, Math.ceil(waitMs / 1000))
