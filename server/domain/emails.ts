import type { EmailUpdate } from '../contract/types.gen.ts'
import type { Caller } from '../context.ts'
import { AppError, conflict, notFound } from '../errors.ts'
import { lockAddressHolderForShare } from '../store/addresses/addresses.ts'
import type { Database, Tx } from '../store/database.ts'
import { findMessageOf, markEmailDeleted, markEmailRestored, setEmailFlags } from '../store/mail/emails.ts'
import { emit } from '../store/events/outbox.ts'
import { enqueue } from '../store/jobs/jobs.ts'
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

/**
 * Undoes the deletion of an email; an email that is not deleted stays as it is.
 * @throws AppError `NOT_FOUND`
 */
export async function restoreEmail(tx: Tx, caller: Caller, id: string): Promise<void> {
  const restored = await markEmailRestored(tx, caller, id)
  if (!restored) {
    if (!await findMessageOf(tx, caller, id)) throw notFound('email')
    return
  }
  const { addressId } = restored
  const holder = await lockAddressHolderForShare(tx, addressId)
  if (holder && holder.maxEmails !== null) await enqueue(tx, 'trim-mailbox', { addressId }, { lane: { address: addressId } })
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
