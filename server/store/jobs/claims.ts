import type { Tx } from '../database.ts'
import { jobTopic } from './lanes.ts'
import { prepared } from '../changes/prepared.ts'

/**
 * The right of a node to run a job, and to store its outcome. Its members are the fence: a job that was released and claimed again has
 * another node, or more attempts, and the outcome of the former run is refused.
 */
export interface Claim {
  /** Of the job. */
  id: string
  /** The id of the node. */
  claimedBy: string
  /** How often the job was claimed, this time included. */
  attempts: number
}

/**
 * Rolls back the transaction of a job that is not claimed any more: it was released or canceled, and its effect belongs to another run
 * (docs/decisions/0021).
 */
export class ClaimLost extends Error {
  constructor(message = 'The job is not claimed any more.') {
    super(message)
    this.name = 'ClaimLost'
  }
}

/** Removes a job that is done, in the transaction of its effect. @throws ClaimLost */
export async function completeJob(tx: Tx, { id, claimedBy, attempts }: Claim): Promise<void> {
  const { numAffectedRows } = await deleteClaimed(tx, { id, claimedBy, attempts })
  if (numAffectedRows !== 1n) throw new ClaimLost()
}

/**
 * Ends the claim of a job, which is due again at a time in milliseconds since 1970.
 * @param isCounted false when the run does not count as an attempt, because a full disk has stopped it
 * @throws ClaimLost
 */
export async function retryJob(tx: Tx, { id, claimedBy, attempts }: Claim, runAt: number, isCounted = true): Promise<void> {
  const counted = isCounted ? attempts : attempts - 1
  const { rows: [job] } = await updateClaimed(tx, { id, claimedBy, attempts, runAt, counted })
  if (!job) throw new ClaimLost()
  tx.announce(jobTopic(job.task, job.lane))
}

/**
 * Verifies that this node still has the claim, in a transaction before the one that completes the job. The update of the row locks it, so
 * no other node can take the job over before the commit.
 * @throws ClaimLost
 */
export async function confirmClaim(tx: Tx, { id, claimedBy, attempts }: Claim): Promise<void> {
  const { numAffectedRows } = await updateConfirmed(tx, { id, claimedBy, attempts })
  if (numAffectedRows !== 1n) throw new ClaimLost()
}

/** The claimant of the jobs of an account that moves to another database: no node runs them until the move, or its cancellation, ends. */
export const moveClaimant = (accountId: string) => `move/${accountId}`

export const isOfMove = (claimant: string) => claimant.startsWith(moveClaimant(''))

/** Ends all claims of a node: its jobs are due at once. @returns their number */
export async function releaseClaimsOf(tx: Tx, nodeId: string): Promise<number> {
  const jobs = await tx.sql.updateTable('jobs').set({ claimed_by: null, run_at: tx.now })
    .where('claimed_by', '=', nodeId).returning(['task', 'lane']).execute()
  for (const { task, lane } of jobs) tx.announce(jobTopic(task, lane))
  return jobs.length
}

/** Ends the claims of all other nodes. Requires that this process is the only one with the database: theirs have ended. */
export async function releaseOtherClaims(tx: Tx, nodeId: string): Promise<void> {
  for (const claimant of await claimants(tx)) if (claimant !== nodeId) await releaseClaimsOf(tx, claimant)
}

/** The ids of the nodes that have claimed jobs, in their order. One seek in the index for each, regardless of the number of its jobs. */
export async function claimants({ sql }: Pick<Tx, 'sql'>): Promise<string[]> {
  const ids: string[] = []
  for (let after = ''; ;) {
    const row: { claimed_by: string | null } | undefined = await sql.selectFrom('jobs').select('claimed_by')
      .where('claimed_by', 'is not', null).where('claimed_by', '>', after).orderBy('claimed_by').limit(1).executeTakeFirst()
    if (!row) return ids
    ids.push(after = row.claimed_by!)
  }
}

const deleteClaimed = prepared<Claim, never>((sql, value) =>
  sql.deleteFrom('jobs')
    .where('id', '=', value('id')).where('claimed_by', '=', value('claimedBy')).where('attempts', '=', value('attempts')))

const updateClaimed = prepared<Claim & { runAt: number, counted: number }, { task: string, lane: string }>((sql, value) =>
  sql.updateTable('jobs').set({ claimed_by: null, run_at: value('runAt'), attempts: value('counted') })
    .where('id', '=', value('id')).where('claimed_by', '=', value('claimedBy')).where('attempts', '=', value('attempts'))
    .returning(['task', 'lane']))

const updateConfirmed = prepared<Claim, never>((sql, value) =>
  sql.updateTable('jobs').set((set) => ({ attempts: set.ref('attempts') }))
    .where('id', '=', value('id')).where('claimed_by', '=', value('claimedBy')).where('attempts', '=', value('attempts')))
