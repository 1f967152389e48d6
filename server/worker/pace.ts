import { openLoadGauge } from './load-gauge.ts'
import type { Task } from './task.ts'

/** Jobs that one lane may claim at once under load: many lanes take turns. */
const maxOfLane = 2

/** Lets the lanes of a task claim jobs: as they like, or a few at a time while the process is busy with incoming mail. */
export interface Pace {
  /** A commit brought jobs. */
  note(): void
  /** @returns how many jobs may be claimed now, from 1 to `wanted` */
  admit(wanted: number): Promise<number>
  /** Gives back what was admitted and not claimed. */
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
    const admitted = Math.min(wanted, left, maxOfLane)
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
