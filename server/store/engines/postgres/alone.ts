import pg from 'pg'
import { lockKeyOf } from './locks.ts'
import { connectTimeoutMs, liftTimeLimit, settingsOf } from './pool.ts'

/**
 * Runs work with a lock that only one process has. A connection of its own has the lock, since the work has transactions of its own; if it
 * is lost, the unique indexes still hold, and the work of one process fails.
 */
export async function alone<T>(url: string, work: () => Promise<T>): Promise<T> {
  const client = new pg.Client({ ...settingsOf(url), application_name: 'mayfly start', connectionTimeoutMillis: connectTimeoutMs })
  client.on('error', () => {}) // the server has released the lock
  await client.connect()
  try {
    await liftTimeLimit(client)
    await client.query('set lock_timeout = 0') // the migrations of another process may take long
    await client.query('select pg_advisory_lock($1)', [lockKeyOf('the start of a process')])
    return await work()
  } finally {
    await client.end()
  }
}
