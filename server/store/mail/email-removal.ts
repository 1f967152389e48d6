import { idBoundary } from '../../ids.ts'
import { addAccountBytes } from '../accounts/account-bytes.ts'
import type { Tx } from '../database.ts'
import { countEmails } from './email-counts.ts'
import { withdrawMessage } from './message-removal.ts'
import { ofAccount } from '../owner.ts'
import { prepared } from '../changes/prepared.ts'
import type { EmailRow } from '../schema/mail.ts'

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
  for (const { account_id: accountId, mode, address_id: addressId, type, is_deleted, is_read } of await removeEmails(tx, removed)) {
    countEmails(tx, { accountId, mode }, addressId, { type, is_deleted }, { by: -1, unread: is_deleted || is_read ? 0 : -1 })
  }
  return { last: rows.at(-1)?.id ?? after, seen: rows.length, stayed: rows.length - removed.length }
}

/** When the next email after this id arrived, in milliseconds since 1970. */
export async function nextEmail(tx: Tx, after: string): Promise<number | undefined> {
  const row = await tx.sql.selectFrom('emails').select('received_at').where('id', '>', after).orderBy('id').limit(1).executeTakeFirst()
  return row?.received_at
}

/** @returns those that this transaction has removed, as they were then: another one may have changed or removed some since they were read */
async function removeEmails(tx: Tx, emails: RemovedEmail[]): Promise<RemovedEmail[]> {
  const removed: RemovedEmail[] = []
  for (const { id, account_id: accountId, message_id: messageId } of emails) {
    const { rows: [email] } = await deleteEmailRow(tx, { id })
    if (!email) continue
    removed.push(email)
    const { rows } = await selectSize(tx, { messageId })
    addAccountBytes(tx, accountId, -(rows[0]?.size ?? 0))
    await deleteDeliveries(tx, { id })
    await withdrawMessage(tx, messageId)
  }
  return removed
}

const selectSize = prepared<{ messageId: string }, { size: number }>((sql, value) =>
  sql.selectFrom('messages').select('size').where('id', '=', value('messageId')))

const deleteDeliveries = prepared<{ id: string }, never>((sql, value) => sql.deleteFrom('deliveries').where('email_id', '=', value('id')))

const deleteEmailRow = prepared<{ id: string }, RemovedEmail>((sql, value) =>
  sql.deleteFrom('emails').where('id', '=', value('id')).returning(removedColumns))

type OldEmail = RemovedEmail & { expires_at: number | null, open: string | null }

const selectOld = prepared<{ after: string, end: string, limit: number }, OldEmail>((sql, value) =>
  sql.selectFrom('emails').select(removedColumns)
    .select((row) => [
      row.selectFrom('addresses').select('expires_at').whereRef('addresses.id', '=', 'emails.address_id').as('expires_at'),
      row.selectFrom('deliveries').select('status').whereRef('email_id', '=', 'emails.id')
        .where('status', 'in', ['queued', 'sending', 'deferred']).limit(1).as('open'),
    ])
    .where('id', '>', value('after')).where('id', '<', value('end')).orderBy('id').limit(value('limit')))
