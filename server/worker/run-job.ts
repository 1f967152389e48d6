import type { App } from '../context.ts'
import { inTransaction, withReserve } from '../store/database.ts'
import type { TaskName } from '../store/jobs/job-payloads.ts'
import { completeJob, retryJob } from '../store/jobs/jobs.ts'
import type { Job } from '../store/jobs/jobs.ts'
import { completed } from './task.ts'
import type { Task } from './task.ts'
import { isStorageFull, untilStored } from './until-stored.ts'

/** Delay before a job that a full disk has stopped is tried again. */
const fullDiskRetryMs = 5_000

/** Runs one claimed job: its effect and its completion are stored in one transaction, or it is tried again later. */
export async function runJob<K extends TaskName>(app: App, task: Task<K>, job: Job<K>): Promise<void> {
  const db = withReserve(app.db)
  try {
    const write = await task.run(app, job.payload, job)
    if (write === completed) return
    // on a full disk only the write is repeated: another run would repeat effects outside, such as the call of a webhook
    await untilStored(app, () => inTransaction(db, async (tx) => {
      await write(tx)
      await completeJob(tx, job.id)
    }))
  } catch (error) {
    // a job that waits for another host is cut off when the server closes, and is due again at its next start
    if (app.closing.aborted) return inTransaction(db, (tx) => retryJob(tx, job, tx.now))
    const isFull = isStorageFull(error)
    const delayMs = isFull ? fullDiskRetryMs : task.errorRetryDelaysMs[Math.min(job.attempts, task.errorRetryDelaysMs.length) - 1]!
    app.log.error({ err: error, task: job.task, job: job.id, attempts: job.attempts, retryInSeconds: delayMs / 1000 }, 'job failed')
    await untilStored(app, () => inTransaction(db, (tx) => retryJob(tx, job, tx.now + delayMs, !isFull)))
  }
}
