import { clock } from '../../sdk/core/clock.ts'
// loaded before the clock stands still: it does not wait for files
import '../../sdk/events/subscribe.ts'
import '../../sdk/wait-for/wait-for.ts'

const real = { ...clock }

/** The SDK's clock, which stands still until no promise can settle any more, and then jumps to the next timer. */
export interface FakeClock extends Disposable {
  /** Milliseconds that have passed. */
  readonly now: number
  /** Timers that are set. */
  readonly pending: number
  /** Sets a timer. */
  after(ms: number, run: () => void): () => void
  /** Advances until the promise is settled. @throws Error when there is no timer left, or after the given milliseconds */
  settle<Result>(promise: Promise<Result>, maxMs: number): Promise<Result>
}

export function openFakeClock(random: () => number = () => 0.5): FakeClock {
  const timers = new Set<{ at: number, run: () => void }>()
  let now = 0
  Object.assign(clock, {
    now: () => now,
    random,
    after(ms: number, run: () => void) {
      const timer = { at: now + ms, run }
      if (ms < 2 ** 31) timers.add(timer)
      return () => timers.delete(timer)
    },
  })
  return {
    get now() {
      return now
    },
    get pending() {
      return timers.size
    },
    after: (ms, run) => clock.after(ms, run),
    async settle(promise, maxMs) {
      let isSettled = false
      const settled = promise.finally(() => { isSettled = true })
      settled.catch(() => {})
      for (let timersRun = 0; ; timersRun++) {
        if (timersRun > 5_000) throw new Error(`goes round in circles at ${now} ms`)
        // promises and streams settle between two turns of the loop
        for (let turn = 0; turn < 8 && !isSettled; turn++) await new Promise(setImmediate)
        if (isSettled) return settled
        const [next] = [...timers].sort((a, b) => a.at - b.at)
        if (!next) throw new Error(`hangs: no timer is set after ${now} ms`)
        if (next.at > maxMs) throw new Error(`hangs: the next timer is due after ${next.at} ms`)
        timers.delete(next)
        now = next.at
        next.run()
      }
    },
    [Symbol.dispose]: () => void Object.assign(clock, real),
  }
}
