import { copyFileSync, rmSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { systemClock } from '../../../server/clock.ts'
import { openDatabase } from '../../../server/store/database.ts'
import { migrations } from '../../../server/store/migrations/index.ts'
import type { Schema } from '../../../server/store/schema/schema.ts'

/** Makes a database of which only a newer version knows the tables. */
export function createNewerDatabase(file: string): void {
  const sqlite = new Sqlite(file)
  sqlite.exec("create table migrations (name text primary key, applied_at bigint); insert into migrations values ('9999-future', 0)")
  sqlite.close()
}

/** Makes a database of an older schema. @returns the name of its last migration, and the names of those that it lacks */
export async function createOlderDatabase(file: string): Promise<{ schema: string, missing: string[] }> {
  const { engine, close } = await openDatabase(`${file}-dialect`, systemClock)
  const sqlite = new Sqlite(file)
  sqlite.exec('create table migrations (name text primary key, applied_at bigint not null)')
  const older = migrations.slice(0, -2)
  for (const { name, statements } of older) {
    for (const statement of statements(engine)) sqlite.exec(statement)
    sqlite.prepare('insert into migrations values (?, 0)').run(name)
  }
  sqlite.close()
  await close()
  for (const suffix of ['', '-server']) rmSync(`${file}-dialect${suffix}`)
  return { schema: older.at(-1)!.name, missing: migrations.slice(-2).map(({ name }) => name) }
}

/** Adds this many bytes to a database that no server has open. */
export function fillDatabase(file: string, bytes: number): void {
  const sqlite = new Sqlite(file)
  sqlite.prepare(`insert into message_chunks (message_id, seq, bytes)
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ?) select 'filling', n, randomblob(65536) from numbers`).run(bytes / 65536)
  sqlite.close()
}

/**
 * Copies a database and its rollback journal within a transaction that renames all accounts, after pages of it have reached the file. A
 * power failure leaves such files.
 */
export function copyWithinTransaction(file: string, copy: string): void {
  const sqlite = new Sqlite(file)
  sqlite.pragma('journal_mode = DELETE')
  sqlite.pragma('cache_size = 10')
  sqlite.exec(`begin; update accounts set email = 'uncommitted@example.org'; create table filling as
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 1000) select randomblob(4096) from numbers`)
  for (const suffix of ['', '-journal']) copyFileSync(`${file}${suffix}`, `${copy}${suffix}`)
  sqlite.exec('rollback')
  sqlite.close()
}

/** Whether SQLite finds no fault in a file. */
export function isIntact(file: string): boolean {
  const sqlite = new Sqlite(file, { readonly: true })
  try {
    return sqlite.pragma('integrity_check', { simple: true }) === 'ok' && (sqlite.pragma('foreign_key_check') as unknown[]).length === 0
  } finally {
    sqlite.close()
  }
}

/** Adds domains of the one account of a database that no server has open. The token of each is `token-` and its name. */
export function addDomainsTo(file: string, domains: { name: string, domain: string, status: 'pending' | 'verified' }[]): void {
  const sqlite = new Sqlite(file)
  const insert = sqlite.prepare(`insert into domains (id, account_id, mode, domain, token, status, created_at, verified_at, pending_since)
    select @name, id, 'live', @domain, 'token-' || @name, @status, 0, 0, 0 from accounts`)
  for (const domain of domains) insert.run(domain)
  sqlite.close()
}

/** A database file that is read past the server, which may run, or have been killed. */
export interface DatabaseFile extends Disposable {
  count(table: keyof Schema): number
  addressIds(): Set<string>
  /** Subjects of received emails. */
  receivedSubjects(): Set<string>
  sentEmailIds(): Set<string>
  /** Each counter, and the number of the rows that it counts, by a name. */
  counters(): Record<string, [counter: number, rows: number]>
  /** Action and resource of each audit record, in one word. */
  auditedChanges(): Set<string>
  /** Sizes that grow with time, in bytes and rows. @param keptTables whose rows are kept for days */
  sizes(keptTables: (keyof Schema)[]): { used: number, kept: number, unindexed: number, unremoved: number }
  /** Messages that are not there, of which chunks are stored. Those of mail that arrives or waits to be parsed are among them. */
  messagesOfOrphanedChunks(): number
}

/** Queries for a counter and for the number of rows that it counts, which have to be equal. */
const counterQueries: Record<string, string> = {
  'addresses': 'select (select sum(addresses) from totals), (select count(*) from addresses)',
  'active addresses': 'select (select sum(active_addresses) from totals), (select count(*) from addresses where is_expired = 0 and is_bound = 1)',
  'audit rows': 'select (select sum(audit_logs) from totals), (select count(*) from audit_logs)',
  'received': `select (select sum(ever) from email_counts where owner like '%/live' and type = 'received'), (select count(*) from outbox where event = 'email.received')`,
  'received by day': `select (select sum(received) from daily_counts), (select count(*) from outbox where event = 'email.received')`,
  'sent': `select (select sum(ever) from email_counts where owner like '%/live' and type = 'sent'), (select count(*) from audit_logs where action = 'emails.send' and status = 202)`,
  'sent by day': `select (select sum(sent) from daily_counts), (select count(*) from audit_logs where action = 'emails.send' and status = 202)`,
  'emails of the account': `select (select sum(total) from email_counts where owner like '%/live'), (select count(*) from emails)`,
  'emails of its addresses': `select (select sum(total) from email_counts where owner not like '%/live'), (select count(*) from emails)`,
  'unread': `select (select sum(unread) from email_counts), (select count(*) from emails where is_read = 0 and is_deleted = 0)`,
  'bytes of the account': `select (select sum(bytes) from account_bytes), (select coalesce(sum(size), 0) from emails join messages on messages.id = message_id)`,
  'creations': `select (select count(*) from audit_logs where action = 'addresses.create' and status = 201), (select count(*) from outbox where event = 'address.created')`,
  'deletions': `select (select count(*) from audit_logs where action = 'addresses.delete' and status = 200), (select count(*) from outbox where event = 'address.deleted')`,
}

export function openDatabaseFile(file: string): DatabaseFile {
  const sqlite = new Sqlite(file, { timeout: 5_000 })
  const column = <T>(query: string, ...parameters: unknown[]) => sqlite.prepare(query).pluck().all(...parameters) as T[]
  const count = (table: string) => column<number>(`select count(*) from ${table}`)[0]!
  const pragma = (name: string) => Number(sqlite.pragma(name, { simple: true }))
  return {
    count,
    receivedSubjects: () => new Set(column<string>(`select subject from emails join messages on messages.id = message_id where type = 'received'`)),
    addressIds: () => new Set(column<string>('select id from addresses')),
    sentEmailIds: () => new Set(column<string>(`select id from emails where type = 'sent'`)),
    counters: () => Object.fromEntries(Object.entries(counterQueries).map(([name, query]) => {
      const [counter, rows] = sqlite.prepare(query).raw().get() as [number | null, number]
      return [name, [counter ?? 0, rows]]
    })),
    auditedChanges: () => new Set(column<string>('select action || resource_id from audit_logs')),
    sizes: (keptTables) => ({
      used: (pragma('page_count') - pragma('freelist_count')) * pragma('page_size'),
      kept: column<number>(`select coalesce(sum(pgsize), 0) from dbstat where aggregate = true and name in
        (select name from sqlite_master where tbl_name in (${keptTables.map(() => '?').join()}))`, ...keptTables)[0]!,
      unindexed: count('email_search_pending'),
      unremoved: count('removed_mailboxes') + count('discarded_messages'),
    }),
    messagesOfOrphanedChunks: () =>
      column<number>('select count(distinct message_id) from message_chunks where message_id not in (select id from messages)')[0]!,
    [Symbol.dispose]: () => { sqlite.close() },
  }
}
