import { clock } from '../../sdk/core/clock.ts'

const real = { ...clock }

/** Has time pass so many times as fast for the SDK. */
export function quicken(factor: number): void {
  clock.now = () => real.now() * factor
  clock.after = (ms, run) => real.after(ms / factor, run)
}

/** Goes back to the real time, after each test. */
export function atRealPace(): void {
  Object.assign(clock, real)
}
