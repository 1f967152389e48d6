import { systemClock } from '../../../server/clock.ts'
import { openDatabase } from '../../../server/store/database.ts'
import { rawSql } from './raw-sql.ts'

/** A database that is read past its server, which may run, or have been killed. */
export interface StoredData extends AsyncDisposable {
  addressIds(): Promise<Set<string>>
  sentEmailIds(): Promise<Set<string>>
  /** Each counter, and the number of the rows that it counts, by a name. */
  counters(): Promise<Record<string, [counter: number, rows: number]>>
  /** Action and resource of each audit record, in one word. */
  auditedChanges(): Promise<Set<string>>
  /** Messages that are not there, of which chunks are stored. Those of mail that arrives or waits to be parsed are among them. */
  messagesOfOrphanedChunks(): Promise<number>
}

/** Queries for a counter and for the number of rows that it counts, which have to be equal. */
const counterQueries: Record<string, [counter: string, rows: string]> = {
  'addresses': ['select sum(addresses) from totals', 'select count(*) from addresses'],
  'active addresses': ['select sum(active_addresses) from totals', 'select count(*) from addresses where is_expired = 0 and is_bound = 1'],
  'audit rows': ['select sum(audit_logs) from totals', 'select count(*) from audit_logs'],
  'received': [`select sum(ever) from email_counts where owner like '%/live' and type = 'received'`, `select count(*) from outbox where event = 'email.received'`],
  'received by day': ['select sum(received) from daily_counts', `select count(*) from outbox where event = 'email.received'`],
  'sent': [`select sum(ever) from email_counts where owner like '%/live' and type = 'sent'`, `select count(*) from audit_logs where action = 'emails.send' and status = 202`],
  'sent by day': ['select sum(sent) from daily_counts', `select count(*) from audit_logs where action = 'emails.send' and status = 202`],
  'emails of the account': [`select sum(total) from email_counts where owner like '%/live'`, `select count(*) from emails`],
  'emails of its addresses': [`select sum(total) from email_counts where owner not like '%/live'`, `select count(*) from emails`],
  'unread': ['select sum(unread) from email_counts', 'select count(*) from emails where is_read = 0 and is_deleted = 0'],
  'bytes of the account': ['select sum(bytes) from account_bytes', 'select coalesce(sum(size), 0) from emails join messages on messages.id = message_id'],
  'creations': [`select count(*) from audit_logs where action = 'addresses.create' and status = 201`, `select count(*) from outbox where event = 'address.created'`],
  'deletions': [`select count(*) from audit_logs where action = 'addresses.delete' and status = 200`, `select count(*) from outbox where event = 'address.deleted'`],
}

export async function openStoredData(database: string): Promise<StoredData> {
  const db = await openDatabase(database, systemClock, { migrate: false })
  const valuesOf = async <T>(query: string) => (await rawSql<{ value: T }>(db, query)).map(({ value }) => value)
  const texts = async (query: string) => new Set(await valuesOf<string>(query))
  return {
    addressIds: () => texts('select id as value from addresses'),
    sentEmailIds: () => texts(`select id as value from emails where type = 'sent'`),
    async counters() {
      const found = Object.entries(counterQueries).map(async ([name, [counter, rows]]): Promise<[string, [number, number]]> => {
        const [row] = await rawSql<{ counter: number | null, rows: number }>(db, `select (${counter}) as counter, (${rows}) as rows`)
        return [name, [row!.counter ?? 0, row!.rows]]
      })
      return Object.fromEntries(await Promise.all(found))
    },
    auditedChanges: () => texts('select action || resource_id as value from audit_logs where resource_id is not null'),
    async messagesOfOrphanedChunks() {
      const orphaned = 'select count(distinct message_id) as value from message_chunks where message_id not in (select id from messages)'
      // with several nodes, chunks of a dead one stay until the job that discards them is due
      const query = !db.engine.shared ? orphaned
        : `${orphaned} and not exists (select 1 from jobs where task = 'discard-message' and payload like '%' || message_id || '%')`
      return (await valuesOf<number>(query))[0]!
    },
    [Symbol.asyncDispose]: () => db.close(),
  }
}
