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

export interface Pace {
  /** How many looks there were. */
  looks: number
  /** Milliseconds since the wait began. */
  elapsedMs: number
  /** Milliseconds until it ends. */
  leftMs: number
  /** How many waits of this client there are. */
  waits: number
  budget: Budget | undefined
}

/** Milliseconds until the next look: quick at first, and never so often that the waits use up the rate limit. */
export function nextDelay({ looks, elapsedMs, leftMs, waits, budget }: Pace): number {
  const eager = Math.min(longestMs, shortestMs * growth ** (looks - 1))
  if (!budget || budget.resetMs <= 0) return eager
  const spare = budget.remaining - Math.ceil(budget.limit * reserved)
  if (spare <= 0) return Math.max(eager, budget.resetMs)
  const spanMs = Math.min(budget.resetMs, leftMs, elapsedMs < quickMs ? quickMs : Infinity)
  return Math.max(eager, spanMs / (spare * taken / waits))
}

const shortestMs = 25
const longestMs = 500
const growth = 1.5
const quickMs = 2_000
/** The share of the limit that is left to other calls. */
const reserved = 0.05
/** The share of the rest that the waits of a client take in the time that is left. */
const taken = 0.5
