/** The rows as they are stored: times in milliseconds since 1970, booleans 0 or 1, lists and maps as JSON text. */
export interface Schema {
  accounts: AccountRow
  api_keys: ApiKeyRow
  addresses: AddressRow
  address_names: { address: string, account_id: string, released_at: number | null }
  messages: MessageRow
  message_chunks: { message_id: string, part: number, seq: number, bytes: Uint8Array }
  attachments: AttachmentRow
  emails: EmailRow
  email_counts: { owner: string, type: EmailRow['type'], is_deleted: Bit, total: number, last_at: number }
  shared_messages: { message_id: string, mailboxes: number }
  discarded_messages: { message_id: string }
  outbox: OutboxRow
  jobs: JobRow
  audit_logs: AuditLogRow
  migrations: { name: string, applied_at: number }
}

export type Bit = 0 | 1
export type Mode = 'live' | 'test'
export type Plan = 'free' | 'pro' | 'business'

export interface AccountRow {
  id: string
  email: string
  plan: Plan
  created_at: number
}

export interface ApiKeyRow {
  id: string
  account_id: string
  name: string
  hash: string
  mode: Mode
  scopes: string
  created_at: number
  revoked_at: number | null
}

export interface AddressRow {
  id: string
  account_id: string
  mode: Mode
  address: string
  alias: string
  created_at: number
  expires_at: number
  is_expired: Bit
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
  codes: string
  links: string
  headers: string
  body_text: string
  body_html: string
  source: Uint8Array | null
}

export interface AttachmentRow {
  id: string
  message_id: string
  part: number
  filename: string
  content_type: string
  size: number
  content_id: string | null
  is_inline: Bit
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
  status: 'queued' | 'sending' | 'sent' | 'deferred' | 'failed' | 'captured' | null
  sent_at: number | null
  failure_reason: string | null
}

export interface OutboxRow {
  id: string
  account_id: string
  mode: Mode
  event: string
  data: string
  created_at: number
}

export interface JobRow {
  id: string
  task: string
  payload: string
  run_at: number
  attempts: number
  is_leased: Bit
}

export interface AuditLogRow {
  id: string
  account_id: string
  mode: Mode
  api_key_id: string | null
  action: string
  method: string
  path: string
  status: number
  resource_id: string | null
  ip_address: string
  user_agent: string | null
  created_at: number
}
