/** Time as a value: the process uses `systemClock`, a test its own. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Runs `task` once when the time comes, soon when it has come already. Returns what calls it off. */
  at(time: number, task: () => void): () => void
}

const longestTimer = 2 ** 31 - 1

export const systemClock: Clock = {
  now: Date.now,
  at(time, task) {
    let timer: NodeJS.Timeout
    const arm = () => {
      const left = time - Date.now()
      timer = left > longestTimer ? setTimeout(arm, longestTimer) : setTimeout(task, Math.max(0, left))
      timer.unref()
    }
    arm()
    return () => clearTimeout(timer)
  },
}
