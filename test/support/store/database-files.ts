import { copyFileSync, rmSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { systemClock } from '../../../server/clock.ts'
import { openDatabase } from '../../../server/store/database.ts'
import { migrations } from '../../../server/store/migrations/index.ts'
import { systemOwner } from '../../../server/store/owner.ts'
import type { Schema } from '../../../server/store/schema/schema.ts'
import { runOnPostgres } from '../postgres.ts'

/** Makes a database of which only a newer version knows the tables. */
export function createNewerDatabase(file: string): void {
  const sqlite = new Sqlite(file)
  sqlite.exec("create table migrations (name text primary key, applied_at bigint); insert into migrations values ('9999-future', 0)")
  sqlite.close()
}

/**
 * Makes a database that lacks the last migration with statements for a file, and those after it.
 * @returns the name of its last migration, and the names of those that it lacks
 */
export async function createOlderDatabase(file: string): Promise<{ schema: string, missing: string[] }> {
  const { engine, close } = await openDatabase(`${file}-dialect`, systemClock)
  const sqlite = new Sqlite(file)
  sqlite.exec('create table migrations (name text primary key, applied_at bigint not null)')
  const firstMissing = migrations.findLastIndex(({ statements }) => statements(engine).length > 0)
  const older = migrations.slice(0, firstMissing)
  for (const { name, statements } of older) {
    for (const statement of statements(engine)) sqlite.exec(statement)
    sqlite.prepare('insert into migrations values (?, 0)').run(name)
  }
  sqlite.close()
  await close()
  for (const suffix of ['', '-server']) rmSync(`${file}-dialect${suffix}`)
  return { schema: older.at(-1)!.name, missing: migrations.slice(firstMissing).map(({ name }) => name) }
}

/** Brings an empty database of PostgreSQL to a schema without the last migration, whose name it returns. */
export async function createOlderPostgres(url: string): Promise<string> {
  const { engine, close } = await openDatabase(url, systemClock, { migrate: false })
  const sql = ['create table migrations (name text primary key, applied_at bigint not null)']
  for (const { name, statements } of migrations.slice(0, -1)) {
    sql.push(...statements(engine).map((statement) => engine.statement(statement)), `insert into migrations (name, applied_at) values ('${name}', 0)`)
  }
  await close()
  await runOnPostgres(url, sql.join(';\n'))
  return migrations.at(-1)!.name
}

/** Runs statements on a database that no server has open. */
export function changeFile(file: string, statements: string): void {
  const sqlite = new Sqlite(file)
  sqlite.exec(statements)
  sqlite.close()
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
  /** Number of the events that have an owner. */
  countEvents(): number
  /** Subjects of received emails. */
  receivedSubjects(): Set<string>
  /** Sizes that grow with time, in bytes and rows. @param keptTables whose rows are kept for days */
  sizes(keptTables: (keyof Schema)[]): { used: number, kept: number, unindexed: number, unremoved: number }
}

export function openDatabaseFile(file: string): DatabaseFile {
  const sqlite = new Sqlite(file, { timeout: 5_000 })
  const column = <T>(query: string, ...parameters: unknown[]) => sqlite.prepare(query).pluck().all(...parameters) as T[]
  const count = (table: string) => column<number>(`select count(*) from ${table}`)[0]!
  const pragma = (name: string) => Number(sqlite.pragma(name, { simple: true }))
  return {
    count,
    countEvents: () => column<number>('select count(*) from outbox where account_id <> ?', systemOwner.accountId)[0]!,
    receivedSubjects: () => new Set(column<string>(`select subject from emails join messages on messages.id = message_id where type = 'received'`)),
    sizes: (keptTables) => ({
      used: (pragma('page_count') - pragma('freelist_count')) * pragma('page_size'),
      kept: column<number>(`select coalesce(sum(pgsize), 0) from dbstat where aggregate = true and name in
        (select name from sqlite_master where tbl_name in (${keptTables.map(() => '?').join()}))`, ...keptTables)[0]!,
      unindexed: count('email_search_pending'),
      unremoved: count('removed_mailboxes') + count('discarded_messages'),
    }),
    [Symbol.dispose]: () => { sqlite.close() },
  }
}
