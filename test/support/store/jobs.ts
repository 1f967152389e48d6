import { inTransaction } from '../../../server/store/database.ts'
import type { Claim } from '../../../server/store/jobs/claims.ts'
import { enqueue } from '../../../server/store/jobs/jobs.ts'
import type { JobPayloads, TaskName } from '../../../server/store/jobs/job-payloads.ts'
import type { Lane } from '../../../server/store/jobs/lanes.ts'
import type { TestApp } from '../app.ts'
import { rowsOf } from './rows.ts'
import type { Row } from './rows.ts'

/** The jobs of a task that are not completed. */
export async function jobsOf(app: TestApp, task: TaskName): Promise<Row<'jobs'>[]> {
  return (await rowsOf(app, 'jobs')).filter((job) => job.task === task)
}

interface LeftJob<K extends TaskName> {
  payload: JobPayloads[K]
  lane?: Lane<K>
  /** Milliseconds since 1970. */
  runAt: number
}

/** Queues jobs without waking a worker, which is their state after a process died. */
export async function leaveJobs<K extends TaskName>({ app }: TestApp, task: K, jobs: LeftJob<K>[]): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    const quiet = { ...tx, announce: () => {} }
    for (const { payload, ...options } of jobs) await enqueue(quiet, task, payload, options)
  })
}

/** Gives all jobs of a task to another node, as after this one was silent and its claims were released. @returns the claims */
export async function takeJobsOver({ app }: TestApp, task: TaskName, claimedBy = 'another node'): Promise<Claim[]> {
  const jobs = await inTransaction(app.db, (tx) => tx.sql.updateTable('jobs')
    .set((set) => ({ claimed_by: claimedBy, attempts: set('attempts', '+', 1) })).where('task', '=', task).returningAll().execute())
  return jobs.map(({ id, attempts }) => ({ id, claimedBy, attempts }))
}
