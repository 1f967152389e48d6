import { prepared } from '../changes/prepared.ts'
import type { Queries } from '../connection.ts'
import type { Database, Tx } from '../database.ts'
import type { JobRow } from '../schema/schema.ts'
import { claimants } from './claims.ts'
import type { Claim } from './claims.ts'
import type { JobPayloads, TaskName, TaskWithoutPayload } from './job-payloads.ts'
import { encodeLane, jobTopic } from './lanes.ts'
import type { Lane } from './lanes.ts'

/** A claimed job. */
export interface Job<K extends TaskName> extends Claim {
  task: K
  /** @see decodeLane */
  laneKey: string
  payload: JobPayloads[K]
}

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
  await insertJob(tx, { id, task, lane: laneKey, payload: JSON.stringify(payload), run_at: runAt, attempts: 0, claimed_by: null })
  tx.announce(jobTopic(task, laneKey))
  return id
}

/** Puts work in the queue that a node begins at once: the job has this id, as if the node had claimed it. */
export async function enqueueClaimed<K extends TaskName>(
  tx: Tx, task: K, payload: JobPayloads[K], { lane, claim }: { lane: Lane<K>, claim: Claim },
): Promise<Job<K>> {
  const { id, claimedBy, attempts } = claim
  const laneKey = encodeLane(task, lane)
  await insertJob(tx, { id, task, lane: laneKey, payload: JSON.stringify(payload), run_at: tx.now, attempts, claimed_by: claimedBy })
  return { id, claimedBy, attempts, task, laneKey, payload }
}

/** Puts work in the queue unless a job of the same task is due and unclaimed. */
export async function enqueueOnce(tx: Tx, task: TaskWithoutPayload): Promise<void> {
  const waiting = await tx.sql.selectFrom('jobs').select('id').where('task', '=', task).where('lane', '=', '')
    .where('claimed_by', 'is', null).where('run_at', '<=', tx.now).limit(1).executeTakeFirst()
  if (!waiting) await enqueue(tx, task, {})
}

interface ClaimOptions<K extends TaskName> {
  task: K
  laneKey: string
  limit: number
  /** The id of the node. */
  claimedBy: string
}

/**
 * Claims due jobs of a lane for a node. They are not due again until their outcome is stored, or their claims are released.
 * @returns at most `limit` jobs, those that are due longest first
 */
export async function claimJobs<K extends TaskName>(tx: Tx, { task, laneKey, limit, claimedBy }: ClaimOptions<K>): Promise<Job<K>[]> {
  const { rows } = await updateDue(tx, { task, lane: laneKey, limit, claimedBy, now: tx.now })
  return rows.map(({ id, payload, attempts }) => ({ id, claimedBy, task, laneKey, payload: JSON.parse(payload), attempts }))
}

/** @returns the time at which an unclaimed job of this lane is due next, or null when there is none */
export async function nextDue(db: Database, task: TaskName, laneKey: string): Promise<number | null> {
  const { rows } = await selectEarliest(db, { task, lane: laneKey })
  return rows[0]?.run_at ?? null
}

/** @returns the time at which the last unclaimed job of this lane is due, or null when there is none */
export async function lastDue<K extends TaskName>(tx: Tx, task: K, lane: Lane<K>): Promise<number | null> {
  return (await selectLatest(tx, { task, lane: encodeLane(task, lane) })).rows[0]?.run_at ?? null
}

/** The keys of the lanes of a task that have unclaimed jobs. */
export async function laneKeysOf(db: Database, task: TaskName): Promise<string[]> {
  const keys: string[] = []
  // one seek in the index per lane, regardless of the number of its jobs
  for (let after = ''; ;) {
    const row: { lane: string } | undefined = await db.sql.selectFrom('jobs').select('lane')
      .where('claimed_by', 'is', null).where('task', '=', task).where('lane', '>', after).orderBy('lane').limit(1).executeTakeFirst()
    if (!row) return keys
    keys.push(after = row.lane)
  }
}

/** The payloads of all jobs of a task that are not completed. One query: between two, a job could be claimed or released. */
export async function waitingPayloads<K extends TaskName>(db: Pick<Queries, 'sql'>, task: K): Promise<JobPayloads[K][]> {
  const payloads = db.sql.selectFrom('jobs').select('payload').where('task', '=', task)
  const rows = await payloads.where('claimed_by', 'is', null).unionAll(payloads.where('claimed_by', '>', '')).execute()
  return rows.map(({ payload }) => JSON.parse(payload) as JobPayloads[K])
}

/**
 * The number of jobs of each task that are due and unclaimed, and the time at which the oldest of them was due. Reads the whole index of
 * unclaimed jobs: 5 ms for 100,000.
 */
export async function dueJobs(db: Database): Promise<{ task: string, count: number, oldestDueAt: number }[]> {
  return db.sql.selectFrom('jobs')
    .select(({ fn }) => ['task', fn.countAll<number>().as('count'), fn.min('run_at').as('oldestDueAt')])
    .where('claimed_by', 'is', null).where('run_at', '<=', db.now()).groupBy('task').execute()
}

/**
 * Removes a job that is not to be run any more. A run that has begun has no effect: its claim is lost.
 * @returns false when there is no such job: it was completed or canceled
 */
export async function cancelJob(tx: Tx, id: string): Promise<boolean> {
  return (await deleteJob(tx, { id })).numAffectedRows === 1n
}

/** Removes unclaimed jobs of a lane. @returns their number, at most `limit` */
export async function removeWaitingJobs<K extends TaskName>(tx: Tx, task: K, lane: Lane<K>, limit: number): Promise<number> {
  const { numDeletedRows } = await tx.sql.deleteFrom('jobs')
    .where('id', 'in', (waiting) => waiting.selectFrom('jobs').select('id')
      .where('claimed_by', 'is', null).where('task', '=', task).where('lane', '=', encodeLane(task, lane)).limit(limit))
    .where('claimed_by', 'is', null).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** Removes all jobs of a task. Runs that have begun have no effect. */
export async function removeJobs(tx: Tx, task: TaskName): Promise<void> {
  const jobs = tx.sql.deleteFrom('jobs').where('task', '=', task)
  await jobs.where('claimed_by', 'is', null).execute()
  for (const node of await claimants(tx)) await jobs.where('claimed_by', '=', node).execute()
}

/** Whether the lane of a job has another job, claimed or not. */
export async function hasOtherJob<K extends TaskName>(tx: Tx, { id, task, laneKey }: Job<K>): Promise<boolean> {
  const others = tx.sql.selectFrom('jobs').select('id').where('task', '=', task).where('lane', '=', laneKey).where('id', '!=', id).limit(1)
  if (await others.where('claimed_by', 'is', null).executeTakeFirst()) return true
  for (const node of await claimants(tx)) if (await others.where('claimed_by', '=', node).executeTakeFirst()) return true
  return false
}

/** Makes all jobs of a task due at once that wait for their time. */
export async function makeDue(tx: Tx, task: TaskName): Promise<void> {
  await tx.sql.updateTable('jobs').set({ run_at: tx.now })
    .where('claimed_by', 'is', null).where('task', '=', task).where('run_at', '>', tx.now).execute()
}

const insertJob = prepared<JobRow, never>((sql, value) =>
  sql.insertInto('jobs').values({
    id: value('id'), task: value('task'), lane: value('lane'), payload: value('payload'), run_at: value('run_at'),
    attempts: value('attempts'), claimed_by: value('claimed_by'),
  }))

// the condition on the updated row decides which of two nodes gets a job that both have found
const updateDue = prepared<{ task: string, lane: string, now: number, claimedBy: string, limit: number }, JobRow>((sql, value) =>
  sql.updateTable('jobs')
    .set((set) => ({ claimed_by: value('claimedBy'), attempts: set('attempts', '+', 1) }))
    .where('id', 'in', (due) => due.selectFrom('jobs').select('id')
      .where('claimed_by', 'is', null).where('task', '=', value('task')).where('lane', '=', value('lane')).where('run_at', '<=', value('now'))
      .orderBy('run_at').orderBy('id').limit(value('limit')))
    .where('claimed_by', 'is', null)
    .returningAll())

const selectAtEnd = (order: 'asc' | 'desc') => prepared<{ task: string, lane: string }, { run_at: number }>((sql, value) =>
  sql.selectFrom('jobs').select('run_at').where('claimed_by', 'is', null)
    .where('task', '=', value('task')).where('lane', '=', value('lane')).orderBy('run_at', order).limit(1))

const selectEarliest = selectAtEnd('asc')
const selectLatest = selectAtEnd('desc')

const deleteJob = prepared<{ id: string }, never>((sql, value) =>
  sql.deleteFrom('jobs').where('id', '=', value('id')))
