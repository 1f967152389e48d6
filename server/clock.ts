/** The time, as a value that tests replace by a clock of their own. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Calls `task` once at a time in milliseconds since 1970, or soon if it has passed. @returns a function that cancels this */
  at(time: number, task: () => void): () => void
  /** Set for the clock of a machine, which others do not share. A database for several nodes corrects it: `store/server-clock.ts`. */
  isOfMachine?: boolean
  /** Set for a clock that all nodes of a database have. */
  isShared?: boolean
}

/** Node fires a longer timer at once. */
const maxTimerMs = 2 ** 31 - 1

export const systemClock: Clock = {
  isOfMachine: true,
  now: Date.now,
  at(time, task) {
    let timer: NodeJS.Timeout
    const arm = () => {
      const left = time - Date.now()
      timer = left > maxTimerMs ? setTimeout(arm, maxTimerMs) : setTimeout(task, Math.max(0, left))
      timer.unref()
    }
    arm()
    return () => clearTimeout(timer)
  },
}
