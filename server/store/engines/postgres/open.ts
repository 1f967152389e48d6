import type { PoolClient } from 'pg'
import type { Engine } from '../../engine.ts'
import { openCommit } from './commit.ts'
import { toReader, toTransactions } from './connection.ts'
import { postgresDdl } from './ddl.ts'
import { isFull, retryAfterMs, toAppError } from './errors.ts'
import { postgresLocks } from './locks.ts'
import { openPool, poolSizes } from './pool.ts'
import { postgresSearch } from './search/postgres-search.ts'

export { checkPostgres } from './reach.ts'

/** Opens a database of a PostgreSQL server. @param url `postgres://user:password@host:port/name` */
export function openPostgres(url: string): Engine {
  const lost = () => {} // the pool opens another connection at the next use
  const readers = openPool(url, { max: poolSizes.readers, lost })
  const writers = openPool(url, { max: poolSizes.writers, lost, pipeline: true })
  const snapshots = openPool(url, { max: poolSizes.snapshots, lost })
  return {
    reader: toReader(readers),
    writer: toTransactions(writers, openCommit(readers)),
    pipelines: true,
    snapshots: toTransactions(snapshots, { begin: (client: PoolClient) => client.query('begin isolation level repeatable read read only') }),
    ...postgresDdl,
    locks: postgresLocks,
    search: postgresSearch,
    file: null,
    reserve: { isLow: () => false, release: () => false, refill: async () => {} },
    toAppError,
    isFull,
    retryAfterMs,
    close: () => Promise.all([readers, writers, snapshots].map((pool) => pool.end())),
  }
}
