import type { App } from '../context.ts'
import { minuteMs, secondMs } from '../durations.ts'
import { inTransaction } from '../store/database.ts'
import type { Tx } from '../store/database.ts'

export interface LastUses {
  /** Records that a key or session was used now. It costs a look-up in a map. */
  record(id: string): void
  /** Stores the uses that are not stored yet. */
  close(): Promise<void>
}

/** A use is stored at most once in this time for each id. */
const minIntervalMs = minuteMs
/** Delay after which several uses are stored by one statement, with the time of the first. */
const delayMs = secondMs
/** Maximum ids in memory. */
const maxIds = 10_000

/**
 * Remembers when API keys or sessions were last used, to the minute.
 * @param storeUses stores the time of a use for some ids, in milliseconds since 1970; ids that were deleted meanwhile are left out
 */
export function openLastUses(
  { db, clock, log }: Pick<App, 'db' | 'clock' | 'log'>, storeUses: (tx: Tx, ids: string[], usedAt: number) => Promise<void>,
): LastUses {
  const storedAt = new Map<string, number>()
  const waiting = new Set<string>()
  let firstAt = 0
  let cancelTimer: (() => void) | undefined
  let storing = Promise.resolve()

  function store() {
    cancelTimer?.()
    cancelTimer = undefined
    const ids = [...waiting]
    waiting.clear()
    if (ids.length === 0) return
    const usedAt = firstAt
    storing = storing.then(() => inTransaction(db, (tx) => storeUses(tx, ids, usedAt)))
      .catch((error: unknown) => log.warn({ err: error }, 'the last use of keys and sessions cannot be stored'))
  }

  return {
    record(id) {
      const now = clock.now()
      if (Math.abs(now - (storedAt.get(id) ?? -Infinity)) < minIntervalMs) return
      if (storedAt.size >= maxIds) storedAt.clear()
      storedAt.set(id, now)
      if (waiting.size === 0) firstAt = now
      waiting.add(id)
      cancelTimer ??= clock.at(now + delayMs, store)
    },
    async close() {
      store()
      await storing
    },
  }
}
