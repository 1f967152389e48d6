import { performance } from 'node:perf_hooks'
import { pause } from '../deadline.ts'
import { openCommitRate } from '../store/changes/commit-rate.ts'
import type { CommitRate } from '../store/changes/commit-rate.ts'

/** Share of the time that the main thread, which answers HTTP and SMTP, works, above which the process is busy. */
const highUtilization = 0.5
const checkMs = 10

export interface LoadGauge {
  /** Records a commit that has queued jobs. */
  recordCommit: CommitRate['recordCommit']
  /** @returns true when the process stays busy for this time; false as soon as it is not busy */
  isBusyFor(durationMs: number): Promise<boolean>
}

/** Measures whether the process is busy with requests and incoming mail: by the time of the main thread, and by the commits. */
export function openLoadGauge(): LoadGauge {
  const { recordCommit, isHigh } = openCommitRate()
  let last = performance.eventLoopUtilization()

  const isBusy = () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    return utilization > highUtilization || isHigh()
  }

  return {
    recordCommit,
    async isBusyFor(durationMs) {
      const until = performance.now() + durationMs
      while (isBusy()) {
        if (performance.now() > until) return true
        await pause(checkMs)
      }
      return false
    },
  }
}
