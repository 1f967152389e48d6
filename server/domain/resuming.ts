import type { Tx } from '../store/database.ts'
import { retryMailDeliveries } from '../store/outgoing/mail-deliveries.ts'
import { makeDue, releaseLeases } from '../store/jobs/jobs.ts'
import { planSweeps } from './retention.ts'

/** Makes unfinished work of the process before due at once. Requires that this process is the only server of the database. */
export async function resumeWork(tx: Tx): Promise<void> {
  await releaseLeases(tx)
  await retryMailDeliveries(tx)
  await makeDue(tx, 'discard-message') // mails that were arriving when it died
  await planSweeps(tx)
}
