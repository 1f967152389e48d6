import { sql as raw } from 'kysely'
import type { HtmlRange } from './messages.ts'
import type { EmailRow, MessageRow } from '../schema/mail.ts'

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
