import { idBoundary } from '../../ids.ts'
import { addAccountBytes } from '../accounts/accounts.ts'
import { prepared } from '../changes/prepared.ts'
import type { Tx } from '../database.ts'
import { ofAccount } from '../owner.ts'
import type { EmailRow } from '../schema/mail.ts'
import { countEmails, totalEmails } from './email-counts.ts'
import { withdrawMessages } from './message-removal.ts'

type RemovedEmail = Pick<EmailRow, 'id' | 'account_id' | 'mode' | 'address_id' | 'message_id' | 'type' | 'is_deleted' | 'is_read'>

const removedColumns = ['id', 'account_id', 'mode', 'address_id', 'message_id', 'type', 'is_deleted', 'is_read'] as const

/**
 * Removes some emails of a deleted address, the newest of each type first, because lists read over those first. Its counters are
 * deleted already.
 * @returns whether all are removed
 */
export async function emptyMailbox(tx: Tx, addressId: string, limit: number): Promise<boolean> {
  const emails = await tx.sql.selectFrom('emails').select(removedColumns)
    .where('address_id', '=', addressId).orderBy('is_deleted', 'desc').orderBy('type', 'desc').orderBy('id', 'desc')
    .limit(limit).execute()
  await removeEmails(tx, emails)
  const isEmpty = emails.length < limit
  if (isEmpty) await tx.sql.deleteFrom('removed_mailboxes').where('address_id', '=', addressId).execute()
  else await tx.sql.insertInto('removed_mailboxes').values({ address_id: addressId }).onConflict((conflict) => conflict.doNothing()).execute()
  return isEmpty
}

/** Removes some emails of a deleted account, those of removed addresses too. Its counters are removed later. @returns how many */
export async function removeEmailsOf(tx: Tx, accountId: string, limit: number): Promise<number> {
  const emails = await tx.sql.selectFrom('emails').select(removedColumns).$call(ofAccount(accountId)).limit(limit).execute()
  await removeEmails(tx, emails)
  return emails.length
}

/**
 * Examines some emails that arrived before a time, the oldest first, and removes those of active addresses. Emails of expired addresses
 * are removed with their address; an email that is still being delivered stays.
 * @param after the id of the last email that was examined
 * @returns the id of the last one now, the number of examined emails, and how many of them stay
 */
export async function removeOldEmails(
  tx: Tx, { after, before, limit }: { after: string, before: number, limit: number },
): Promise<{ last: string, seen: number, stayed: number }> {
  const { rows } = await selectOld(tx, { after, end: idBoundary(before), limit })
  const removed = rows.filter((row) => row.expires_at !== null && row.expires_at > tx.now && row.open === null)
  recordRemoved(tx, await removeEmails(tx, removed))
  return { last: rows.at(-1)?.id ?? after, seen: rows.length, stayed: rows.length - removed.length }
}

/**
 * Removes received emails of an address, the oldest first, that are beyond its maximum; deleted ones do not count. An email that is still
 * being forwarded stays until the next one comes.
 * @returns how many it removed, and whether no other can be removed now
 */
export async function removeBeyondMax(tx: Tx, addressId: string, limit: number): Promise<{ removed: number, isTrimmed: boolean }> {
  const address = await tx.sql.selectFrom('addresses').select('max_emails').where('id', '=', addressId).executeTakeFirst()
  if (!address || address.max_emails === null) return { removed: 0, isTrimmed: true }
  const excess = await totalEmails(tx, addressId, { type: 'received', is_deleted: 0 }) - address.max_emails
  if (excess <= 0) return { removed: 0, isTrimmed: true }
  const oldest = await tx.sql.selectFrom('emails').select(removedColumns)
    .where('address_id', '=', addressId).where('is_deleted', '=', 0).where('type', '=', 'received')
    .where(({ not, exists, selectFrom }) => not(exists(selectFrom('deliveries').select('deliveries.id')
      .whereRef('email_id', '=', 'emails.id').where('status', 'in', openStatuses))))
    .orderBy('id').limit(Math.min(excess, limit)).execute()
  const removed = await removeEmails(tx, oldest)
  recordRemoved(tx, removed)
  return { removed: removed.length, isTrimmed: oldest.length === excess || oldest.length < limit }
}

/** When the next email after this id arrived, in milliseconds since 1970. */
export async function nextEmail(tx: Tx, after: string): Promise<number | undefined> {
  const row = await tx.sql.selectFrom('emails').select('received_at').where('id', '>', after).orderBy('id').limit(1).executeTakeFirst()
  return row?.received_at
}

function recordRemoved(tx: Tx, removed: RemovedEmail[]): void {
  for (const { account_id: accountId, mode, address_id: addressId, type, is_deleted, is_read } of removed) {
    countEmails(tx, { accountId, mode }, addressId, { type, is_deleted }, { by: -1, unread: is_deleted || is_read ? 0 : -1 })
  }
}

/**
 * Removes emails by a statement for each table, not for each email: with a database server, each statement takes a round trip.
 * @returns those that this transaction has removed, as they were then: others may have changed or removed some since they were read
 */
async function removeEmails(tx: Tx, emails: RemovedEmail[]): Promise<RemovedEmail[]> {
  if (emails.length === 0) return []
  const removed = await tx.sql.deleteFrom('emails').where('id', 'in', emails.map(({ id }) => id)).returning(removedColumns).execute()
  if (removed.length === 0) return []
  const messageIds = removed.map((email) => email.message_id)
  const messages = await tx.sql.selectFrom('messages').select(['id', 'size']).where('id', 'in', messageIds).execute()
  const sizes = new Map(messages.map(({ id, size }) => [id, size]))
  for (const { account_id: accountId, message_id: messageId } of removed) addAccountBytes(tx, accountId, -(sizes.get(messageId) ?? 0))
  await tx.sql.deleteFrom('deliveries').where('email_id', 'in', removed.map(({ id }) => id)).execute()
  await withdrawMessages(tx, messageIds)
  return removed
}

/** Of a delivery that goes on. */
const openStatuses = ['queued', 'sending', 'deferred'] as const

type OldEmail = RemovedEmail & { expires_at: number | null, open: string | null }

const selectOld = prepared<{ after: string, end: string, limit: number }, OldEmail>((sql, value) =>
  sql.selectFrom('emails').select(removedColumns)
    .select((row) => [
      row.selectFrom('addresses').select('expires_at').whereRef('addresses.id', '=', 'emails.address_id').as('expires_at'),
      row.selectFrom('deliveries').select('status').whereRef('email_id', '=', 'emails.id')
        .where('status', 'in', openStatuses).limit(1).as('open'),
    ])
    .where('id', '>', value('after')).where('id', '<', value('end')).orderBy('id').limit(value('limit')))
