import { openLoadGauge } from './load-gauge.ts'
import type { Task } from './task.ts'

/** Maximum jobs that a lane that is not late claims at once under load, so that many lanes get a share. */
const maxJobsPerLane = 2

/**
 * Limits how many jobs the lanes of a task claim while the process is busy with incoming mail. The limits grow with each second that the
 * jobs of a lane are late, so a load that lasts does not leave them behind for ever.
 */
export interface Pace {
  /** Notes a commit that has queued jobs. */
  note(): void
  /**
   * @param secondsLate tells since when the oldest job of the lane is due
   * @returns how many jobs may be claimed now, from 1 to `wanted`
   */
  admit(wanted: number, secondsLate: () => Promise<number>): Promise<number>
  /** Returns admitted jobs that were not claimed. */
  giveBack(jobs: number): void
}

/** @param underLoad undefined for a task that never waits */
export function openPace(underLoad: Task<never>['underLoad']): Pace {
  if (!underLoad) return { note() {}, admit: async (wanted) => wanted, giveBack() {} }
  const gauge = openLoadGauge()
  /** Jobs that may be claimed from one pause to the next, and those of them that are left. */
  let max = 0
  let left = 0
  let turn: Promise<unknown> = Promise.resolve()

  async function admitNext(wanted: number, secondsLate: () => Promise<number>) {
    if (left <= 0 && !await gauge.isBusyFor(underLoad!.pause)) return wanted
    const factor = 1 + await secondsLate()
    if (left <= 0) left = max = Math.round(underLoad!.jobs * factor)
    const admitted = Math.min(wanted, left, Math.round(maxJobsPerLane * factor))
    left -= admitted
    return admitted
  }

  return {
    note: () => gauge.note(),
    admit(wanted, secondsLate) {
      const admitted = turn.then(() => admitNext(wanted, secondsLate))
      turn = admitted.catch(() => 0) // a failed look at the queue is the lane's to report
      return admitted
    },
    giveBack(jobs) {
      left = Math.min(left + jobs, max)
    },
  }
}
