import type { PoolClient } from 'pg'
import { pause } from '../../../deadline.ts'
import { isLost } from './errors.ts'
import type { Pool } from './pool.ts'

/** Maximum time in which the server is asked whether a transaction was committed. */
const maxAskMs = 30_000
const askAgainMs = 100

/**
 * Commits a transaction. When the connection is lost before the answer, another connection asks the server for its outcome: to run the
 * transaction again could do its work twice.
 * @throws Error when it was not committed
 */
export async function commit(client: PoolClient, pool: Pool): Promise<unknown> {
  const { rows: [row] } = await client.query<{ id: string | null }>('select pg_current_xact_id_if_assigned()::text as id')
  const id = row!.id
  try {
    const result = await client.query('commit')
    // the server answers a commit of a failed transaction with ROLLBACK, and no error
    if (result.command !== 'COMMIT') throw new Error('the transaction had failed, and was rolled back')
    return result
  } catch (error) {
    if (id === null || !isLost(error)) throw error
    if (await wasCommitted(id, pool)) return { command: 'COMMIT', rows: [], rowCount: 0 }
    throw error
  }
}

async function wasCommitted(id: string, pool: Pool): Promise<boolean> {
  const deadline = performance.now() + maxAskMs
  for (;;) {
    try {
      const { rows: [row] } = await pool.query<{ status: string | null }>('select pg_xact_status($1::text::xid8) as status', [id])
      if (row!.status !== 'in progress') return row!.status === 'committed'
    } catch (error) {
      if (!isLost(error) || performance.now() > deadline) throw error
    }
    if (performance.now() > deadline) throw new Error(`the outcome of transaction ${id} is not known`)
    await pause(askAgainMs)
  }
}
