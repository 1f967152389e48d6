import type { Bit, Mode } from './values.ts'

/** Counters, kept by the transactions that change what they count. */
export interface CountTables {
  totals: TotalsRow
  email_counts: EmailCountsRow
  account_bytes: { account_id: string, bytes: number }
  daily_counts: { account_id: string, mode: Mode, day: string, received: number, sent: number }
}

/** Current totals of an owner. */
export interface TotalsRow {
  account_id: string
  mode: Mode
  addresses: number
  /** Addresses that are bound and not marked as expired. */
  active_addresses: number
  audit_logs: number
}

export interface EmailCountsRow {
  owner: string
  type: 'received' | 'sent'
  is_deleted: Bit
  /** Emails that exist now. */
  total: number
  /** Emails ever stored, removed ones included. */
  ever: number
  /** Emails of a mailbox that exist now and are not read; 0 for deleted ones, and for accounts. */
  unread: number
}
