import type { Authentication } from '../contract/types.gen.ts'
import { insertAuthentication } from '../store/authentications.ts'
import { enqueueForwards } from '../store/deliveries.ts'
import type { Tx } from '../store/database.ts'

/**
 * Notes who vouches for a received mail, and lets its forwards go. The first result stays.
 * @param arc header fields that seal it, for a mail that is forwarded
 */
export async function noteAuthentication(
  tx: Tx, messageId: string, results: Authentication | null, arc: string | null,
): Promise<void> {
  if (await insertAuthentication(tx, messageId, results, arc)) await enqueueForwards(tx, messageId)
}
