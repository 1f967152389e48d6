/** Names that are remembered before those that are free again are forgotten. */
const maxNames = 1_000

/** Use of something by name, for example bytes per account. */
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
  const paidUntil = new Map<string, number>() // milliseconds
  let forgetAt = maxNames // twice the names still in use, so the cost of forgetting is amortized O(1) per record
  return {
    waitMs: (name) => Math.max(0, (paidUntil.get(name) ?? 0) - now() - maxAheadMs),
    record(name, amount) {
      if (paidUntil.size >= forgetAt) {
        for (const [other, until] of paidUntil) if (until <= now()) paidUntil.delete(other)
        forgetAt = Math.max(maxNames, 2 * paidUntil.size)
      }
      paidUntil.set(name, Math.max(now(), paidUntil.get(name) ?? 0) + amount / amountPerSecond * 1_000)
    },
  }
}
