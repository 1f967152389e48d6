import type { App } from '../context.ts'
import { pause } from '../deadline.ts'
import { inTransaction, withReserve } from '../store/database.ts'
import type { Tx } from '../store/database.ts'
import { ClaimLost, completeJob, retryJob } from '../store/jobs/claims.ts'
import type { Claim } from '../store/jobs/claims.ts'
import type { JobPayloads, TaskName } from '../store/jobs/job-payloads.ts'
import type { Job } from '../store/jobs/jobs.ts'
import type { LanePart } from '../store/jobs/lanes.ts'
import { cannotStoreNow, untilStored } from './until-stored.ts'

/** Delay before a job is tried again that a full disk or an unavailable database has stopped. */
const databaseRetryMs = 5_000

/**
 * Runs one claimed job: its effect and its completion are stored in one transaction, or it is tried again later. If its claim is lost,
 * another run has the job, and this one has no effect.
 */
export async function runJob<K extends TaskName>(app: App, task: Task<K>, job: Job<K>): Promise<void> {
  const db = withReserve(app.db)
  try {
    const write = await task.run(app, job.payload, job)
    if (write === completed) return
    // only the write is repeated: another run would repeat effects outside, such as the call of a webhook
    await untilStored(app, () => inTransaction(db, async (tx) => {
      await write(tx)
      await completeJob(tx, job)
    }))
  } catch (error) {
    if (error instanceof ClaimLost) return logLost(app, job)
    // a job that waits for another host is cut off when the server closes, and is due again at its next start
    if (app.closing.aborted) return endClaim(app, job, { onLost() {} }) // its thread may have completed it meanwhile
    const isDatabase = cannotStoreNow(error)
    const delayMs = isDatabase ? databaseRetryMs : task.errorRetryDelaysMs[Math.min(job.attempts, task.errorRetryDelaysMs.length) - 1]!
    app.log.error({ err: error, task: job.task, job: job.id, attempts: job.attempts, retryInSeconds: delayMs / 1000 }, 'job failed')
    await endClaim(app, job, { delayMs, isCounted: !isDatabase, onLost: () => logLost(app, job) })
  }
}

function logLost({ log }: App, { task, id, attempts }: Job<TaskName>) {
  log.warn({ task, job: id, attempts }, 'the claim of a job was lost: this run has no effect')
}

/** Delay before a transaction that ends a claim is tried again: no other node takes the job over while this one is alive. */
const endRetryMs = 1_000

interface ClaimEnd {
  /** Milliseconds until the job is due again; 0 by default. */
  delayMs?: number
  isCounted?: boolean
  onLost(): void
}

/** Ends a claim, so that the job is due again. Repeats the transaction until it is stored. @throws its error when the server closes */
export async function endClaim(app: App, claim: Claim, { delayMs = 0, isCounted, onLost }: ClaimEnd): Promise<void> {
  let isLogged = false
  for (;;) {
    try {
      return await inTransaction(withReserve(app.db), (tx) => retryJob(tx, claim, tx.now + delayMs, isCounted))
    } catch (error) {
      if (error instanceof ClaimLost) return onLost()
      if (app.closing.aborted) throw error
      if (!isLogged && !cannotStoreNow(error)) app.log.error({ err: error, job: claim.id }, 'the claim of a job cannot be ended yet')
      isLogged = true
      await pause(endRetryMs, app.closing) // the last attempt is made while the server closes
    }
  }
}

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
