import type { ParsedMessage } from '../mime/parsed-message.ts'
import { lockMailDelivery, updateMailDelivery } from '../store/outgoing/mail-deliveries.ts'
import type { Tx } from '../store/database.ts'

/**
 * Marks a delivery as failed when a delivery report (RFC 3464) to its return path says so. Other mail to a return path is dropped: its
 * recipient is no mailbox.
 */
export async function recordBounce(tx: Tx, deliveryId: string, { deliveryReport: report }: ParsedMessage): Promise<void> {
  if (report?.action !== 'failed') return
  const delivery = await lockMailDelivery(tx, deliveryId)
  // a mail that never left this host cannot bounce
  if (!delivery || delivery.status === 'captured' || delivery.status === 'failed') return
  await updateMailDelivery(tx, deliveryId, { status: 'failed', nextAt: null, failureReason: report.reason })
}
