import type { App } from '../context.ts'
import type { Tx } from '../store/database.ts'
import type { Job } from '../store/jobs.ts'

/**
 * A kind of work from the queue. The policy is data; `run` does what takes time, and what it returns is written in
 * one transaction with the job's completion: so the effect of a job is stored exactly once.
 */
export interface Task<Payload> {
  /** Jobs of this kind that run at once. */
  concurrency: number
  /** Seconds a process may take before the job counts as abandoned. */
  lease: number
  /** Seconds to wait before each further attempt; the last one repeats for ever. */
  delays: number[]
  run(app: App, payload: Payload, job: Job): Promise<(tx: Tx) => Promise<void>>
}
