import type { Attachment } from '../../contract/types.gen.ts'
import type { Database, Tx } from '../database.ts'
import { maxListedBytes } from './excerpt.ts'
import { prepared } from '../changes/prepared.ts'
import { toBit } from '../schema/values.ts'
import type { MessageRow } from '../schema/mail.ts'
import type { Schema } from '../schema/schema.ts'
import type { Bit } from '../schema/values.ts'

/** Maximum bytes of a chunk, so that its commit does not block others for long. */
export const chunkBytes = 256 * 1024

/** The part number of a source that is stored in chunks; attachments follow from 1. */
export const sourcePart = 0

/** A piece of a part, `chunkBytes` long except the last one. */
export interface MessageChunk {
  messageId: string
  part: number
  seq: number
  bytes: Uint8Array
}

export async function insertChunk(tx: Tx, chunk: MessageChunk): Promise<void> {
  await upsertChunk(tx, chunk)
}

/** Removes messages with their chunks, excerpts and authentication results, published or not. */
export async function deleteMessages(tx: Tx, ids: string[]): Promise<void> {
  await tx.sql.deleteFrom('messages').where('id', 'in', ids).execute()
  await tx.sql.deleteFrom('message_excerpts').where('message_id', 'in', ids).execute()
  await tx.sql.deleteFrom('message_chunks').where('message_id', 'in', ids).execute()
  await tx.sql.deleteFrom('authentications').where('message_id', 'in', ids).execute()
}

/** The bytes of a part that is stored in chunks. */
export async function* readPart(db: Database, messageId: string, part: number): AsyncGenerator<Uint8Array> {
  for (let seq = 0; ; seq++) {
    const { rows } = await oneChunk(db, { messageId, part, seq })
    if (!rows[0]) return
    yield rows[0].bytes
    if (rows[0].bytes.length < chunkBytes) return
  }
}

/** The source of a message, chunk by chunk. */
export async function* readSource(db: Database, messageId: string): AsyncGenerator<Uint8Array> {
  const { rows } = await inlineSource(db, { messageId })
  if (rows[0]?.source) yield rows[0].source
  else yield* readPart(db, messageId, sourcePart)
}

/** Bytes of a published message; undefined when it is gone. */
export async function messageBytes(db: Database, messageId: string): Promise<number | undefined> {
  return (await db.sql.selectFrom('messages').select('size').where('id', '=', messageId).executeTakeFirst())?.size
}

export interface NewMessage {
  id: string
  /** Milliseconds since 1970. */
  receivedAt: number
  /** Of the source. */
  sizeBytes: number
  hasAttachments: boolean
  from: string
  fromName: string
  subject: string
  preview: string
  /** Why the mail is not read completely; null when it is. */
  problem: string | null
  envelope: object
  codes: readonly unknown[]
  links: readonly unknown[]
  headers: object
  bodyText: string
  bodyHtml: string
  /** Null when it is stored in chunks. */
  source: Uint8Array | null
}

/** @returns false when it is published already */
export async function insertMessage(tx: Tx, message: NewMessage): Promise<boolean> {
  const row = toRow(message)
  const isNew = (await insert(tx, row)).numAffectedRows === 1n
  if (isNew && isLong(row)) await insertExcerpt(tx, row)
  return isNew
}

export interface NewAttachment extends Attachment {
  part: number
}

export async function insertAttachments(tx: Tx, messageId: string, attachments: NewAttachment[]): Promise<void> {
  for (const attachment of attachments) {
    await insertAttachment(tx, { ...attachment, messageId, isInline: toBit(attachment.isInline) })
  }
}

/** Records that several mailboxes show a message. */
export async function shareMessage(tx: Tx, messageId: string, mailboxes: number): Promise<void> {
  await tx.sql.insertInto('shared_messages').values({ message_id: messageId, mailboxes }).execute()
}

/** Records that a mailbox no longer shows a message. Without any mailbox it is marked for `purge-messages`. */
export async function withdrawMessage(tx: Tx, messageId: string): Promise<void> {
  const { rows } = await withdrawShared(tx, { messageId })
  if (rows[0] && rows[0].mailboxes > 0) return
  if (rows[0]) await tx.sql.deleteFrom('shared_messages').where('message_id', '=', messageId).execute()
  await discardMessage(tx, messageId)
}

/** Marks a message that no mailbox shows, for `purge-messages` to remove. */
export async function discardMessage(tx: Tx, messageId: string): Promise<void> {
  await discard(tx, { messageId })
}

/** Maximum that one transaction removes, so that it does not block others for long. */
const maxRemovedMessages = 200
const maxRemovedBytes = 2 * 1024 * 1024
const maxRemovedChunks = 16

/** Removes some discarded messages, or some of a large one. @returns true when there may be more */
export async function deleteDiscarded(tx: Tx): Promise<boolean> {
  const found = await tx.sql.selectFrom('discarded_messages').leftJoin('messages', 'messages.id', 'message_id')
    .select(['message_id as id', 'size']).limit(maxRemovedMessages).execute()
  if (found.length === 0) return false
  let bytes = 0
  const ids = found.filter(({ size }, i) => (bytes += size ?? 0) <= maxRemovedBytes || i === 0).map(({ id }) => id)
  const chunks = await tx.sql.selectFrom('message_chunks').select(['message_id as messageId', 'part', 'seq'])
    .where('message_id', 'in', ids).limit(maxRemovedChunks).execute()
  for (const chunk of chunks) await deleteChunk(tx, chunk)
  if (chunks.length === maxRemovedChunks) return true
  await tx.sql.deleteFrom('discarded_messages').where('message_id', 'in', ids).execute()
  await deleteMessages(tx, ids)
  return ids.length === maxRemovedMessages || ids.length < found.length
}

/** Maximum characters of a message that lists read directly; of a longer one they read an excerpt. */
const maxListedLength = 16_384

const isLong = ({ codes, links, headers, body_text, body_html }: MessageRow) =>
  codes.length + links.length + headers.length + body_text.length + body_html.length > maxListedLength

/** One character more than a list shows, to tell that the text was cut. */
const insertExcerpt = (tx: Tx, { id, body_text, body_html }: MessageRow) => addExcerpt(tx, {
  message_id: id,
  body_text: body_text.slice(0, maxListedBytes.body + 1),
  body_html: body_html.slice(0, maxListedBytes.body + 1),
})

const addExcerpt = prepared<Schema['message_excerpts'], never>((sql, value) => sql.insertInto('message_excerpts').values({
  message_id: value('message_id'),
  body_text: value('body_text'),
  body_html: value('body_html'),
}))

const withdrawShared = prepared<{ messageId: string }, { mailboxes: number }>((sql, value) =>
  sql.updateTable('shared_messages').set((row) => ({ mailboxes: row('mailboxes', '-', 1) }))
    .where('message_id', '=', value('messageId')).returning('mailboxes'))

const discard = prepared<{ messageId: string }, never>((sql, value) =>
  sql.insertInto('discarded_messages').values({ message_id: value('messageId') })
    .onConflict((conflict) => conflict.column('message_id').doNothing()))

const deleteChunk = prepared<Omit<MessageChunk, 'bytes'>, never>((sql, value) => sql.deleteFrom('message_chunks')
  .where('message_id', '=', value('messageId')).where('part', '=', value('part')).where('seq', '=', value('seq')))

const insertAttachment = prepared<Omit<NewAttachment, 'isInline'> & { messageId: string, isInline: Bit }, never>((sql, value) => sql.insertInto('attachments').values({
  id: value('id'),
  message_id: value('messageId'),
  part: value('part'),
  filename: value('filename'),
  content_type: value('contentType'),
  size: value('size'),
  content_id: value('contentId'),
  is_inline: value('isInline'),
}))

const upsertChunk = prepared<MessageChunk, never>((sql, value) =>
  sql.insertInto('message_chunks')
    .values({ message_id: value('messageId'), part: value('part'), seq: value('seq'), bytes: value('bytes') })
    .onConflict((conflict) => conflict.columns(['message_id', 'part', 'seq']).doUpdateSet({ bytes: value('bytes') })))

const inlineSource = prepared<{ messageId: string }, { source: Uint8Array | null }>((sql, value) =>
  sql.selectFrom('messages').select('source').where('id', '=', value('messageId')))

const oneChunk = prepared<{ messageId: string, part: number, seq: number }, { bytes: Uint8Array }>((sql, value) =>
  sql.selectFrom('message_chunks').select('bytes')
    .where('message_id', '=', value('messageId')).where('part', '=', value('part')).where('seq', '=', value('seq')))

const insert = prepared<MessageRow, never>((sql, value) => sql.insertInto('messages').values({
  id: value('id'),
  received_at: value('received_at'),
  size: value('size'),
  has_attachments: value('has_attachments'),
  from_address: value('from_address'),
  from_name: value('from_name'),
  subject: value('subject'),
  preview: value('preview'),
  problem: value('problem'),
  envelope: value('envelope'),
  codes: value('codes'),
  links: value('links'),
  headers: value('headers'),
  body_text: value('body_text'),
  body_html: value('body_html'),
  source: value('source'),
}).onConflict((conflict) => conflict.column('id').doNothing()))

const toRow = (message: NewMessage): MessageRow => ({
  id: message.id,
  received_at: message.receivedAt,
  size: message.sizeBytes,
  has_attachments: toBit(message.hasAttachments),
  from_address: message.from,
  from_name: message.fromName,
  subject: message.subject,
  preview: message.preview,
  problem: message.problem,
  envelope: JSON.stringify(message.envelope),
  codes: JSON.stringify(message.codes),
  links: JSON.stringify(message.links),
  headers: JSON.stringify(message.headers),
  body_text: message.bodyText,
  body_html: message.bodyHtml,
  source: message.source,
})
