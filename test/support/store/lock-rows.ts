import { Client } from 'pg'
import type { Database } from '../../../server/store/database.ts'
import { rawSql } from './raw-sql.ts'

/** Locks a row, as a transaction does that takes long. */
export async function lockRows(url: string, table: string, id: string): Promise<{ release(): Promise<void> }> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query('begin')
  await client.query(`select 1 from ${table} where id = $1 for update`, [id])
  return { release: () => client.end() }
}

/** Takes a lock, for which any number of queries can wait. */
export async function holdLock(url: string): Promise<{ waitIn(db: Database): Promise<unknown>, release(): Promise<void> }> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query('select pg_advisory_lock(1)')
  return {
    waitIn: (db) => rawSql(db, `select set_config('lock_timeout', '0', false), pg_advisory_xact_lock_shared(1)`),
    release: () => client.end(),
  }
}
