import { Client } from 'pg'
import type { Queries } from '../../../server/store/connection.ts'
import { runOnPostgres } from '../postgres.ts'
import { withDatabase } from './with-database.ts'

interface Held {
  release(): Promise<void>
}

/** Opens a session of its own, which begins with these statements. */
async function hold(url: string, ...statements: string[]): Promise<Held & { client: Client }> {
  const client = new Client({ connectionString: url })
  await client.connect()
  for (const statement of statements) await client.query(statement)
  return { client, release: () => client.end() }
}

/** A transaction that sees the rows of its begin until it ends, as that of a dump does. */
export const holdSnapshot = (url: string): Promise<Held> => hold(url, 'begin isolation level repeatable read read only', 'select 1')

/** A migration keeps such a lock until it ends. */
export const holdTable = (url: string, table: string): Promise<Held> => hold(url, 'begin', `lock table ${table} in access exclusive mode`)

/** Holds the lock for which the end of each group of changes waits. */
export async function holdEnds(url: string): Promise<Held & { waiters(): Promise<number> }> {
  const held = await hold(url, 'begin')
  const at = { execute: (text: string, values?: unknown[]) => held.client.query(text, values) } as unknown as Queries
  await withDatabase(url, async (db) => db.engine.locks.lockEnd(at))
  return { ...held, waiters: async () => (await runOnPostgres(url, waitersSql)).length }
}

const waitersSql = `select pid from pg_locks where locktype = 'advisory' and not granted
  and database = (select oid from pg_database where datname = current_database())`

/** Leaves a transaction that is prepared and never committed. The server needs `max_prepared_transactions`. */
export async function leavePrepared(url: string): Promise<Held> {
  await runOnPostgres(url, 'begin', 'select pg_current_xact_id()', "prepare transaction 'left'")
  return { release: async () => { await runOnPostgres(url, "rollback prepared 'left'") } }
}

/** Leaves a replication slot that nothing reads. The server needs the WAL of logical replication. */
export async function leaveSlot(url: string): Promise<Held> {
  await runOnPostgres(url, "select pg_create_logical_replication_slot('unread', 'test_decoding')")
  return { release: async () => { await runOnPostgres(url, "select pg_drop_replication_slot('unread')") } }
}

/** Leaves versions of rows that were removed, and has the server count them at once. */
export async function leaveDeadRows(url: string, table: 'secrets', count: number): Promise<void> {
  await runOnPostgres(url, `insert into ${table} (name, value) select 'dead ' || i, '' from generate_series(1, ${count}) as i`,
    `delete from ${table} where name like 'dead %'`, 'select pg_stat_force_next_flush()')
}

/** Makes a database that a user without further rights owns. @returns its URL */
export async function newOwnedDatabase(url: string, name: string): Promise<string> {
  await runOnPostgres(url, `create role ${name} login`, `create database ${name} owner ${name}`)
  return Object.assign(new URL(url), { username: name, pathname: `/${name}` }).href
}
