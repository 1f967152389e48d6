import type { Database, Tx } from './database.ts'
import { prepared } from './changes/prepared.ts'
import type { JobRow } from './schema/jobs.ts'

export interface Job {
  id: string
  task: string
  lane: string
  payload: unknown
  /** How often it was claimed, this time included. */
  attempts: number
}

/** What is announced when a job of this task and lane is stored. */
export const jobTopic = (task: string, lane: string) => `jobs/${task}/${lane}`

export interface JobOptions {
  /** Milliseconds since 1970; now, when it is left out. */
  runAt?: number
  /** Jobs of one task that have different lanes never wait for one another. */
  lane?: string
}

/** Puts work in the queue, in the transaction that makes it necessary. @returns the job's id */
export async function enqueue(
  tx: Tx, task: string, payload: unknown, { runAt = tx.now, lane = '' }: JobOptions = {},
): Promise<string> {
  const id = tx.newId()
  await insertJob(tx, { id, task, lane, payload: JSON.stringify(payload), run_at: runAt })
  tx.announce(jobTopic(task, lane))
  return id
}

/** Puts work in the queue unless a job waits there that does the same, and is due. */
export async function enqueueOnce(tx: Tx, task: string): Promise<void> {
  const waiting = await tx.sql.selectFrom('jobs').select('id').where('task', '=', task).where('lane', '=', '')
    .where('run_at', '<=', tx.now).where('is_leased', '=', 0).limit(1).executeTakeFirst()
  if (!waiting) await enqueue(tx, task, {})
}

/**
 * Claims due jobs of a task for `lease` milliseconds; one that is not completed by then is due again.
 * @returns at most `limit` of them, the longest due first
 */
export async function claimJobs(tx: Tx, claim: { task: string, lane: string, limit: number, lease: number }): Promise<Job[]> {
  const { rows } = await claimDue(tx, { ...claim, now: tx.now, until: tx.now + claim.lease })
  return rows.map((row) => ({ id: row.id, task: row.task, lane: row.lane, payload: JSON.parse(row.payload), attempts: row.attempts }))
}

/** When a job of this lane is due next, or null when none waits. */
export async function nextDue(db: Database, task: string, lane: string): Promise<number | null> {
  const { rows } = await earliest(db, { task, lane })
  return rows[0]?.run_at ?? null
}

/** The lanes of a task that have jobs. */
export async function lanesOf(db: Database, task: string): Promise<string[]> {
  const lanes: string[] = []
  // one step of the index a lane, however many jobs each has
  for (let after = ''; ;) {
    const row: { lane: string } | undefined = await db.sql.selectFrom('jobs').select('lane')
      .where('task', '=', task).where('lane', '>', after).orderBy('lane').limit(1).executeTakeFirst()
    if (!row) return lanes
    lanes.push(after = row.lane)
  }
}

/** What the jobs of a task have to do that are not completed. */
export async function waitingPayloads(db: Database, task: string): Promise<unknown[]> {
  const rows = await db.sql.selectFrom('jobs').select('payload').where('task', '=', task).execute()
  return rows.map(({ payload }) => JSON.parse(payload) as unknown)
}

/** How many jobs of each task are due and unclaimed, and since when the oldest of them is. Walks the index: 5 ms for 100,000 jobs. */
export async function dueJobs(db: Database): Promise<{ task: string, count: number, oldestDueAt: number }[]> {
  return db.sql.selectFrom('jobs')
    .select(({ fn }) => ['task', fn.countAll<number>().as('count'), fn.min('run_at').as('oldestDueAt')])
    .where('run_at', '<=', db.now()).groupBy('task').execute()
}

export async function completeJob(tx: Tx, id: string): Promise<void> {
  await deleteJob(tx, { id })
}

/** Removes jobs of a lane that nobody has claimed. @returns how many */
export async function dropWaitingJobs(tx: Tx, task: string, lane: string, limit: number): Promise<number> {
  const { numDeletedRows } = await tx.sql.deleteFrom('jobs')
    .where('id', 'in', (waiting) => waiting.selectFrom('jobs').select('id')
      .where('task', '=', task).where('lane', '=', lane).where('is_leased', '=', 0).limit(limit))
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** Removes all jobs of a task. */
export async function dropJobs(tx: Tx, task: string): Promise<void> {
  await tx.sql.deleteFrom('jobs').where('task', '=', task).execute()
}

/** Whether the lane of a job has another one, claimed or not. */
export async function hasOtherJob(tx: Tx, { id, task, lane }: Pick<Job, 'id' | 'task' | 'lane'>): Promise<boolean> {
  const row = await tx.sql.selectFrom('jobs').select('id')
    .where('task', '=', task).where('lane', '=', lane).where('id', '!=', id).limit(1).executeTakeFirst()
  return row !== undefined
}

/** @param isCounted false when the run was no attempt: a full disk has stopped it, not a fault of the job */
export async function retryJob(tx: Tx, { id, task, lane, attempts }: Job, runAt: number, isCounted = true): Promise<void> {
  const counted = isCounted ? attempts : attempts - 1
  await tx.sql.updateTable('jobs').set({ run_at: runAt, is_leased: 0, attempts: counted }).where('id', '=', id).execute()
  tx.announce(jobTopic(task, lane))
}

/** Makes the jobs due at once that a process held when it died. */
export async function releaseLeases(tx: Tx): Promise<void> {
  await tx.sql.updateTable('jobs').set({ run_at: tx.now, is_leased: 0 }).where('is_leased', '=', 1).execute()
}

/** Makes all jobs of a task due at once. */
export async function makeDue(tx: Tx, task: string): Promise<void> {
  await tx.sql.updateTable('jobs').set({ run_at: tx.now }).where('task', '=', task).where('run_at', '>', tx.now).execute()
}

const insertJob = prepared<Pick<JobRow, 'id' | 'task' | 'lane' | 'payload' | 'run_at'>, never>((sql, value) =>
  sql.insertInto('jobs').values({
    id: value('id'), task: value('task'), lane: value('lane'), payload: value('payload'), run_at: value('run_at'), attempts: 0, is_leased: 0,
  }))

const claimDue = prepared<{ task: string, lane: string, now: number, until: number, limit: number }, JobRow>((sql, value) =>
  sql.updateTable('jobs')
    .set((set) => ({ is_leased: 1, run_at: value('until'), attempts: set('attempts', '+', 1) }))
    .where('id', 'in', (due) => due.selectFrom('jobs').select('id')
      .where('task', '=', value('task')).where('lane', '=', value('lane')).where('run_at', '<=', value('now'))
      .orderBy('run_at').orderBy('id').limit(value('limit')))
    .returningAll())

const earliest = prepared<{ task: string, lane: string }, { run_at: number }>((sql, value) =>
  sql.selectFrom('jobs').select('run_at')
    .where('task', '=', value('task')).where('lane', '=', value('lane')).orderBy('run_at').limit(1))

const deleteJob = prepared<{ id: string }, never>((sql, value) =>
  sql.deleteFrom('jobs').where('id', '=', value('id')))
