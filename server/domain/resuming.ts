import type { Tx } from '../store/database.ts'
import { retryMailDeliveries } from '../store/outgoing/mail-deliveries.ts'
import { releaseOtherClaims } from '../store/jobs/claims.ts'
import { makeDue } from '../store/jobs/jobs.ts'
import { hasOtherNodes, removeSilentNodes } from '../store/jobs/nodes.ts'
import { planSweeps } from './retention.ts'
import { planMoves } from './source-moves.ts'

/**
 * Makes unfinished work of the process before due at once. Requires that this process is the only server of the database.
 * @param nodeId of this process
 */
export async function resumeWork(tx: Tx, nodeId: string): Promise<void> {
  await releaseOtherClaims(tx, nodeId)
  await resumeAlone(tx)
  await planSweeps(tx)
}

/**
 * Lets a node of several begin, before it receives mail. The work of living nodes is left alone, and that of dead ones is due when their
 * claims are released; if there are no living ones, this is the start of the whole service.
 */
export async function resumeSharedWork(tx: Tx, nodeId: string): Promise<void> {
  await removeSilentNodes(tx)
  if (!await hasOtherNodes(tx, nodeId)) await resumeAlone(tx)
  await planSweeps(tx)
  await planMoves(tx)
}

async function resumeAlone(tx: Tx) {
  await retryMailDeliveries(tx)
  await makeDue(tx, 'discard-message') // mails that were arriving when the process before died
}
