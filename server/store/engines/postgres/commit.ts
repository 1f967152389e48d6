import type { PoolClient } from 'pg'
import { pause } from '../../../deadline.ts'
import type { Step } from './connection.ts'
import { isLost } from './errors.ts'
import type { Pool } from './pool.ts'

/** Maximum time in which the server is asked whether a transaction was committed. */
const maxAskMs = 30_000
const askAgainMs = 100

/**
 * The beginning and the commit of transactions that write. When the connection is lost before a commit is answered, another connection
 * asks the server for its outcome: the transaction may run again only where it was not committed.
 * @param pool of the other connection
 */
export function openCommit(pool: Pool): Record<'begin' | 'commit', Step> {
  /** The number of the transaction of a connection. It is asked for at the beginning: the last statements are sent with the commit. */
  const numbers = new WeakMap<PoolClient, Promise<string>>()
  return {
    // the statements that follow are sent before this is answered; without a connection they fail too
    async begin(client) {
      client.query('begin').catch(() => {})
      const number = client.query<{ id: string }>('select pg_current_xact_id()::text as id').then(({ rows }) => rows[0]!.id)
      number.catch(() => {})
      numbers.set(client, number)
    },
    async commit(client) {
      try {
        const result = await client.query('commit')
        // the server answers a commit of a failed transaction with ROLLBACK, and no error
        if (result.command !== 'COMMIT') throw new Error('the transaction had failed, and was rolled back')
      } catch (error) {
        if (!isLost(error)) throw error
        const number = await numbers.get(client) // fails where the transaction has not begun
        if (!await wasCommitted(number!, pool)) throw error
      }
    },
  }
}

async function wasCommitted(number: string, pool: Pool): Promise<boolean> {
  const deadline = performance.now() + maxAskMs
  for (;;) {
    try {
      const { rows: [row] } = await pool.query<{ status: string | null }>('select pg_xact_status($1::text::xid8) as status', [number])
      if (row!.status !== 'in progress') return row!.status === 'committed'
    } catch (error) {
      if (!isLost(error)) throw error
    }
    if (performance.now() > deadline) throw new Error(`the outcome of transaction ${number} is not known`)
    await pause(askAgainMs)
  }
}
