import type { Generated } from 'kysely'
import type { CountTables } from './count-tables.ts'
import type { IdempotencyTables } from './idempotency-tables.ts'
import type { SearchTables } from './search-tables.ts'

/** The rows as they are stored: times in milliseconds since 1970, booleans 0 or 1, lists and maps as JSON text. */
export interface Schema extends CountTables, IdempotencyTables, SearchTables {
  accounts: AccountRow
  api_keys: ApiKeyRow
  addresses: AddressRow
  address_names: { address: string, domain_id: string, account_id: string, released_at: number | null }
  messages: MessageRow
  message_excerpts: { message_id: string, body_text: string, body_html: string }
  message_chunks: { message_id: string, part: number, seq: number, bytes: Uint8Array }
  attachments: AttachmentRow
  emails: EmailRow
  shared_messages: { message_id: string, mailboxes: number }
  discarded_messages: { message_id: string }
  outbox: OutboxRow
  jobs: JobRow
  removed_mailboxes: { address_id: string }
  audit_logs: AuditLogRow
  audit_retention: { removable_before: number }
  webhooks: WebhookRow
  webhook_deliveries: WebhookDeliveryRow
  secrets: { name: string, value: string }
  domains: DomainRow
  forwarding_addresses: ForwardingAddressRow
  forwarding_rules: ForwardingRuleRow
  deliveries: DeliveryRow
  authentications: { message_id: string, results: string, arc: string | null }
  migrations: { name: string, applied_at: number }
}

export type Bit = 0 | 1
export const toBit = (flag: boolean): Bit => flag ? 1 : 0
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
  domain_id: string | null
  /** 0 after the domain was removed or has lost its verification. Follows the domain in steps (`address-binding.ts`). */
  is_bound: Bit
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
}

export interface OutboxRow {
  /** The order of the commits. */
  seq: Generated<number>
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
  lane: string
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
  /** Calls that the record stands for. */
  call_count: number
}

export interface DomainRow {
  id: string
  account_id: string
  mode: Mode
  domain: string
  token: string
  status: 'pending' | 'verified'
  created_at: number
  verified_at: number | null
  /** When it was added, lost its verification, or was last asked to be checked: its checks are planned from there. */
  pending_since: number
  /** Checks in a row that found a record missing. */
  failures: number
  /** Id of the job that checked it last, and the results of that check, as JSON. */
  checked_by: string | null
  findings: string | null
}

export interface ForwardingAddressRow {
  id: string
  account_id: string
  mode: Mode
  email: string
  token_hash: string
  token_expires_at: number
  verified_at: number | null
  created_at: number
}

export interface ForwardingRuleRow {
  address_id: string
  id: string
  forward_to_id: string | null
  filter_sender: string | null
  filter_subject: string | null
  is_active: Bit
}

export interface DeliveryRow {
  id: string
  account_id: string
  mode: Mode
  /** `sent`: mail of a user; `verification`: mail of this server to the owner of a forwarding address. */
  kind: 'sent' | 'forward' | 'verification'
  /** The email that is sent or forwarded. */
  email_id: string | null
  message_id: string
  recipient: string
  status: 'queued' | 'sending' | 'sent' | 'deferred' | 'failed' | 'captured'
  attempts: number
  created_at: number
  next_at: number | null
  sent_at: number | null
  failure_reason: string | null
}

export interface WebhookRow {
  id: string
  account_id: string
  mode: Mode
  url: string
  events: string
  /** JSON; null for the events of all addresses. */
  address_ids: string | null
  secret: string
  previous_secret: string | null
  previous_secret_until: number | null
  is_active: Bit
  disabled_at: number | null
  disabled_reason: string | null
  created_at: number
}

export interface WebhookDeliveryRow {
  id: string
  webhook_id: string
  event_id: string
  event: string
  payload: string
  attempt: number
  /** Whether its failure leads to another attempt, and in the end to the webhook being disabled. */
  is_counted: Bit
  status: 'pending' | 'succeeded' | 'failed'
  due_at: number
  sent_at: number | null
  duration_ms: number | null
  response_status: number | null
  response_body: string | null
  error: string | null
  created_at: number
}
