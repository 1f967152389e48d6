import { isMainThread } from 'node:worker_threads'
import pg from 'pg'

export type Pool = pg.Pool

/** Connections for reads at once: of the main thread, for all requests, and of a thread of the intake, which mostly writes. */
const readers = { ofMain: 3, ofThread: 2 }
export const maxReaders = isMainThread ? readers.ofMain : readers.ofThread
/** Threads of the intake, with one for small mail. */
const threads = 4
/** Further connections of the main thread: for transactions, snapshots, counters of calls, and notices. */
const ownConnections = 4
/** With one for transactions. */
const ofThread = readers.ofThread + 1
/** Maximum connections of a process with one thread for small mail, and of each further one. */
export const maxConnections = { ofNode: readers.ofMain + ownConnections + threads * ofThread, ofThread }

export const connectTimeoutMs = 10_000
/** Settings of each connection. */
const sessionSettings = {
  timezone: 'UTC',
  client_min_messages: 'warning',
  // in place of those of a role or a database: migrations take long, and no change expects a serialization failure
  statement_timeout: 0,
  default_transaction_isolation: 'read\\ committed',
  jit: 'off', // JIT compilation takes longer than any of these queries
  // in milliseconds: a process that is suspended or cut off within a transaction would keep its locks, for which all others wait
  idle_in_transaction_session_timeout: 4_000,
  // in milliseconds; longer than the former, so that a wait outlasts a holder without work
  lock_timeout: 8_000,
  // in milliseconds: for a process that is cut off while the server sends to it
  tcp_user_timeout: 15_000,
  // in seconds: the server closes an idle connection whose client is unreachable 25 seconds after its last packet
  tcp_keepalives_idle: 10, tcp_keepalives_interval: 5, tcp_keepalives_count: 3,
}
/** Time without work after which a connection is closed. */
const idleMs = 30_000

/** Values that JavaScript receives: numbers as in SQLite, where there are no booleans. */
const parsers: Record<number, (text: string) => unknown> = {
  [pg.types.builtins.INT8]: Number,
  [pg.types.builtins.NUMERIC]: Number,
  [pg.types.builtins.BOOL]: (text) => Number(text === 't'),
}

const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary'): unknown =>
    (format !== 'binary' && parsers[oid]) || pg.types.getTypeParser(oid, format),
}

/** How to connect. `sslmode` has the meaning that it has in PostgreSQL's own programs: `require` encrypts, and trusts any certificate. */
export function settingsOf(database: string): pg.ClientConfig {
  const url = new URL(database)
  if (url.searchParams.has('sslmode')) url.searchParams.set('uselibpqcompat', 'true')
  return {
    connectionString: url.href,
    types,
    // Where the server has vanished, the kernel ends a connection that waits for an answer, or is not in use, in some 20 seconds. It sends
    // a statement that was not acknowledged for up to 15 minutes, and a balancer may acknowledge: `ConnectionWatch` finds these.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: 'mayfly',
    options: toOptions(sessionSettings),
  }
}

const toOptions = (settings: Record<string, string | number>) =>
  Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`).join(' ')

/** The types of pg leave out the time limit, in ms. */
interface QueryWithTimeout extends pg.QueryConfig {
  query_timeout: number
}

/** Lifts a limit that a role may have from PostgreSQL 17 on; an older server would refuse its name among the settings. */
export async function liftTimeLimit(client: pg.ClientBase): Promise<void> {
  const text = "select set_config('transaction_timeout', '0', false) where current_setting('transaction_timeout', true) is not null"
  const query: QueryWithTimeout = { text, query_timeout: connectTimeoutMs }
  await client.query(query)
}

interface PoolOptions {
  /** Connections at once. */
  max: number
  /** Called for connections that were lost while nothing used them. */
  lost: (error: Error) => void
  /** Whether a connection sends a query before the one before it is answered. */
  pipeline?: boolean
  /** Whether a commit waits until it is on the disk. */
  isFlushed?: boolean
}

/** Opens connections when they are used. */
export function openPool(url: string, { max, lost, pipeline = false, isFlushed = true }: PoolOptions): Pool {
  const pool = new pg.Pool({
    ...settingsOf(url),
    ...!isFlushed && { options: toOptions({ ...sessionSettings, synchronous_commit: 'off' }) },
    max,
    pipeline,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: idleMs,
    allowExitOnIdle: true,
    onConnect: liftTimeLimit,
  })
  pool.on('error', lost)
  // while a client is in use, its queries report that it is lost
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}
