import type { Generated } from 'kysely'
import type { AccountTables } from './accounts.ts'
import type { AddressTables } from './addresses.ts'
import type { CountTables } from './counts.ts'
import type { EventTables } from './events.ts'
import type { MailTables } from './mail.ts'
import type { OutgoingTables } from './outgoing.ts'
import type { Mode } from './values.ts'

/** The rows as they are stored: times in milliseconds since 1970, booleans 0 or 1, lists and maps as JSON text. */
export interface Schema
  extends AccountTables, AddressTables, CountTables, EventTables, JobTables, MailTables, OutgoingTables, SearchTables {
  secrets: { name: string, value: string }
  migrations: { name: string, applied_at: number }
}

/** Tables beside the full-text index. `email_search_owners` and `email_search_pending` exist on both engines, the others on SQLite only. */
interface SearchTables {
  email_search_owners: { number: Generated<number>, account_id: string, mode: Mode }
  email_search_pending: { account_id: string, mode: Mode, email_id: string, attempts: Generated<number> }
  email_search_windows: { owner_number: number, window_number: number, last: number, numbers: Uint8Array }
  email_search_frequent: { owner_number: number, term: string, share: number }
  email_search_bitmaps: { owner_number: number, term: string, window_number: number, bits: Uint8Array }
}

/** The queue of jobs, and the nodes that run them. */
interface JobTables {
  jobs: JobRow
  nodes: NodeRow
}

export interface JobRow {
  id: string
  task: string
  lane: string
  payload: string
  run_at: number
  attempts: number
  /** The id of the node that runs the job; null while it waits. */
  claimed_by: string | null
}

/** Has no rows while one process alone uses the database. */
interface NodeRow {
  id: string
  label: string
  version: string
  started_at: number
  beat_at: number
}
