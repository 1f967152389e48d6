import type { ExpressionBuilder } from 'kysely'
import { prepared } from '../changes/prepared.ts'
import type { Schema } from '../schema/schema.ts'

/** Hides the emails of a removed address, which a job removes in steps. */
export const isShown = (row: ExpressionBuilder<Schema, 'emails'>) =>
  row('emails.address_id', 'not in', row.selectFrom('removed_mailboxes').select('removed_mailboxes.address_id'))

/** Deleted addresses, of all accounts, whose emails are still being removed; usually none. */
export const selectRemovedMailboxes = prepared<{ limit: number }, { address_id: string }>((sql, value) => sql.selectFrom('removed_mailboxes')
  .select('address_id').limit(value('limit')))
