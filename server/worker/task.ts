import type { App } from '../context.ts'
import type { Tx } from '../store/database.ts'
import type { Job } from '../store/jobs.ts'

/**
 * A kind of work from the queue. The policy is data; `run` does what takes time, and what it returns is written in
 * one transaction with the job's completion: so the effect of a job is stored exactly once.
 */
export interface Task<Payload> {
  /** Jobs of this kind that run at once; of a kind with lanes, those of one lane. */
  concurrency: number
  /** Set when jobs have lanes that never wait for one another: those of all lanes that run at once. */
  inAllLanes?: number
  /** Set when lanes are named `account/part/…`: maximum jobs at once of one account, and of one value of each further part. */
  ofOnePart?: number[]
  /** Set when a start takes a millisecond or more: jobs that start in one turn of the event loop, so that other work runs between. */
  startsPerTurn?: number
  /** Set when incoming mail goes first: jobs that are claimed at once while the process is busy, and milliseconds between. */
  underLoad?: { jobs: number, pause: number }
  /** Seconds a process may take before the job counts as abandoned. */
  lease: number
  /** Seconds to wait before each further attempt; the last one repeats for ever. */
  delays: number[]
  run(app: App, payload: Payload, job: Job): Promise<(tx: Tx) => Promise<void>>
}
