import type { App } from '../context.ts'
import { inTransaction } from '../store/database.ts'
import { completeJob, retryJob } from '../store/jobs.ts'
import type { Job } from '../store/jobs.ts'
import type { Task } from './task.ts'

/** Runs one claimed job: its effect and its completion are stored together, or it is tried again later. */
export async function runJob(app: App, task: Task<never>, job: Job): Promise<void> {
  try {
    const write = await task.run(app, job.payload as never, job)
    await inTransaction(app.db, async (tx) => {
      await write(tx)
      await completeJob(tx, job.id)
    })
  } catch (error) {
    // what waits for another host stops when the server closes, and is due again at its next start
    if (app.closing.aborted) return inTransaction(app.db, (tx) => retryJob(tx, job, tx.now))
    const delay = task.delays[Math.min(job.attempts, task.delays.length) - 1]!
    app.log.error({ err: error, task: job.task, job: job.id, attempts: job.attempts, retryInSeconds: delay }, 'job failed')
    await inTransaction(app.db, (tx) => retryJob(tx, job, tx.now + delay * 1000))
  }
}
