import { openLoadGauge } from './load-gauge.ts'
import type { Task } from './task.ts'

/** Maximum jobs that one lane claims at once under load, so that many lanes get a share. */
const maxJobsPerLane = 2

/** Limits how many jobs the lanes of a task claim while the process is busy with incoming mail. */
export interface Pace {
  /** Notes a commit that has queued jobs. */
  note(): void
  /** @returns how many jobs may be claimed now, from 1 to `wanted` */
  admit(wanted: number): Promise<number>
  /** Returns admitted jobs that were not claimed. */
  giveBack(jobs: number): void
}

/** @param underLoad undefined for a task that never waits */
export function openPace(underLoad: Task<never>['underLoad']): Pace {
  if (!underLoad) return { note() {}, admit: async (wanted) => wanted, giveBack() {} }
  const gauge = openLoadGauge()
  /** Jobs that may still be claimed until the next pause. */
  let left = 0
  let turn: Promise<unknown> = Promise.resolve()

  async function admitNext(wanted: number) {
    if (left <= 0) {
      if (!await gauge.isBusyFor(underLoad!.pause)) return wanted
      left = underLoad!.jobs
    }
    const admitted = Math.min(wanted, left, maxJobsPerLane)
    left -= admitted
    return admitted
  }

  return {
    note: () => gauge.note(),
    admit(wanted) {
      const admitted = turn.then(() => admitNext(wanted))
      turn = admitted
      return admitted
    },
    giveBack(jobs) {
      left = Math.min(left + jobs, underLoad.jobs)
    },
  }
}
