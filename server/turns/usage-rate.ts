/** Names that are kept in any case, before those without recent use are removed. */
const minNames = 1_000

/** Errors of sums of fractions are smaller. */
const roundingMs = 0.001

/** Use of a resource by name, for example bytes per account. */
export interface UsageRate {
  /** Milliseconds until this name may use more; 0 for now. */
  waitMs(name: string): number
  record(name: string, amount: number): void
}

/**
 * Limits an amount per second by name.
 * @param options.maxAheadMs after a pause, a name may use what its rate allows in this time at once
 */
export function usageRate(amountPerSecond: number, { maxAheadMs = 50, now = () => performance.now() } = {}): UsageRate {
  const paidUntil = new Map<string, number>() // in ms of `now`
  let cleanUpAt = minNames // twice the names still in use, so the cost of removing names is amortized O(1) per record
  return {
    waitMs(name) {
      const ms = (paidUntil.get(name) ?? 0) - now() - maxAheadMs
      return ms > roundingMs ? ms : 0
    },
    record(name, amount) {
      if (paidUntil.size >= cleanUpAt) {
        for (const [other, until] of paidUntil) if (until <= now()) paidUntil.delete(other)
        cleanUpAt = Math.max(minNames, 2 * paidUntil.size)
      }
      paidUntil.set(name, Math.max(now(), paidUntil.get(name) ?? 0) + amount / amountPerSecond * 1_000)
    },
  }
}

/** As `usageRate`, of things that have an amount of 1. @param burst after a pause, as many may be used at once */
export const burstRate = (perSecond: number, burst: number, now?: () => number): UsageRate =>
  usageRate(perSecond, { maxAheadMs: (burst - 1) / perSecond * 1_000, now })
