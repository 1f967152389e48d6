/** Time and chance, in one place, so that tests can bring their own. */
export const clock = {
  /** Milliseconds since some moment. */
  now: () => performance.now(),
  /** 0 to 1. */
  random: () => Math.random(),
  /** Runs something later, or never when that is further away than timers reach. @returns what prevents it */
  after(ms: number, run: () => void): () => void {
    if (ms >= 2 ** 31) return () => {}
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}
