import { performance } from 'node:perf_hooks'
import { pause } from '../deadline.ts'
import { openCommitRate } from '../store/changes/group-commit.ts'
import type { CommitRate } from '../store/changes/group-commit.ts'
import type { TaskName } from '../store/jobs/job-payloads.ts'
import type { Task } from './run-job.ts'

/** Maximum jobs that a lane that is not late claims at once under load, so that many lanes get a share. */
const maxJobsPerLane = 2

/**
 * Limits how many jobs the lanes of a task claim while the process is busy with incoming mail. The limits grow with each second that the
 * jobs of a lane are late, so a lasting load does not delay them without bound.
 */
export interface ClaimThrottle {
  /** Records a commit that has queued jobs. */
  recordCommit(): void
  /**
   * @param secondsLate returns the time since the oldest job of the lane was due
   * @returns how many jobs may be claimed now, from 1 to `wanted`
   */
  admit(wanted: number, secondsLate: () => Promise<number>): Promise<number>
  /** Returns admitted jobs that were not claimed. */
  giveBack(jobs: number): void
}

/** @param underLoad undefined for a task that is never limited */
export function openClaimThrottle(underLoad: Task<TaskName>['underLoad']): ClaimThrottle {
  if (!underLoad) return { recordCommit() {}, admit: async (wanted) => wanted, giveBack() {} }
  const { maxJobs, pauseMs } = underLoad
  const gauge = openLoadGauge()
  /** Jobs that may be claimed from one pause to the next, and those of them that are left. */
  let max = 0
  let left = 0
  let lastAdmission: Promise<unknown> = Promise.resolve()

  async function admitNext(wanted: number, secondsLate: () => Promise<number>) {
    if (left <= 0 && !await gauge.isBusyFor(pauseMs)) return wanted
    const factor = 1 + await secondsLate()
    if (left <= 0) left = max = Math.round(maxJobs * factor)
    const admitted = Math.min(wanted, left, Math.round(maxJobsPerLane * factor))
    left -= admitted
    return admitted
  }

  return {
    recordCommit: () => gauge.recordCommit(),
    admit(wanted, secondsLate) {
      const admitted = lastAdmission.then(() => admitNext(wanted, secondsLate))
      lastAdmission = admitted.catch(() => 0) // the lane that asked reports the error
      return admitted
    },
    giveBack(jobs) {
      left = Math.min(left + jobs, max)
    },
  }
}

/** Share of the time that the main thread, which answers HTTP and SMTP, works, above which the process is busy. */
const highUtilization = 0.5
const checkMs = 10

interface LoadGauge {
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
