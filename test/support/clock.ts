import type { Clock } from '../../server/clock.ts'

export interface TestClock extends Clock {
  /** Advances the time, and runs each timer at its time. */
  advance(milliseconds: number, settle: () => Promise<void>): Promise<void>
  /** Moves back to its start. */
  reset(): void
}

/** A clock that stands still until a test advances it. */
export function testClock(start = Date.UTC(2026, 2, 14, 9)): TestClock {
  let now = start
  const timers = new Set<{ time: number, task: () => void }>()

  const runDue = () => {
    for (const timer of [...timers].sort((a, b) => a.time - b.time)) {
      if (timer.time > now || !timers.delete(timer)) continue
      timer.task()
    }
  }

  return {
    now: () => now,
    at(time, task) {
      const timer = { time, task }
      timers.add(timer)
      if (time <= now) setImmediate(runDue)
      return () => timers.delete(timer)
    },
    async advance(milliseconds, settle) {
      const until = now + milliseconds
      await settle()
      for (;;) {
        const next = Math.min(until, ...[...timers].map((timer) => timer.time))
        now = Math.max(now, next)
        runDue()
        await settle()
        if (next >= until) return
      }
    },
    reset() {
      now = start
    },
  }
}
