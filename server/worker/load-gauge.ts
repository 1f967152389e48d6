import { performance } from 'node:perf_hooks'
import { setTimeout as pass } from 'node:timers/promises'

/** The process is busy when so many commits in so many milliseconds bring new jobs, */
const manyCommits = 4
const span = 50
/** or when the thread that answers HTTP and SMTP works for more than this share of the time. */
const highUtilization = 0.5
/** Milliseconds between two looks. */
const step = 10

export interface LoadGauge {
  /** A commit brought jobs. */
  note(): void
  /** @returns true when the process is busy for `patience` milliseconds, false as soon as it is not */
  isBusyFor(patience: number): Promise<boolean>
}

/** Tells whether the process is busy with what somebody waits for. */
export function openLoadGauge(): LoadGauge {
  const commits = Array<number>(manyCommits).fill(-Infinity)
  let last = performance.eventLoopUtilization()

  const isBusy = () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    return utilization > highUtilization || performance.now() - commits[0]! < span
  }

  return {
    note() {
      commits.shift()
      commits.push(performance.now())
    },
    async isBusyFor(patience) {
      const until = performance.now() + patience
      while (isBusy()) {
        if (performance.now() > until) return true
        await pass(step)
      }
      return false
    },
  }
}
