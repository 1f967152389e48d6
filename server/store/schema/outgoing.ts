import type { Bit, Mode } from './values.ts'

/** Outgoing mail. */
export interface OutgoingTables {
  deliveries: DeliveryRow
  /** Mail that left in a window of time: of an account, to a recipient or a domain, of the server. */
  mail_counts: { name: string, ends_at: number, mails: number }
}

export interface DeliveryRow {
  id: string
  /** Empty for mail that the server sends for itself. */
  account_id: string
  mode: Mode
  /** `sent`: mail of a user; `verification`: mail of this server with a secret link, to verify a forwarding address or to sign in. */
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
  /** 0 for mail that is counted when it is about to leave. */
  is_counted: Bit
}
