/** What the account may still do in this window of the rate limit. */
export interface Budget {
  limit: number
  remaining: number
  /** Milliseconds until the next window. */
  resetMs: number
}

/** @param now milliseconds since 1970 on the server's clock */
export function readBudget(headers: Headers, now: number): Budget | undefined {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset']
    .map((name) => Number.parseInt(headers.get(`x-ratelimit-${name}`) ?? '')) as [number, number, number]
  const budget = { limit, remaining, resetMs: reset * 1000 - now }
  return Object.values(budget).every(Number.isFinite) ? budget : undefined
}

/**
 * Milliseconds until the next look: quick at first, and never so often that the waits use up the rate limit.
 * @param looks how many there were
 * @param elapsedMs since the wait began
 * @param leftMs until it ends
 */
export function nextDelay(looks: number, elapsedMs: number, leftMs: number, budget: Budget | undefined): number {
  const eager = Math.min(longestMs, shortestMs * growth ** (looks - 1))
  if (!budget || budget.resetMs <= 0) return eager
  const reserve = Math.ceil(budget.limit * reserved)
  if (budget.remaining <= reserve) return Math.max(eager, budget.resetMs)
  const spanMs = Math.min(budget.resetMs, leftMs, elapsedMs < quickMs ? quickMs : Infinity)
  // half of what is there, so that several waits share it and something is always left
  return Math.max(eager, spanMs / ((budget.remaining - reserve) / 2))
}

const shortestMs = 25
const longestMs = 500
const growth = 1.5
const quickMs = 2_000
/** The share of the limit that is left to other calls. */
const reserved = 0.05
