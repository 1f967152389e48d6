import type { App } from '../context.ts'
import type { Tx } from '../store/database.ts'
import type { JobPayloads, TaskName } from '../store/jobs/job-payloads.ts'
import type { Job } from '../store/jobs/jobs.ts'
import type { LanePart } from '../store/jobs/lanes.ts'

/**
 * A kind of work of the queue: its limits, and the function that does it. `run` does the part that takes time; the function that it
 * returns is called in the transaction that completes the job, so the effect of a job is stored exactly once.
 */
export interface Task<K extends TaskName> {
  /** Maximum jobs of one lane that run at once. */
  maxPerLane: number
  /** Maximum jobs of all lanes that run at once. Required for a task with lanes. */
  maxInAllLanes?: number
  /** Maximum jobs that run at once with the same value in a part of their lanes, such as the same account. */
  maxPerLanePart?: Record<LanePart<K>, number>
  /** Maximum jobs that start in one turn of the event loop. Set when a start takes a millisecond or more. */
  maxStartsPerLoopTurn?: number
  /** Set when incoming mail takes precedence: maximum jobs that are claimed at once while the process is busy, and the pause between. */
  underLoad?: { maxJobs: number, pauseMs: number }
  /** Delays before the next attempts of a job that threw an error; the last one repeats. */
  errorRetryDelaysMs: readonly number[]
  run(app: App, payload: JobPayloads[K], job: Job<K>): Promise<((tx: Tx) => Promise<void>) | typeof completed>
}

/** The result of a task that has stored its effect, and completed its job, in one transaction of another thread. */
export const completed = Symbol('completed')

export type Tasks = { [K in TaskName]: Task<K> }
