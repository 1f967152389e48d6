import type { Generated } from 'kysely'
import type { MailDoor } from '../../envelope.ts'
import type { Bit, Mode } from './values.ts'

/** Messages, and the emails that show them in mailboxes. */
export interface MailTables {
  messages: MessageRow
  message_excerpts: { message_id: string, body_text: string, body_html: string }
  message_chunks: { message_id: string, seq: number, bytes: Uint8Array }
  source_places: SourcePlaceRow
  source_segments: SourceSegmentRow
  attachments: AttachmentRow
  emails: EmailRow
  shared_messages: { message_id: string, mailboxes: number }
  discarded_messages: { message_id: string }
  removed_mailboxes: { address_id: string }
  authentications: { message_id: string, results: string, arc: string | null }
}

export interface MessageRow {
  id: string
  received_at: number
  size: number
  has_attachments: Bit
  from_address: string
  from_name: string
  subject: string
  preview: string
  problem: string | null
  envelope: string
  html_offset: number | null
  html_length: number | null
  html_encoding: string | null
  html_charset: string | null
  codes: string
  code_details: string | null
  has_other_code: Bit
  links: string
  has_hidden_text: Bit
  headers: string
  body_text: string
  body_html: string
  source: Uint8Array | null
}

/** The place of a source that has left the database. */
export interface SourcePlaceRow {
  message_id: string
  /** The number of its segment. */
  segment: number
  /** Its first byte in the segment. */
  start: number
  /** With which it is encrypted. */
  key: Uint8Array
}

/** An object of the store, with many sources. */
interface SourceSegmentRow {
  number: Generated<number>
  name: string
  /** Those that are shown, or wait for their removal. */
  mails: Generated<number>
  /** `writing` until all its mails have their places; `removing` from before its removal from the store. */
  state: 'writing' | 'written' | 'removing'
  /** When it was begun, or its removal failed last; in the order of this, empty ones are removed. */
  due_at: number
}

export interface AttachmentRow {
  id: string
  message_id: string
  filename: string
  content_type: string
  size: number
  content_id: string | null
  is_inline: Bit
  source_offset: number
  source_length: number
  encoding: string
}

export interface EmailRow {
  id: string
  account_id: string
  mode: Mode
  address_id: string
  message_id: string
  type: 'received' | 'sent'
  recipient: string
  is_read: Bit
  is_starred: Bit
  is_deleted: Bit
  received_at: number
  /** The order of the commits: the number of its event. Null until the end of the transaction that inserts it. */
  seq: number | null
  /** How it came, unless by the name of its address. */
  via: MailDoor | null
  /** The recipients of the envelope, at most 100 as JSON, and their number; null for `recipient` alone. */
  recipients: string | null
  recipients_total: number | null
}
