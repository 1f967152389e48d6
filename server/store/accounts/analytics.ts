import { sql as raw } from 'kysely'
import type { ExpressionBuilder } from 'kysely'
import { dayOf } from '../../clock.ts'
import type { Analytics, AnalyticsDay } from '../../contract/types.gen.ts'
import { prepared } from '../changes/prepared.ts'
import type { Database } from '../database.ts'
import { countKeyOf } from '../mail/email-counts.ts'
import { ownedBy } from '../owner.ts'
import type { EmailRow } from '../schema/mail.ts'
import type { Schema } from '../schema/schema.ts'
import type { Owner } from '../schema/values.ts'

/** The six counters, of one moment. Transactions keep them, so this is O(1), except for addresses that are due to expire. */
export async function readCounters(db: Database, owner: Owner): Promise<Analytics> {
  const now = db.now()
  const { rows: [row] } = await selectCounters(db, { ...owner, account: countKeyOf(owner), now, month: dayOf(now).slice(0, 8) })
  return Object.fromEntries(Object.entries(row!).map(([name, count]) => [name, count ?? 0])) as unknown as Analytics
}

const dayMs = 24 * 3600 * 1000

/** A row for each of the last days, today included, the oldest first. */
export async function readDays(db: Database, owner: Owner, days: number): Promise<AnalyticsDay[]> {
  const now = db.now()
  const wanted = Array.from({ length: days }, (_, i) => dayOf(now - (days - 1 - i) * dayMs))
  const { rows } = await selectDays(db, { ...owner, since: wanted[0]! })
  const counted = new Map(rows.map((row) => [row.day, row]))
  return wanted.map((day) => counted.get(day) ?? { day, received: 0, sent: 0 })
}

type CounterValues = Owner & { account: string, now: number, month: string }

const selectCounters = prepared<CounterValues, Record<keyof Analytics, number | null>>((sql, value) => sql.selectNoFrom((row) => {
  const total = (column: 'addresses' | 'active_addresses') => row.selectFrom('totals').select(column)
    .$call(ownedBy(value))
  const due = row.selectFrom('addresses').select(row.fn.countAll<number>().as('n'))
    .$call(ownedBy(value))
    .where('is_expired', '=', raw.lit(0)).where('is_bound', '=', raw.lit(1)) // literals, for the partial index
    .where('expires_at', '<=', value('now'))
  return [
    total('addresses').as('totalAddresses'),
    row(total('active_addresses'), '-', due).as('activeAddresses'),
    selectEver(row, 'received', value('account')).as('totalEmailsReceived'),
    selectEver(row, 'sent', value('account')).as('totalEmailsSent'),
    month('received').as('thisMonthReceived'),
    month('sent').as('thisMonthSent'),
  ] as never

  function month(column: 'received' | 'sent') {
    return row.selectFrom('daily_counts').select((days) => days.fn.sum<number>(column).as('n'))
      .$call(ownedBy(value)).where('day', '>', value('month'))
  }
}))

const selectEver = (row: ExpressionBuilder<Schema, never>, type: EmailRow['type'], account: string) => row.selectFrom('email_counts').select('ever')
  .where('owner', '=', account).where('type', '=', type).where('is_deleted', '=', raw.lit(0))

const selectDays = prepared<Owner & { since: string }, AnalyticsDay>((sql, value) => sql.selectFrom('daily_counts')
  .select(['day', 'received', 'sent'])
  .$call(ownedBy(value)).where('day', '>=', value('since')))
