import { performance } from 'node:perf_hooks'
import { setTimeout as pass } from 'node:timers/promises'

/** The process is busy when this many commits within this time have queued jobs, */
const manyCommits = 4
const commitsWithinMs = 50
/** or when the main thread, which answers HTTP and SMTP, works for more than this share of the time. */
const highUtilization = 0.5
const checkMs = 10

export interface LoadGauge {
  /** Records a commit that has queued jobs. */
  recordCommit(): void
  /** @returns true when the process stays busy for this time; false as soon as it is not busy */
  isBusyFor(durationMs: number): Promise<boolean>
}

/** Measures whether the process is busy with requests and incoming mail, whose senders wait for an answer. */
export function openLoadGauge(): LoadGauge {
  const commits = Array<number>(manyCommits).fill(-Infinity)
  let last = performance.eventLoopUtilization()

  const isBusy = () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    return utilization > highUtilization || performance.now() - commits[0]! < commitsWithinMs
  }

  return {
    recordCommit() {
      commits.shift()
      commits.push(performance.now())
    },
    async isBusyFor(durationMs) {
      const until = performance.now() + durationMs
      while (isBusy()) {
        if (performance.now() > until) return true
        await pass(checkMs)
      }
      return false
    },
  }
}
