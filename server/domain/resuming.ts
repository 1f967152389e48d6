import type { Tx } from '../store/database.ts'
import { retryMailDeliveries } from '../store/outgoing/mail-deliveries.ts'
import { releaseOtherClaims } from '../store/jobs/claims.ts'
import { makeDue } from '../store/jobs/jobs.ts'
import { planSweeps } from './retention.ts'

/**
 * Makes unfinished work of the process before due at once. Requires that this process is the only server of the database.
 * @param nodeId of this process
 */
export async function resumeWork(tx: Tx, nodeId: string): Promise<void> {
  await releaseOtherClaims(tx, nodeId)
  await retryMailDeliveries(tx)
  await makeDue(tx, 'discard-message') // mails that were arriving when it died
  await planSweeps(tx)
}
