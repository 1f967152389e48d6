import type { Attachment } from '../../contract/types.gen.ts'
import { prepared } from '../changes/prepared.ts'
import type { Database, Tx } from '../database.ts'
import { isShown, ownedBy } from '../owner.ts'
import type { AttachmentRow } from '../schema/mail.ts'
import type { Bit, Owner } from '../schema/values.ts'
import type { SourceRange } from './message-chunks.ts'

export interface NewAttachment extends Attachment {
  range: EncodedRange
}

/** The encoded bytes of an attachment. */
export interface EncodedRange extends SourceRange {
  encoding: string
}

export async function insertAttachments(tx: Tx, messageId: string, attachments: NewAttachment[]): Promise<void> {
  for (const { range, ...attachment } of attachments) {
    await insertAttachment(tx, { ...attachment, ...range, messageId, isInline: attachment.isInline ? 1 : 0 })
  }
}

/** The attachments of a message, in its order: ids are made in that order. */
export async function attachmentsOf(db: Database, messageId: string): Promise<Attachment[]> {
  const rows = await db.sql.selectFrom('attachments').selectAll()
    .where('message_id', '=', messageId).orderBy('id').execute()
  return rows.map(toAttachment)
}

export type StoredAttachment = NewAttachment & { messageId: string }

/** @returns undefined unless this owner has the email and the email has the attachment */
export async function findAttachment(
  db: Database, owner: Owner, emailId: string, attachmentId: string,
): Promise<StoredAttachment | undefined> {
  const row = await db.sql.selectFrom('emails')
    .innerJoin('attachments', 'attachments.message_id', 'emails.message_id')
    .selectAll('attachments')
    .where('emails.id', '=', emailId).$call(ownedBy(owner))
    .where('attachments.id', '=', attachmentId).where(isShown)
    .executeTakeFirst()
  if (!row) return undefined
  const range = { offset: row.source_offset, length: row.source_length, encoding: row.encoding }
  return { ...toAttachment(row), messageId: row.message_id, range }
}

type InsertedAttachment = Omit<Attachment, 'isInline'> & EncodedRange & { messageId: string, isInline: Bit }

const insertAttachment = prepared<InsertedAttachment, never>((sql, value) => sql.insertInto('attachments').values({
  id: value('id'),
  message_id: value('messageId'),
  filename: value('filename'),
  content_type: value('contentType'),
  size: value('size'),
  content_id: value('contentId'),
  is_inline: value('isInline'),
  source_offset: value('offset'),
  source_length: value('length'),
  encoding: value('encoding'),
}))

const toAttachment = (row: AttachmentRow): Attachment => ({
  id: row.id,
  filename: row.filename,
  contentType: row.content_type,
  size: row.size,
  contentId: row.content_id,
  isInline: row.is_inline === 1,
})
