import type { CodeDetail } from '../../contract/types.gen.ts'
import { prepared } from '../changes/prepared.ts'
import type { Database, Tx } from '../database.ts'
import type { MessageRow } from '../schema/mail.ts'
import type { Schema } from '../schema/schema.ts'
import { excerpt, excerptLength, maxBodyBytes } from './excerpt.ts'
import { chunkBytes, insertChunk } from './message-chunks.ts'
import type { SourceRange } from './message-chunks.ts'

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
  codeDetails: readonly CodeDetail[]
  hasOtherCode: boolean
  links: readonly unknown[]
  hiddenText: boolean
  headers: object
  bodyText: string
  bodyHtml: string
  /** Where the HTML body stands in the source; without it, all of `bodyHtml` is stored. */
  htmlRange?: HtmlRange | null
  /** Null when it is stored already, in chunks. */
  source: Uint8Array | null
}

/** The range of an HTML body, with what is needed to decode it. */
export interface HtmlRange extends SourceRange {
  encoding: string
  charset: string
}

/** @returns false when it is published already */
export async function insertMessage(tx: Tx, message: NewMessage): Promise<boolean> {
  const row = toRow(message, tx.engine.sources !== null)
  const isNew = (await insertRow(tx, row)).numAffectedRows === 1n
  if (isNew && isLong(row)) await insertExcerpt(tx, row)
  if (isNew && message.source && !row.source) await insertSource(tx, message.id, message.source)
  return isNew
}

async function insertSource(tx: Tx, messageId: string, source: Uint8Array) {
  for (let seq = 0; seq * chunkBytes < source.length; seq++) {
    await insertChunk(tx, { messageId, seq, bytes: source.subarray(seq * chunkBytes, (seq + 1) * chunkBytes) })
  }
}

/** Maximum characters of a message that lists read directly; of a longer one they read an excerpt. */
const maxListedLength = 16_384

const isLong = ({ codes, links, headers, body_text, body_html }: MessageRow) =>
  codes.length + links.length + headers.length + body_text.length + body_html.length > maxListedLength

const insertExcerpt = (tx: Tx, { id, body_text, body_html }: MessageRow) => insertExcerptRow(tx, {
  message_id: id,
  body_text: body_text.slice(0, excerptLength),
  body_html: body_html.slice(0, excerptLength),
})

const insertExcerptRow = prepared<Schema['message_excerpts'], never>((sql, value) => sql.insertInto('message_excerpts').values({
  message_id: value('message_id'),
  body_text: value('body_text'),
  body_html: value('body_html'),
}))

const insertRow = prepared<MessageRow, never>((sql, value) => sql.insertInto('messages').values({
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
  html_offset: value('html_offset'),
  html_length: value('html_length'),
  html_encoding: value('html_encoding'),
  html_charset: value('html_charset'),
  codes: value('codes'),
  code_details: value('code_details'),
  has_other_code: value('has_other_code'),
  links: value('links'),
  has_hidden_text: value('has_hidden_text'),
  headers: value('headers'),
  body_text: value('body_text'),
  body_html: value('body_html'),
  source: value('source'),
}).onConflict((conflict) => conflict.column('id').doNothing()))

/** @param isMoved whether its source will leave the database, so that its row needs no change then */
function toRow(message: NewMessage, isMoved: boolean): MessageRow {
  const range = message.bodyHtml.length > excerptLength ? message.htmlRange : undefined
  return {
    id: message.id,
    received_at: message.receivedAt,
    size: message.sizeBytes,
    has_attachments: message.hasAttachments ? 1 : 0,
    from_address: message.from,
    from_name: message.fromName,
    subject: message.subject,
    preview: message.preview,
    problem: message.problem,
    envelope: JSON.stringify(message.envelope),
    html_offset: range?.offset ?? null,
    html_length: range?.length ?? null,
    html_encoding: range?.encoding ?? null,
    html_charset: range?.charset ?? null,
    codes: JSON.stringify(message.codes),
    code_details: message.codeDetails.some(saysMore) ? JSON.stringify(message.codeDetails) : null,
    has_other_code: message.hasOtherCode ? 1 : 0,
    links: JSON.stringify(message.links),
    has_hidden_text: message.hiddenText ? 1 : 0,
    headers: JSON.stringify(message.headers),
    body_text: excerpt(message.bodyText, maxBodyBytes),
    body_html: range ? message.bodyHtml.slice(0, excerptLength) : excerpt(message.bodyHtml, maxBodyBytes),
    source: message.source && message.source.length <= chunkBytes && !isMoved ? message.source : null,
  }
}

/** Whether a mail says more of a code than that it is one. */
const saysMore = ({ expiresInSeconds, boundTo }: CodeDetail) => expiresInSeconds !== null || boundTo !== null
