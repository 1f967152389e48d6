import type { PoolClient } from 'pg'
import type { Engine } from '../../engine.ts'
import { alone } from './alone.ts'
import { openArrivals } from './arrivals.ts'
import { openCallCounts } from './call-counts.ts'
import { openCommit } from './commit.ts'
import { toReader, toTransactions } from './connection.ts'
import { postgresDdl } from './ddl.ts'
import { openDueLanes } from './due-lanes.ts'
import { isFull, retryAfterMs, toAppError } from './errors.ts'
import { postgresLocks } from './locks.ts'
import { openNotices } from './notices.ts'
import { openPool, poolSizes } from './pool.ts'
import { readTime } from './read-time.ts'
import { sharePool } from './shared-pool.ts'
import { postgresSearch } from './search/postgres-search.ts'
import { watchConnections } from './watch-connections.ts'

export { checkPostgres } from './reach.ts'

/** Opens a database of a PostgreSQL server. @param url `postgres://user:password@host:port/name` */
export function openPostgres(url: string): Engine {
  const lost = () => {} // the pool opens another connection at the next use
  const readers = openPool(url, { max: poolSizes.readers, lost })
  const writers = openPool(url, { max: poolSizes.writers, lost, pipeline: true })
  const counters = openPool(url, { max: 1, lost, isFlushed: false })
  const arrivals = openPool(url, { max: 1, isKept: true, lost })
  const snapshots = openPool(url, { max: poolSizes.snapshots, lost })
  const pools = [readers, writers, snapshots, counters, arrivals]
  const endWatch = watchConnections(url, pools)
  return {
    reader: toReader(sharePool(readers, poolSizes.readers)),
    writer: toTransactions(writers, openCommit(readers)),
    pipelines: true,
    mergesUnions: false,
    snapshots: toTransactions(sharePool(snapshots, poolSizes.snapshots), { begin: (client: PoolClient) => client.query('begin isolation level repeatable read read only') }),
    ...postgresDdl,
    locks: postgresLocks,
    search: postgresSearch,
    file: null,
    shared: {
      alone: (work) => alone(url, work),
      arrivals: openArrivals(readers, arrivals),
      ...openCallCounts(counters),
      readTime: () => readTime(readers),
      openNotices: (receiver) => openNotices(url, receiver),
      dueLanes: openDueLanes(readers),
    },
    reserve: { isLow: () => false, release: () => false, refill: async () => {} },
    toAppError,
    isFull,
    retryAfterMs,
    close: () => Promise.all(pools.map((pool) => pool.end())).finally(endWatch), // a pool ends when its queries have ended
  }
}
