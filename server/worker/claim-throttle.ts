import type { TaskName } from '../store/jobs/job-payloads.ts'
import { openLoadGauge } from './load-gauge.ts'
import type { Task } from './task.ts'

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
