import { inTransaction } from '../../../server/store/database.ts'
import type { TestApp } from '../app.ts'

/** Marks a forwarding address as verified, or all of them, without a visit of the link. */
export async function verifyForwardingAddresses({ app }: TestApp, id?: string): Promise<void> {
  await inTransaction(app.db, (tx) => {
    const update = tx.sql.updateTable('forwarding_addresses').set({ verified_at: tx.now })
    return (id ? update.where('id', '=', id) : update).execute()
  })
}

/** The newest verification mail to an address that was captured. */
export async function capturedVerification({ app }: TestApp, email: string): Promise<Buffer> {
  const { source } = await app.db.sql.selectFrom('deliveries').innerJoin('messages', 'messages.id', 'message_id')
    .select('source').where('kind', '=', 'verification').where('recipient', '=', email).where('deliveries.status', '=', 'captured')
    .orderBy('deliveries.id', 'desc').limit(1).executeTakeFirstOrThrow()
  return Buffer.from(source!)
}
