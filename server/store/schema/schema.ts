import type { AccountTables } from './accounts.ts'
import type { AddressTables } from './addresses.ts'
import type { CountTables } from './counts.ts'
import type { EventTables } from './events.ts'
import type { JobTables } from './jobs.ts'
import type { MailTables } from './mail.ts'
import type { OutgoingTables } from './outgoing.ts'
import type { SearchTables } from './search.ts'

/** The rows as they are stored: times in milliseconds since 1970, booleans 0 or 1, lists and maps as JSON text. */
export interface Schema
  extends AccountTables, AddressTables, CountTables, EventTables, JobTables, MailTables, OutgoingTables, SearchTables {
  secrets: { name: string, value: string }
  migrations: { name: string, applied_at: number }
}
