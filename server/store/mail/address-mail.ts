import type { ExpressionBuilder } from 'kysely'
import { prepared, preparedForList } from '../changes/prepared.ts'
import type { Database } from '../database.ts'
import type { Envelope } from '../../envelope.ts'
import { isShown } from '../owner.ts'
import { recipientsOf, senderOf } from './arrivals.ts'
import type { EnvelopeRow } from './arrivals.ts'
import { pageValues } from '../page.ts'
import type { Page, PageValues } from '../page.ts'
import type { EmailRow, MessageRow } from '../schema/mail.ts'
import type { Schema } from '../schema/schema.ts'
import type { Bit } from '../schema/values.ts'

/** A received email without its bodies. */
export interface MailHead {
  id: string
  messageId: string
  isRead: boolean
  /** Milliseconds since 1970. */
  receivedAt: number
  /** Address of the sender in the header, '' without one. */
  fromAddress: string
  fromName: string
  subject: string
  preview: string
  /** Bytes of the source. */
  size: number
  /** As `ParsedHeader.headers`. */
  headers: Record<string, string>
  /** Of the envelope, at most 100. */
  recipients: string[]
  envelope: Pick<Envelope, 'sender' | 'helo' | 'remoteAddress'>
  /** Whether a program sent it with the login of the address. */
  isOfLogin: boolean
  attachments: number
  inlineFiles: number
}

/** The ids of received emails of an address, newest first. The caller has proved that the address is its own. */
export async function listMailIds(db: Database, addressId: string, page: Page): Promise<string[]> {
  const { rows } = await selectIds(db, { addressId, ...pageValues(page), limit: page.limit })
  return rows.map(({ id }) => id)
}

/** Those of the ids that are received emails of the address, and not deleted. */
export async function ownMailIds(db: Database, addressId: string, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const rows = await db.sql.selectFrom('emails').select('id').where('id', 'in', ids).where('address_id', '=', addressId)
    .where('type', '=', 'received').where('is_deleted', '=', 0).where(isShown).execute()
  return rows.map(({ id }) => id)
}

/** Emails in the order of these ids, which are those of the caller. Deleted ones are left out. */
export async function findMailHeads(db: Database, ids: string[]): Promise<MailHead[]> {
  const byId = new Map((await selectHeads(db, ids)).map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? []).map(toHead)
}

/** The number of received emails of an address, and of those that are not read. */
export async function mailTotals(db: Database, addressId: string): Promise<{ total: number, unread: number }> {
  const { rows } = await selectCounts(db, { addressId })
  return rows[0] ?? { total: 0, unread: 0 }
}

const selectIds = prepared<PageValues & { addressId: string }, { id: string }>((sql, value) => sql.selectFrom('emails').select('id')
  .where('address_id', '=', value('addressId')).where('is_deleted', '=', 0).where('type', '=', 'received').where(isShown)
  .where('id', '<', value('before')).orderBy('id', 'desc').limit(value('limit')).offset(value('offset')))

const selectCounts = prepared<{ addressId: string }, { total: number, unread: number }>((sql, value) => sql.selectFrom('email_counts')
  .select(['total', 'unread']).where('owner', '=', value('addressId')).where('type', '=', 'received').where('is_deleted', '=', 0))

type HeadRow =
  & EnvelopeRow & Pick<EmailRow, 'id' | 'message_id' | 'is_read' | 'received_at' | 'via'>
  & Pick<MessageRow, 'from_name' | 'subject' | 'preview' | 'size' | 'headers'>
  & { attachments: number, inline_files: number }

const selectHeads = preparedForList<string, HeadRow>((sql, ids) => sql.selectFrom('emails')
  .innerJoin('messages', 'messages.id', 'emails.message_id')
  .select([
    'emails.id', 'type', 'message_id', 'is_read', 'emails.received_at', 'recipient', 'recipients', 'via',
    'from_address', 'from_name', 'subject', 'preview', 'messages.size', 'headers', 'envelope',
  ])
  .select((row) => [filesOf(row, 0).as('attachments'), filesOf(row, 1).as('inline_files')])
  .where('emails.id', 'in', ids).where('is_deleted', '=', 0).where(isShown))

const filesOf = (row: ExpressionBuilder<Schema, 'emails'>, isInline: Bit) => row.selectFrom('attachments')
  .select((count) => count.fn.countAll<number>().as('count'))
  .whereRef('attachments.message_id', '=', 'emails.message_id').where('is_inline', '=', isInline)

function toHead(row: HeadRow): MailHead {
  const { helo, remoteAddress } = JSON.parse(row.envelope) as Envelope
  return {
    id: row.id,
    messageId: row.message_id,
    isRead: row.is_read === 1,
    receivedAt: row.received_at,
    fromAddress: row.from_address,
    fromName: row.from_name,
    subject: row.subject,
    preview: row.preview,
    size: row.size,
    headers: JSON.parse(row.headers) as Record<string, string>,
    recipients: recipientsOf(row),
    envelope: { sender: senderOf(row), helo, remoteAddress },
    isOfLogin: row.via === 'login',
    attachments: Number(row.attachments),
    inlineFiles: Number(row.inline_files),
  }
}
