import pg from 'pg'

export type Pool = pg.Pool

const connectTimeoutMs = 10_000
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

interface PoolOptions {
  /** Connections at once. */
  max: number
  /** Called for connections that were lost while nothing used them. */
  lost: (error: Error) => void
  /** Whether a connection sends a query before the one before it is answered. */
  pipeline?: boolean
}

/**
 * Opens connections when they are used.
 */
export function openPool(url: string, { max, lost, pipeline = false }: PoolOptions): Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    pipeline,
    types,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: idleMs,
    keepAlive: true,
    allowExitOnIdle: true,
    application_name: 'mayfly',
    options: '-c timezone=UTC -c client_min_messages=warning',
  })
  pool.on('error', lost)
  // while a client is in use, its queries report that it is lost
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}
