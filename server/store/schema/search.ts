import type { Generated } from 'kysely'
import type { Mode } from './values.ts'

/** Tables beside the full-text index. `email_search_owners` and `email_search_pending` exist on both engines, the others on SQLite only. */
export interface SearchTables {
  email_search_owners: { number: Generated<number>, account_id: string, mode: Mode }
  email_search_rows: { number: number, email_id: string }
  email_search_pending: { account_id: string, mode: Mode, email_id: string, attempts: Generated<number> }
  email_search_windows: { owner_number: number, window_number: number, last: number, numbers: Uint8Array }
  email_search_frequent: { owner_number: number, term: string, share: number }
  email_search_bitmaps: { owner_number: number, term: string, window_number: number, bits: Uint8Array }
}
