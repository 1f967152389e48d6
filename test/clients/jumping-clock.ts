import { clock } from '../../sdk/core/clock.ts'

const real = { ...clock }

/** The SDK's clock at its real pace, but without its pauses: each pause between attempts ends at once, and the time jumps over it. */
export interface JumpingClock extends Disposable {
  now(): number
  /** The next timer of this duration is a pause. */
  expectPause(ms: number): void
}

interface Timer {
  at: number
  run: () => void
  cancel: () => void
}

/** Random numbers are 1, so that pauses have their maximum. */
export function openJumpingClock(): JumpingClock {
  const timers = new Set<Timer>()
  let jumpedMs = 0
  let pauseMs: number | undefined
  const now = () => real.now() + jumpedMs

  function start(timer: Timer) {
    timer.cancel = real.after(Math.max(0, timer.at - now()), () => {
      timers.delete(timer)
      timer.run()
    })
  }

  Object.assign(clock, {
    now,
    random: () => 1,
    after(ms: number, run: () => void) {
      const timer: Timer = { at: now() + ms, run, cancel: () => {} }
      timers.add(timer)
      if (ms === pauseMs) {
        pauseMs = undefined
        jumpedMs += ms
        for (const other of timers) {
          other.cancel()
          start(other)
        }
      } else start(timer)
      return () => {
        timers.delete(timer)
        timer.cancel()
      }
    },
  })
  return {
    now,
    expectPause: (ms) => { pauseMs = ms },
    [Symbol.dispose]: () => void Object.assign(clock, real),
  }
}
