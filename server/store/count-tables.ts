import type { Bit, Mode } from './schema.ts'

/** What is counted as it changes. */
export interface CountTables {
  totals: TotalsRow
  email_counts: EmailCountsRow
  account_bytes: { account_id: string, bytes: number }
  daily_counts: { account_id: string, mode: Mode, day: string, received: number, sent: number }
}

/** What an owner has now. */
export interface TotalsRow {
  account_id: string
  mode: Mode
  addresses: number
  /** Those that are bound and not marked as expired. */
  active_addresses: number
  audit_logs: number
}

interface EmailCountsRow {
  owner: string
  type: 'received' | 'sent'
  is_deleted: Bit
  /** How many there are. */
  total: number
  /** How many ever came. */
  ever: number
}
