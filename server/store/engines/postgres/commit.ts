import { randomUUID } from 'node:crypto'
import type { PoolClient } from 'pg'
import { pause } from '../../../deadline.ts'
import { OutcomeUnknown } from '../../changes/group-commit.ts'
import type { Step } from './connection.ts'
import { isLost } from './errors.ts'
import { lockKeyOf } from './locks.ts'
import type { Pool } from './pool.ts'

/** Maximum time in which the server is asked whether a transaction was committed. */
const maxAskMs = 30_000
const askAgainMs = 100

/**
 * The beginning and the commit of the transactions of one writer. Each transaction records its number, and holds a lock of the writer until
 * it ends. When the connection is lost before a commit is answered, another connection waits for that lock and reads the record: the
 * transaction may run again only where its number is not there. `pg_xact_status` cannot tell: after a crash or a fail-over, the server may
 * assign the id (xid) of a transaction that it had not flushed to a new one (docs/decisions/0020).
 * @param pool of the other connection
 */
export function openCommit(pool: Pool): Record<'begin' | 'commit', Step> {
  const writer = randomUUID()
  const lock = { name: 'lock-writer', text: 'select pg_advisory_xact_lock($1)', values: [lockKeyOf(`writer ${writer}`)] }
  /** Resolves when the transaction of a connection has the lock. */
  const begun = new WeakMap<PoolClient, Promise<unknown>>()
  let last = 0

  async function wasCommitted(number: number): Promise<boolean> {
    const deadline = performance.now() + maxAskMs
    for (;;) {
      try {
        await pool.query(lock)
        // `for share` is refused by a standby, which may not have the commit yet
        const { rows: [record] } = await pool.query<{ number: number }>(
          { name: 'read-commit', text: 'select number from commit_records where writer = $1 for share', values: [writer] })
        return record?.number === number
      } catch (error) {
        // whatever the reason, such as too many connections, or a standby: another answer may come later
        if (performance.now() > deadline) throw new OutcomeUnknown('it is not known whether a transaction was committed', { cause: error })
      }
      await pause(askAgainMs)
    }
  }

  return {
    // the statements that follow are sent before this is answered; without a connection they fail too
    async begin(client) {
      client.query('begin').catch(() => {})
      const locked = client.query(lock)
      locked.catch(() => {})
      begun.set(client, locked)
    },
    async commit(client) {
      await begun.get(client)
      const number = ++last
      try {
        const recorded = client.query({ name: 'record-commit', text: record, values: [writer, number] })
        recorded.catch(() => {}) // the commit fails too
        const result = await client.query('commit')
        // the server answers a commit of a failed transaction with ROLLBACK, and no error
        if (result.command !== 'COMMIT') throw await recorded.then(() => new Error('the transaction was rolled back'), (error: unknown) => error)
      } catch (error) {
        if (!isLost(error) || !await wasCommitted(number)) throw error
        return
      }
      if (number === 1) pool.query(removeOld).catch(() => {}) // the next writer tries it again
    },
  }
}

// only for transactions that have changed something: the commit of others needs no flush
const record = `
  insert into commit_records as old (writer, number, committed_at)
  select $1, $2, now() where pg_current_xact_id_if_assigned() is not null
  on conflict (writer) do update set number = excluded.number, committed_at = excluded.committed_at`

// records of writers that have ended; one of a living writer is made again by its next commit
const removeOld = `delete from commit_records where committed_at < now() - interval '1 day'`
