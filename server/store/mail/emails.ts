import { sql as raw } from 'kysely'
import { timestamp } from '../../clock.ts'
import type { Email, Link } from '../../contract/types.gen.ts'
import { isForOthers } from '../../envelope.ts'
import type { MailDoor } from '../../envelope.ts'
import { addAccountBytes } from '../accounts/accounts.ts'
import { prepared } from '../changes/prepared.ts'
import type { Database, Tx } from '../database.ts'
import { isShown, ownedBy } from '../owner.ts'
import type { EmailRow, MessageRow } from '../schema/mail.ts'
import type { DeliveryRow } from '../schema/outgoing.ts'
import type { Bit, Owner, Tenant } from '../schema/values.ts'
import { recipientsOf, senderOf, threadFieldsOf, threadIdOf } from './arrivals.ts'
import { attachmentsOf } from './attachments.ts'
import { countArrival, countEmails } from './email-counts.ts'
import type { HtmlRange } from './messages.ts'

export interface NewEmail {
  id: string
  addressId: string
  messageId: string
  type: EmailRow['type']
  recipient: string
  /** Milliseconds since 1970. */
  receivedAt: number
  isRead: boolean
  via?: MailDoor
  /** Of the envelope, at most 100, and their number; missing for `recipient` alone. */
  recipients?: string[]
  recipientsTotal?: number
}

/** @param bytes of its message */
export async function insertEmail(tx: Tx, owner: Tenant, email: NewEmail, bytes: number): Promise<void> {
  const { via = null, recipients, recipientsTotal = null } = email
  await insertRow(tx, {
    ...email, accountId: owner.accountId, mode: owner.mode, isRead: email.isRead ? 1 : 0,
    via, recipients: recipients ? JSON.stringify(recipients) : null, recipientsTotal,
  })
  countArrival(tx, owner, email)
  addAccountBytes(tx, owner.accountId, bytes)
}

/** An email, and where the rest of its HTML body is stored, if `bodyHtml` is only the beginning. */
export interface StoredEmail {
  email: StoredMembers
  html: StoredHtml | null
}

/** The others follow from these. */
export type StoredMembers = Omit<Email, 'links' | 'warnings'> & { links: Omit<Link, 'host'>[], hasOtherCode: boolean }

export async function findEmail(db: Database, owner: Owner, id: string): Promise<StoredEmail | undefined> {
  const row = (await selectDetail(db, { ...owner, id })).rows[0]
  if (!row) return undefined
  return { email: toEmail(row, row.has_attachments ? await attachmentsOf(db, row.message_id) : []), html: toHtml(row) }
}

/** The message behind an email of this owner. */
export async function findMessageOf(
  db: Database | Tx, owner: Owner, id: string,
): Promise<{ messageId: string, sizeBytes: number } | undefined> {
  return db.sql.selectFrom('emails').innerJoin('messages', 'messages.id', 'emails.message_id')
    .select(['messages.id as messageId', 'messages.size as sizeBytes'])
    .where('emails.id', '=', id).$call(ownedBy(owner)).where(isShown)
    .executeTakeFirst()
}

/** @returns false when there is no such email, or it was deleted */
export async function setEmailFlags(
  tx: Tx, owner: Owner, id: string, flags: { isRead?: boolean, isStarred?: boolean },
): Promise<boolean> {
  const isStarred = flags.isStarred === undefined ? undefined : flags.isStarred ? 1 : 0
  const update = () => tx.sql.updateTable('emails').set((row) => ({ is_starred: isStarred ?? row.ref('is_starred') }))
    .where('id', '=', id).$call(ownedBy(owner)).where('is_deleted', '=', 0).where(isShown)
  if (flags.isRead !== undefined) {
    const isRead = flags.isRead ? 1 : 0
    // only a change is counted: of two that come at the same time, the second one finds the email read
    const changed = await update().set({ is_read: isRead }).where('is_read', '!=', isRead)
      .returning(['address_id as addressId', 'type']).executeTakeFirst()
    if (changed) {
      countEmails(tx, owner, changed.addressId, { type: changed.type, is_deleted: 0 }, { by: 0, unread: isRead ? -1 : 1 })
      return true
    }
  }
  const { numUpdatedRows } = await update().executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Soft delete: the email is still listed with `is_deleted=true`. @returns undefined when there is none, or it is deleted already */
export async function markEmailDeleted(tx: Tx, owner: Owner, id: string): Promise<MovedEmail | undefined> {
  return (await markEmailsDeleted(tx, owner, [id], true))[0]
}

/** An email that was deleted or restored. */
interface MovedEmail {
  id: string
  addressId: string
}

/** Deletes emails softly, or restores them. @returns those that changed */
export async function markEmailsDeleted(tx: Tx, owner: Owner, ids: string[], isDeleted: boolean): Promise<MovedEmail[]> {
  if (ids.length === 0) return []
  const [bit, by] = isDeleted ? [1, 1] as const : [0, -1] as const
  const rows = await tx.sql.updateTable('emails').set({ is_deleted: bit })
    .where('id', 'in', ids).$call(ownedBy(owner))
    .where('is_deleted', '!=', bit).where(isShown)
    .returning(['id', 'address_id as addressId', 'type', 'is_read']).execute()
  for (const { addressId, type, is_read } of rows) {
    countEmails(tx, owner, addressId, { type, is_deleted: 0 }, { by: -by, unread: by * (is_read - 1) })
    countEmails(tx, owner, addressId, { type, is_deleted: 1 }, { by, unread: 0 })
  }
  return rows
}

/** Marks emails as read, except deleted ones. @returns the number of those that changed */
export async function markEmailsRead(tx: Tx, owner: Owner, ids: string[]): Promise<number> {
  if (ids.length === 0) return 0
  const rows = await tx.sql.updateTable('emails').set({ is_read: 1 })
    .where('id', 'in', ids).$call(ownedBy(owner))
    .where('is_read', '=', 0).where('is_deleted', '=', 0).where(isShown)
    .returning(['address_id as addressId', 'type']).execute()
  for (const { addressId, type } of rows) countEmails(tx, owner, addressId, { type, is_deleted: 0 }, { by: 0, unread: -1 })
  return rows.length
}

const insertRow = prepared<Tenant & Omit<NewEmail, 'isRead' | keyof Door> & { isRead: Bit } & Door, never>((sql, value) => sql.insertInto('emails').values({
  id: value('id'),
  account_id: value('accountId'),
  mode: value('mode'),
  address_id: value('addressId'),
  message_id: value('messageId'),
  type: value('type'),
  recipient: value('recipient'),
  received_at: value('receivedAt'),
  is_read: value('isRead'),
  via: value('via'),
  recipients: value('recipients'),
  recipients_total: value('recipientsTotal'),
} as EmailRow))

type Door = { via: MailDoor | null, recipients: string | null, recipientsTotal: number | null }

const selectDetail = prepared<Owner & { id: string }, DetailRow>((sql, value) => sql.selectFrom('emails')
  .innerJoin('messages', 'messages.id', 'emails.message_id')
  .leftJoin('authentications', 'authentications.message_id', 'emails.message_id')
  .leftJoin('deliveries', 'deliveries.email_id', 'emails.id')
  .select(shownColumns)
  .select([
    'emails.message_id', 'via', 'recipients', 'has_attachments', 'messages.size', 'envelope', 'links', 'code_details', 'has_other_code', 'has_hidden_text', 'headers', 'body_text', 'body_html',
    'authentications.results',
    'deliveries.status', 'deliveries.recipient as delivered_to', 'sent_at', 'failure_reason',
  ])
  .select(htmlColumns)
  .where('emails.id', '=', value('id')).$call(ownedBy(value, 'emails'))
  .where(isShown)
  .orderBy(byState).orderBy('deliveries.id', 'desc').limit(raw.lit(1))) // the last forward of several

/**
 * Orders the deliveries of a sent email to its recipients: first one that failed, or else has most before it. The email has the state of
 * the first.
 */
export const byState = raw<number>`case when kind <> 'sent' then 0 else case status when 'failed' then 1 when 'deferred' then 2
  when 'queued' then 3 when 'sending' then 4 when 'sent' then 5 else 6 end end`

export const shownColumns = [
  'emails.id', 'address_id', 'type', 'emails.recipient', 'recipients_total', 'is_read', 'is_starred', 'is_deleted', 'emails.received_at',
  'from_address', 'from_name', 'subject', 'codes',
] as const

export type ShownRow =
  & Pick<EmailRow, 'id' | 'address_id' | 'type' | 'recipient' | 'recipients_total' | 'is_read' | 'is_starred' | 'is_deleted' | 'received_at'>
  & Pick<MessageRow, 'from_address' | 'from_name' | 'subject' | 'codes' | 'body_text' | 'body_html' | 'has_attachments'>
type DetailRow =
  & ShownRow & Pick<EmailRow, 'via' | 'recipients'>
  & Pick<MessageRow, 'size' | 'envelope' | 'links' | 'code_details' | 'has_other_code' | 'has_hidden_text' | 'headers'>
  & HtmlRow
  & { results: string | null }
  & (Delivered | { status: null, delivered_to: null, sent_at: null, failure_reason: null })
type Delivered = Pick<DeliveryRow, 'status' | 'sent_at' | 'failure_reason'> & { delivered_to: string }

const toEmail = (row: DetailRow, attachments: Email['attachments']): StoredMembers => ({
  ...toShown(row),
  bodyText: row.body_text,
  bodyHtml: row.body_html,
  attachments,
  ...toHeaders(row),
  codeDetails: toCodeDetails(row),
  hasOtherCode: row.has_other_code === 1,
  links: JSON.parse(row.links),
  hiddenText: row.has_hidden_text === 1,
  size: row.size,
  envelope: row.type === 'sent' ? null : toEnvelope(row),
  recipients: recipientsOf(row),
  authentication: row.results === null || isForOthers(row.via) ? null : JSON.parse(row.results),
  ...(row.type === 'sent' ? { ...toDelivery(row), forwarding: null } : { ...undelivered, forwarding: toForwarding(row) }),
})

const toCodeDetails = ({ codes, code_details }: Pick<MessageRow, 'codes' | 'code_details'>): Email['codeDetails'] => code_details === null
  ? (JSON.parse(codes) as string[]).map((code) => ({ code, expiresInSeconds: null, boundTo: null }))
  : JSON.parse(code_details)

function toHeaders(row: Pick<DetailRow, 'headers' | 'message_id'>) {
  const headers = JSON.parse(row.headers) as Record<string, string>
  const thread = threadFieldsOf(headers)
  return { headers, ...thread, threadId: threadIdOf(thread, row.message_id) }
}

const toEnvelope = (row: DetailRow): NonNullable<Email['envelope']> =>
  ({ from: senderOf(row), to: row.recipient, via: row.via ?? 'address' })

const undelivered = { status: null, sentAt: null, failureReason: null }

const toDelivery = (row: Pick<DetailRow, 'status' | 'sent_at' | 'failure_reason' | 'delivered_to' | 'recipients_total'>) => ({
  status: row.status,
  sentAt: timestamp(row.sent_at),
  // of several recipients, the reason names the one that it is about
  failureReason: row.failure_reason === null || (row.recipients_total ?? 1) === 1 ? row.failure_reason : `${row.delivered_to}: ${row.failure_reason}`,
})

const toForwarding = (row: DetailRow) => row.status === null ? null : { ...toDelivery(row), status: row.status, to: row.delivered_to }

export const toShown = (row: ShownRow) => ({
  id: row.id,
  addressId: row.address_id,
  type: row.type,
  from: row.from_address,
  fromName: row.from_name,
  to: row.recipient,
  recipientsTotal: row.recipients_total ?? 1,
  subject: row.subject,
  isRead: row.is_read === 1,
  isStarred: row.is_starred === 1,
  isDeleted: row.is_deleted === 1,
  receivedAt: timestamp(row.received_at),
  codes: JSON.parse(row.codes) as string[],
})

/** Where the whole HTML body of a message is stored, if the column has only its beginning. */
export interface StoredHtml extends HtmlRange {
  messageId: string
  /** The encoded bytes; null when the source is stored in chunks. */
  bytes: Uint8Array | null
}

/** The columns that `toHtml` reads, besides `message_id`. */
export const htmlColumns = [
  'html_offset', 'html_length', 'html_encoding', 'html_charset',
  raw<Uint8Array | null>`case when html_offset is not null then substr(source, cast(html_offset + 1 as integer), cast(html_length as integer)) end`.as('html_bytes'),
] as const

export type HtmlRow =
  & Pick<MessageRow, 'html_offset' | 'html_length' | 'html_encoding' | 'html_charset'> & Pick<EmailRow, 'message_id'>
  & { html_bytes: Uint8Array | null }

/** @returns null when the column has the whole body */
export const toHtml = (row: HtmlRow): StoredHtml | null => row.html_offset === null ? null : {
  messageId: row.message_id,
  offset: row.html_offset,
  length: row.html_length!,
  encoding: row.html_encoding!,
  charset: row.html_charset!,
  bytes: row.html_bytes,
}
