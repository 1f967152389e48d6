import type { Client } from 'pg'
import { heldSince, heldSql } from '../../addresses/held-addresses.ts'
import type { HeldAddress } from '../../addresses/held-addresses.ts'
import { maxSilenceMs } from '../../jobs/nodes.ts'
import type { DatabaseFigures } from '../../shared-database.ts'
import { codeOf } from './errors.ts'
import { readFigures } from './figures.ts'
import { endLock, lockKeyOf } from './locks.ts'
import { processIdOf } from './pg-internals.ts'
import { maxConnections } from './pool.ts'
import { checkPostgres, onConnection, UnusableDatabase } from './reach.ts'

/** The state of a database of a PostgreSQL server. */
export type ServerInspection =
  /** The reason is a sentence with the way out. */
  | { kind: 'unreachable', reason: string }
  | {
    kind: 'server'
    isServed: boolean
    /** Names of the migrations that it has. */
    applied: string[]
    /** The verified domains of all accounts, each with the token of its TXT record. */
    domains: { domain: string, token: string }[]
    /** The active addresses that have names which were asked for. */
    held: HeldAddress[]
    facts: ServerFacts
  }

export interface ServerFacts {
  /** Such as 170004 for 17.4. */
  version: number
  /** Values by the names of the settings. */
  settings: Record<'fsync' | 'full_page_writes' | 'synchronous_commit' | 'synchronous_standby_names', string>
  /** Milliseconds by which the clock of the server is ahead of that of this machine, and by how much this may be wrong. */
  clock: { aheadMs: number, errorMs: number }
  /**
   * Connections that the server takes from users without special rights, those that are open, and the maximum of a node: with one thread
   * for small mail, and for each further one.
   */
  connections: { max: number, used: number, ofNode: number, ofThread: number }
  /** Nodes of Mayfly that are registered. */
  nodes: number
  bytes: number
  /** Undefined after a time-out of the query. */
  figures: DatabaseFigures | undefined
  /** Milliseconds of the longest of some waits for the lock that orders the commits of all nodes; 2,000 where it took longer. */
  lockMs: number
  /** `transactions` where a pooler gives a connection for a transaction only, so that locks and LISTEN of a session are lost. */
  pooler: 'none' | 'sessions' | 'transactions'
}

/** Looks at a database, also while servers have it open. */
export async function inspectPostgres(url: string, names: string[]): Promise<ServerInspection> {
  try {
    await checkPostgres(url)
    return await onConnection(url, async (client) => ({
      kind: 'server', ...await readContent(client, names), facts: { ...await readFacts(client), pooler: await findPooler(url, client) },
    }))
  } catch (error) {
    if (error instanceof UnusableDatabase) return { kind: 'unreachable', reason: error.message }
    throw error
  }
}

async function readContent(client: Client, names: string[]) {
  const has = async (table: string) => (await client.query<{ found: string | null }>('select to_regclass($1) as found', [table])).rows[0]!.found !== null
  const read = async <T extends object>(table: string, sql: string) => await has(table) ? (await client.query<T>(sql)).rows : []
  const applied = (await read<{ name: string }>('migrations', 'select name from migrations')).map(({ name }) => name)
  return {
    applied,
    domains: await read<{ domain: string, token: string }>('domains', "select domain, token from domains where status = 'verified' order by domain"),
    held: names.length > 0 && applied.includes(heldSince) ? await read<HeldAddress>('addresses', heldSql(names)) : [],
    isServed: await countNodes(client) > 0,
  }
}

/** A node that was killed is counted until it is silent for too long. */
async function countNodes(client: Client): Promise<number> {
  const { rows: [table] } = await client.query<{ found: string | null }>("select to_regclass('nodes') as found")
  if (table!.found === null) return 0
  const { rows: [nodes] } = await client.query<{ count: number }>(
    'select count(*) as count from nodes where beat_at > extract(epoch from clock_timestamp()) * 1000 - $1', [maxSilenceMs])
  return nodes!.count
}

async function readFacts(client: Client): Promise<Omit<ServerFacts, 'pooler'>> {
  const startedAt = Date.now()
  const { rows: [time] } = await client.query<{ now: number }>('select extract(epoch from clock_timestamp()) * 1000 as now')
  const endedAt = Date.now()
  const { rows: [row] } = await client.query<Record<'version' | 'max' | 'used' | 'bytes', number> & ServerFacts['settings']>(`select
    current_setting('server_version_num')::int as version,
    current_setting('fsync') as fsync,
    current_setting('full_page_writes') as full_page_writes,
    current_setting('synchronous_commit') as synchronous_commit,
    current_setting('synchronous_standby_names') as synchronous_standby_names,
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as max,
    (select sum(numbackends) from pg_stat_database)::int as used,
    pg_database_size(current_database()) as bytes`)
  const { version, max, used, bytes, ...settings } = row!
  return {
    version, bytes, settings,
    clock: { aheadMs: time!.now - (startedAt + endedAt) / 2, errorMs: (endedAt - startedAt) / 2 },
    connections: { max, used, ...maxConnections },
    nodes: await countNodes(client),
    figures: await readFigures(client).catch(() => undefined),
    lockMs: await measureLock(client),
  }
}

const maxLockMs = 2_000
const lockReads = 5

/** Takes the lock some times as a commit does, each time until the statement has ended. @returns the longest time in milliseconds */
async function measureLock(client: Client): Promise<number> {
  let longest = 0
  for (let i = 0; i < lockReads && longest < maxLockMs; i++) {
    const begun = performance.now()
    const error: unknown = await client.query(`set local lock_timeout = ${maxLockMs}; select pg_advisory_xact_lock(${lockKeyOf(endLock)})`)
      .then(() => undefined, (error: unknown) => error)
    if (error !== undefined && codeOf(error) !== '55P03') throw error // no lock in this time
    longest = Math.max(longest, error === undefined ? performance.now() - begun : maxLockMs)
  }
  return longest
}

/** A pooler gives ids of its own to sessions. In its transaction mode, a second session gets the process that the first has left. */
async function findPooler(url: string, first: Client): Promise<ServerFacts['pooler']> {
  const processOf = async (client: Client) => (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!.pid
  const pid = await processOf(first)
  if (pid === processIdOf(first)) return 'none'
  return onConnection(url, async (second) => await processOf(second) === pid ? 'transactions' : 'sessions')
}
