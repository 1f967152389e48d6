import type { Generated } from 'kysely'
import type { WebhookForm } from '../../contract/types.gen.ts'
import type { DialectName } from '../../dialects/dialects.ts'
import type { Bit, Mode } from './values.ts'

/** Events, and their deliveries to webhooks. */
export interface EventTables {
  outbox: OutboxRow
  webhooks: WebhookRow
  webhook_deliveries: WebhookDeliveryRow
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
  /** The number that it had in the database from which its account has come; null for all others. */
  former_seq: Generated<number | null>
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
  form: WebhookForm
  /** Of the request that created it. */
  dialect: DialectName
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
