import { readDeliveryReport } from '../mime/parse/delivery-report.ts'
import type { ParsedMessage } from '../mime/parsed-message.ts'
import { findDelivery, updateDelivery } from '../store/deliveries.ts'
import type { Tx } from '../store/database.ts'

/**
 * Marks a delivery as failed when a report to its return path says so. Other mail to a return path is dropped: it has no user as its
 * recipient.
 */
export async function noteBounce(tx: Tx, deliveryId: string, parsed: ParsedMessage): Promise<void> {
  const report = readDeliveryReport(parsed)
  if (report?.action !== 'failed') return
  const delivery = await findDelivery(tx, deliveryId)
  // one that never left this host cannot have come back
  if (!delivery || delivery.status === 'captured' || delivery.status === 'failed') return
  await updateDelivery(tx, deliveryId, { status: 'failed', next_at: null, failure_reason: report.reason })
}
