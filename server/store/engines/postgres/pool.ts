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

/**
 * Opens connections when they are used.
 * @param options.max connections at once
 * @param options.isKept whether a connection without work stays open
 * @param options.lost is told of connections that were lost while nothing used them
 */
export function openPool(
  url: string, { max, isKept = false, lost }: { max: number, isKept?: boolean, lost: (error: Error) => void },
): Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    types,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: isKept ? 0 : idleMs,
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
