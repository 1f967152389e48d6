import type { EmailUpdate } from '../contract/types.gen.ts'
import type { Caller } from '../context.ts'
import { conflict, notFound } from '../errors.ts'
import type { Database, Tx } from '../store/database.ts'
import { markEmailDeleted, setEmailFlags } from '../store/mail/emails.ts'
import { emit } from '../store/events/outbox.ts'
import { findReceived } from '../store/mail/received-email.ts'
import type { ReceivedEmail } from '../store/mail/received-email.ts'

/**
 * Marks an email as read or starred.
 * @throws AppError `NOT_FOUND`, also when it was deleted
 */
export async function updateEmail(tx: Tx, caller: Caller, id: string, flags: EmailUpdate): Promise<void> {
  if (!await setEmailFlags(tx, caller, id, flags)) throw notFound('email')
}

/**
 * Deletes an email; it stays listed with `is_deleted=true`.
 * @throws AppError `NOT_FOUND`, also when it was deleted before
 * @see spec "DELETE /api/v1/emails/:id"
 */
export async function deleteEmail(tx: Tx, caller: Caller, id: string): Promise<void> {
  const deleted = await markEmailDeleted(tx, caller, id)
  if (!deleted) throw notFound('email')
  await emit(tx, caller, 'email.deleted', { emailId: id, addressId: deleted.addressId })
}

/** @throws AppError `NOT_FOUND`, `CONFLICT` for an email that was sent */
export async function receivedEmail(db: Database | Tx, caller: Caller, id: string): Promise<ReceivedEmail> {
  const email = await findReceived(db, caller, id)
  if (!email) throw notFound('email')
  if (email.type !== 'received') throw conflict('The email was sent by this account. Give the id of a received one.')
  return email
}
