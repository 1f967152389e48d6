import type { Database, Tx } from '../database.ts'
import type { JobPayloads, TaskName, TaskWithoutPayload } from './job-payloads.ts'
import { encodeLane } from './lanes.ts'
import type { Lane } from './lanes.ts'
import { prepared } from '../changes/prepared.ts'
import type { JobRow } from '../schema/jobs.ts'

export interface Job<K extends TaskName> {
  id: string
  task: K
  /** @see decodeLane */
  laneKey: string
  payload: JobPayloads[K]
  /** How often it was claimed, this time included. */
  attempts: number
}

/** The topic of the commits that store a job of this task and lane. */
export const jobTopic = (task: TaskName, laneKey: string) => `jobs/${task}/${laneKey}`

export interface JobOptions<K extends TaskName> {
  /** Milliseconds since 1970; the default is now. */
  runAt?: number
  lane?: Lane<K>
}

/** Puts work in the queue, in the transaction that makes it necessary. @returns the job's id */
export async function enqueue<K extends TaskName>(
  tx: Tx, task: K, payload: JobPayloads[K], { runAt = tx.now, lane }: JobOptions<K> = {},
): Promise<string> {
  const id = tx.newId()
  const laneKey = lane ? encodeLane(task, lane) : ''
  await insertJob(tx, { id, task, lane: laneKey, payload: JSON.stringify(payload), run_at: runAt, attempts: 0, is_leased: 0 })
  tx.announce(jobTopic(task, laneKey))
  return id
}

/** Puts work in the queue that this process begins at once: the job has a lease, as if it had been claimed. */
export async function enqueueClaimed<K extends TaskName>(
  tx: Tx, task: K, payload: JobPayloads[K], { lane, leaseMs }: { lane: Lane<K>, leaseMs: number },
): Promise<Job<K>> {
  const job = { id: tx.newId(), task, laneKey: encodeLane(task, lane), payload, attempts: 1 }
  await insertJob(tx, {
    id: job.id, task, lane: job.laneKey, payload: JSON.stringify(payload), run_at: tx.now + leaseMs, attempts: job.attempts, is_leased: 1,
  })
  return job
}

/** Puts work in the queue unless a job of the same task is due and unclaimed. */
export async function enqueueOnce(tx: Tx, task: TaskWithoutPayload): Promise<void> {
  const waiting = await tx.sql.selectFrom('jobs').select('id').where('task', '=', task).where('lane', '=', '')
    .where('run_at', '<=', tx.now).where('is_leased', '=', 0).limit(1).executeTakeFirst()
  if (!waiting) await enqueue(tx, task, {})
}

interface Claim<K extends TaskName> {
  task: K
  laneKey: string
  limit: number
  leaseMs: number
}

/**
 * Claims due jobs of a lane; a job that is not completed when its lease ends is due again.
 * @returns at most `limit` jobs, those that are due longest first
 */
export async function claimJobs<K extends TaskName>(tx: Tx, { task, laneKey, limit, leaseMs }: Claim<K>): Promise<Job<K>[]> {
  const { rows } = await claimDue(tx, { task, lane: laneKey, limit, now: tx.now, until: tx.now + leaseMs })
  return rows.map(({ id, payload, attempts }) => ({ id, task, laneKey, payload: JSON.parse(payload), attempts }))
}

/** @returns the time at which a job of this lane is due next, or null when the lane is empty */
export async function nextDue(db: Database, task: TaskName, laneKey: string): Promise<number | null> {
  const { rows } = await selectEarliest(db, { task, lane: laneKey })
  return rows[0]?.run_at ?? null
}

/** The keys of the lanes of a task that have jobs. */
export async function laneKeysOf(db: Database, task: TaskName): Promise<string[]> {
  const keys: string[] = []
  // one seek in the index per lane, regardless of the number of its jobs
  for (let after = ''; ;) {
    const row: { lane: string } | undefined = await db.sql.selectFrom('jobs').select('lane')
      .where('task', '=', task).where('lane', '>', after).orderBy('lane').limit(1).executeTakeFirst()
    if (!row) return keys
    keys.push(after = row.lane)
  }
}

/** The payloads of all jobs of a task that are not completed. */
export async function waitingPayloads<K extends TaskName>(db: Database, task: K): Promise<JobPayloads[K][]> {
  const rows = await db.sql.selectFrom('jobs').select('payload').where('task', '=', task).execute()
  return rows.map(({ payload }) => JSON.parse(payload) as JobPayloads[K])
}

/**
 * The number of jobs of each task that are due and unclaimed, and the time at which the oldest of them was due. Reads the whole index:
 * 5 ms for 100,000 jobs.
 */
export async function dueJobs(db: Database): Promise<{ task: string, count: number, oldestDueAt: number }[]> {
  return db.sql.selectFrom('jobs')
    .select(({ fn }) => ['task', fn.countAll<number>().as('count'), fn.min('run_at').as('oldestDueAt')])
    .where('run_at', '<=', db.now()).groupBy('task').execute()
}

/** @returns false when there is no such job */
export async function completeJob(tx: Tx, id: string): Promise<boolean> {
  return (await deleteJob(tx, { id })).numAffectedRows === 1n
}

/** Removes unclaimed jobs of a lane. @returns their number, at most `limit` */
export async function dropWaitingJobs<K extends TaskName>(tx: Tx, task: K, lane: Lane<K>, limit: number): Promise<number> {
  const { numDeletedRows } = await tx.sql.deleteFrom('jobs')
    .where('id', 'in', (waiting) => waiting.selectFrom('jobs').select('id')
      .where('task', '=', task).where('lane', '=', encodeLane(task, lane)).where('is_leased', '=', 0).limit(limit))
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** Removes all jobs of a task. */
export async function dropJobs(tx: Tx, task: TaskName): Promise<void> {
  await tx.sql.deleteFrom('jobs').where('task', '=', task).execute()
}

/** Whether the lane of a job has another job, claimed or not. */
export async function hasOtherJob<K extends TaskName>(tx: Tx, { id, task, laneKey }: Job<K>): Promise<boolean> {
  const row = await tx.sql.selectFrom('jobs').select('id')
    .where('task', '=', task).where('lane', '=', laneKey).where('id', '!=', id).limit(1).executeTakeFirst()
  return row !== undefined
}

/** @param isCounted false when the run does not count as an attempt, because a full disk has stopped it */
export async function retryJob<K extends TaskName>(
  tx: Tx, { id, task, laneKey, attempts }: Job<K>, runAt: number, isCounted = true,
): Promise<void> {
  const counted = isCounted ? attempts : attempts - 1
  await tx.sql.updateTable('jobs').set({ run_at: runAt, is_leased: 0, attempts: counted }).where('id', '=', id).execute()
  tx.announce(jobTopic(task, laneKey))
}

/** Ends all leases, which a process left when it died: their jobs are due at once. */
export async function releaseLeases(tx: Tx): Promise<void> {
  await tx.sql.updateTable('jobs').set({ run_at: tx.now, is_leased: 0 }).where('is_leased', '=', 1).execute()
}

/** Makes all jobs of a task due at once. */
export async function makeDue(tx: Tx, task: TaskName): Promise<void> {
  await tx.sql.updateTable('jobs').set({ run_at: tx.now }).where('task', '=', task).where('run_at', '>', tx.now).execute()
}

const insertJob = prepared<JobRow, never>((sql, value) =>
  sql.insertInto('jobs').values({
    id: value('id'), task: value('task'), lane: value('lane'), payload: value('payload'), run_at: value('run_at'),
    attempts: value('attempts'), is_leased: value('is_leased'),
  }))

const claimDue = prepared<{ task: string, lane: string, now: number, until: number, limit: number }, JobRow>((sql, value) =>
  sql.updateTable('jobs')
    .set((set) => ({ is_leased: 1, run_at: value('until'), attempts: set('attempts', '+', 1) }))
    .where('id', 'in', (due) => due.selectFrom('jobs').select('id')
      .where('task', '=', value('task')).where('lane', '=', value('lane')).where('run_at', '<=', value('now'))
      .orderBy('run_at').orderBy('id').limit(value('limit')))
    .returningAll())

const selectEarliest = prepared<{ task: string, lane: string }, { run_at: number }>((sql, value) =>
  sql.selectFrom('jobs').select('run_at')
    .where('task', '=', value('task')).where('lane', '=', value('lane')).orderBy('run_at').limit(1))

const deleteJob = prepared<{ id: string }, never>((sql, value) =>
  sql.deleteFrom('jobs').where('id', '=', value('id')))
