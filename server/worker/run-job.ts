import type { App } from '../context.ts'
import { pause } from '../deadline.ts'
import { inTransaction, withReserve } from '../store/database.ts'
import { ClaimLost, completeJob, retryJob } from '../store/jobs/claims.ts'
import type { Claim } from '../store/jobs/claims.ts'
import type { TaskName } from '../store/jobs/job-payloads.ts'
import type { Job } from '../store/jobs/jobs.ts'
import { completed } from './task.ts'
import type { Task } from './task.ts'
import { isStorageFull, untilStored } from './until-stored.ts'

/** Delay before a job that a full disk has stopped is tried again. */
const fullDiskRetryMs = 5_000

/**
 * Runs one claimed job: its effect and its completion are stored in one transaction, or it is tried again later. If its claim is lost,
 * another run has the job, and this one has no effect.
 */
export async function runJob<K extends TaskName>(app: App, task: Task<K>, job: Job<K>): Promise<void> {
  const db = withReserve(app.db)
  try {
    const write = await task.run(app, job.payload, job)
    if (write === completed) return
    // on a full disk only the write is repeated: another run would repeat effects outside, such as the call of a webhook
    await untilStored(app, () => inTransaction(db, async (tx) => {
      await write(tx)
      await completeJob(tx, job)
    }))
  } catch (error) {
    if (error instanceof ClaimLost) return logLost(app, job)
    // a job that waits for another host is cut off when the server closes, and is due again at its next start
    if (app.closing.aborted) return endClaim(app, job, { onLost: () => logLost(app, job) })
    const isFull = isStorageFull(error)
    const delayMs = isFull ? fullDiskRetryMs : task.errorRetryDelaysMs[Math.min(job.attempts, task.errorRetryDelaysMs.length) - 1]!
    app.log.error({ err: error, task: job.task, job: job.id, attempts: job.attempts, retryInSeconds: delayMs / 1000 }, 'job failed')
    await endClaim(app, job, { delayMs, isCounted: !isFull, onLost: () => logLost(app, job) })
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
      if (!isLogged && !isStorageFull(error)) app.log.error({ err: error, job: claim.id }, 'the claim of a job cannot be ended yet')
      isLogged = true
      await pause(endRetryMs, app.closing) // the last attempt is made while the server closes
    }
  }
}
