import type { EmailUpdate } from '../contract/types.gen.ts'
import type { Caller } from '../context.ts'
import { AppError, conflict, notFound } from '../errors.ts'
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

/** Marks emails, except those that were deleted. @returns the ids of the others */
export const updateEmails = (tx: Tx, caller: Caller, ids: string[], flags: EmailUpdate): Promise<string[]> =>
  changePresent(ids, (id) => updateEmail(tx, caller, id, flags))

/** Deletes emails, except those that were deleted before. @returns the ids of the others */
export const deleteEmails = (tx: Tx, caller: Caller, ids: string[]): Promise<string[]> =>
  changePresent(ids, (id) => deleteEmail(tx, caller, id))

async function changePresent(ids: string[], change: (id: string) => Promise<void>): Promise<string[]> {
  const changed: string[] = []
  for (const id of ids) {
    try {
      await change(id)
      changed.push(id)
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'NOT_FOUND') throw error
    }
  }
  return changed
}
