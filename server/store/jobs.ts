import type { Database, Tx } from './database.ts'
import { prepared } from './prepared.ts'
import type { JobRow } from './schema.ts'

export interface Job {
  id: string
  task: string
  payload: unknown
  /** How often it was claimed, this time included. */
  attempts: number
}

/** What is announced when a job of this task is stored. */
export const jobTopic = (task: string) => `jobs/${task}`

/** Puts work in the queue, in the transaction that makes it necessary. @returns the job's id */
export async function enqueue(tx: Tx, task: string, payload: unknown, runAt = tx.now): Promise<string> {
  const id = tx.newId()
  await insertJob(tx, { id, task, payload: JSON.stringify(payload), run_at: runAt })
  tx.announce(jobTopic(task))
  return id
}

/**
 * Claims due jobs of a task for `lease` milliseconds; one that is not completed by then is due again.
 * @returns at most `limit` of them, the longest due first
 */
export async function claimJobs(tx: Tx, claim: { task: string, limit: number, lease: number }): Promise<Job[]> {
  const { rows } = await claimDue(tx, { ...claim, now: tx.now, until: tx.now + claim.lease })
  return rows.map((row) => ({ id: row.id, task: row.task, payload: JSON.parse(row.payload), attempts: row.attempts }))
}

/** When a job of this task is due next, or null when none waits. */
export async function nextDue(db: Database, task: string): Promise<number | null> {
  const { rows } = await earliest(db, { task })
  return rows[0]?.run_at ?? null
}

/** What the jobs of a task have to do that are not completed. */
export async function waitingPayloads(db: Database, task: string): Promise<unknown[]> {
  const rows = await db.sql.selectFrom('jobs').select('payload').where('task', '=', task).execute()
  return rows.map(({ payload }) => JSON.parse(payload) as unknown)
}

export async function completeJob(tx: Tx, id: string): Promise<void> {
  await deleteJob(tx, { id })
}

export async function retryJob(tx: Tx, { id, task }: Job, runAt: number): Promise<void> {
  await tx.sql.updateTable('jobs').set({ run_at: runAt, is_leased: 0 }).where('id', '=', id).execute()
  tx.announce(jobTopic(task))
}

/** Makes the jobs due at once that a process held when it died. */
export async function releaseLeases(tx: Tx): Promise<void> {
  await tx.sql.updateTable('jobs').set({ run_at: tx.now, is_leased: 0 }).where('is_leased', '=', 1).execute()
}

const insertJob = prepared<Pick<JobRow, 'id' | 'task' | 'payload' | 'run_at'>, never>((sql, value) =>
  sql.insertInto('jobs').values({
    id: value('id'), task: value('task'), payload: value('payload'), run_at: value('run_at'), attempts: 0, is_leased: 0,
  }))

const claimDue = prepared<{ task: string, now: number, until: number, limit: number }, JobRow>((sql, value) =>
  sql.updateTable('jobs')
    .set((set) => ({ is_leased: 1, run_at: value('until'), attempts: set('attempts', '+', 1) }))
    .where('id', 'in', (due) => due.selectFrom('jobs').select('id')
      .where('task', '=', value('task')).where('run_at', '<=', value('now'))
      .orderBy('run_at').orderBy('id').limit(value('limit')))
    .returningAll())

const earliest = prepared<{ task: string }, { run_at: number }>((sql, value) =>
  sql.selectFrom('jobs').select('run_at').where('task', '=', value('task')).orderBy('run_at').limit(1))

const deleteJob = prepared<{ id: string }, never>((sql, value) =>
  sql.deleteFrom('jobs').where('id', '=', value('id')))
