import { timestamp } from '../../clock.ts'
import type { Database, Tx } from '../database.ts'
import { claimants, isOfMove, releaseClaimsOf } from './claims.ts'

/** A process of several that use one database. */
export interface Node {
  id: string
  /** A name by which operators recognize it. */
  label: string
  version: string
}

/** Time without a beat after which a node counts as dead, and others take its jobs over. */
export const maxSilenceMs = 15_000

export async function insertNode(tx: Tx, { id, label, version }: Node): Promise<void> {
  await tx.sql.insertInto('nodes').values({ id, label, version, started_at: tx.now, beat_at: tx.now }).execute()
}

export interface ListedNode extends Node {
  startedAt: string
  lastBeatAt: string
  /** Claimed by it. */
  jobs: number
}

/** The registered nodes, oldest first. Some may have died: the others remove them after `maxSilenceMs`. */
export async function listNodes(db: Database): Promise<ListedNode[]> {
  const nodes = await db.sql.selectFrom('nodes').select(['id', 'label', 'version', 'started_at', 'beat_at']).orderBy('started_at').orderBy('id').execute()
  const claimed = await db.sql.selectFrom('jobs').select(({ fn }) => ['claimed_by', fn.countAll<number>().as('jobs')])
    .where('claimed_by', 'is not', null).groupBy('claimed_by').execute()
  const jobsOf = new Map(claimed.map((row) => [row.claimed_by, row.jobs]))
  return nodes.map(({ id, label, version, started_at: startedAt, beat_at: beatAt }) => (
    { id, label, version, startedAt: timestamp(startedAt), lastBeatAt: timestamp(beatAt), jobs: jobsOf.get(id) ?? 0 }
  ))
}

/** Records that a node is alive. @returns false when others have removed it: its claims are released */
export async function recordBeat(tx: Tx, id: string): Promise<boolean> {
  const { numUpdatedRows } = await tx.sql.updateTable('nodes').set({ beat_at: tx.now }).where('id', '=', id)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Whether others are registered, which may be alive. */
export async function hasOtherNodes(tx: Tx, id: string): Promise<boolean> {
  return await tx.sql.selectFrom('nodes').select('id').where('id', '!=', id).limit(1).executeTakeFirst() !== undefined
}

/** Removes a node that ends, and releases its jobs. */
export async function removeNode(tx: Tx, id: string): Promise<void> {
  await tx.sql.deleteFrom('nodes').where('id', '=', id).execute()
  await releaseClaimsOf(tx, id)
}

/**
 * Removes the nodes that are silent, and releases the jobs of nodes that have no row: of these, and of nodes that have claimed a job while
 * they were removed. Several nodes may do so at once: each node and each job is counted by one of them. Nodes are locked in the order of
 * their ids, against deadlocks.
 */
export async function removeSilentNodes(tx: Tx): Promise<{ nodes: string[], jobs: number }> {
  const lastBeat = tx.now - maxSilenceMs
  const silent = await tx.sql.selectFrom('nodes').select('id').where('beat_at', '<', lastBeat).orderBy('id').execute()
  const nodes: string[] = []
  for (const { id } of silent) {
    // a node may have sent a beat, or have been removed, since it was found
    const { numDeletedRows } = await tx.sql.deleteFrom('nodes').where('id', '=', id).where('beat_at', '<', lastBeat).executeTakeFirstOrThrow()
    if (numDeletedRows === 1n) nodes.push(id)
  }
  let jobs = 0
  for (const id of await claimants(tx)) {
    if (isOfMove(id)) continue
    const node = await tx.sql.selectFrom('nodes').select('id').where('id', '=', id).executeTakeFirst()
    if (!node) jobs += await releaseClaimsOf(tx, id)
  }
  return { nodes, jobs }
}
