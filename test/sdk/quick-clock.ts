import { clock } from '../../sdk/core/clock.ts'

const real = { ...clock }

/** Makes the SDK's time pass faster, by a factor. */
export function quicken(factor: number): void {
  clock.now = () => real.now() * factor
  clock.after = (ms, run) => real.after(ms / factor, run)
}

/** Restores the real time, after each test. */
export function atRealPace(): void {
  Object.assign(clock, real)
}
