/** Time and random numbers, which tests replace. */
export const clock = {
  /** Milliseconds since a fixed time, never decreasing. */
  now: () => performance.now(),
  /** From 0 up to, but not including, 1. */
  random: () => Math.random(),
  /** Calls `run` after a delay, or never for a delay beyond the range of timers. @returns a function that cancels the call */
  after(ms: number, run: () => void): () => void {
    if (ms >= 2 ** 31) return () => {}
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}
