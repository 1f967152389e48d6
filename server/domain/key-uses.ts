import type { App } from '../context.ts'
import { minuteMs, secondMs } from '../durations.ts'
import { recordKeyUse } from '../store/accounts/key-uses.ts'
import { inTransaction } from '../store/database.ts'

export interface KeyUses {
  /** Records that a key was used now. It costs a look-up in a map. */
  record(apiKeyId: string): void
  /** Stores the uses that are not stored yet. */
  close(): Promise<void>
}

/** A use is stored at most once in this time for each key. */
const minIntervalMs = minuteMs
/** Delay after which the uses of several keys are stored in one transaction. */
const delayMs = secondMs
/** Maximum keys in memory. */
const maxKeys = 10_000

/** Remembers when keys were last used, to the minute, for `mayfly key list`. */
export function openKeyUses({ db, clock, log }: Pick<App, 'db' | 'clock' | 'log'>): KeyUses {
  const storedAt = new Map<string, number>()
  const waiting = new Map<string, number>()
  let cancelTimer: (() => void) | undefined
  let storing = Promise.resolve()

  function store() {
    cancelTimer?.()
    cancelTimer = undefined
    const uses = [...waiting]
    waiting.clear()
    if (uses.length === 0) return
    storing = storing.then(() => inTransaction(db, async (tx) => {
      for (const [id, usedAt] of uses) await recordKeyUse(tx, id, usedAt)
    })).catch((error: unknown) => log.warn({ err: error }, 'the last use of keys cannot be stored'))
  }

  return {
    record(apiKeyId) {
      const now = clock.now()
      if (Math.abs(now - (storedAt.get(apiKeyId) ?? -Infinity)) < minIntervalMs) return
      if (storedAt.size >= maxKeys) storedAt.clear()
      storedAt.set(apiKeyId, now)
      waiting.set(apiKeyId, now)
      cancelTimer ??= clock.at(now + delayMs, store)
    },
    async close() {
      store()
      await storing
    },
  }
}
