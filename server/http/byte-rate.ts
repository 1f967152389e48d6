/** Names that are remembered before those that are free again are forgotten. */
const maxNames = 1_000

export interface ByteRate {
  /** Milliseconds until bytes of this name may be read; 0 for now. */
  waitMs(name: string): number
  record(name: string, bytes: number): void
}

/** Limits bytes per second by name. After a pause, a name may be ahead of its rate by `maxAheadMs`. */
export function byteRate(bytesPerSecond: number, now = () => performance.now()): ByteRate {
  const maxAheadMs = 50
  const paidUntil = new Map<string, number>() // milliseconds
  return {
    waitMs: (name) => Math.max(0, (paidUntil.get(name) ?? 0) - now() - maxAheadMs),
    record(name, bytes) {
      if (paidUntil.size >= maxNames) for (const [other, until] of paidUntil) if (until <= now()) paidUntil.delete(other)
      paidUntil.set(name, Math.max(now(), paidUntil.get(name) ?? 0) + bytes / bytesPerSecond * 1_000)
    },
  }
}
