import pg from 'pg'
import type { PoolClient } from 'pg'
import { processIdOf, socketOf, unref } from './pg-internals.ts'
import { settingsOf } from './pool.ts'
import type { Pool } from './pool.ts'

/**
 * Time in which a connection in use receives nothing, after which the server is asked for its process. Longer than
 * `idle_in_transaction_session_timeout`, and shorter than the time in which a change is repeated (`maxRepeatMs`).
 */
const silentMs = 5_000
const checkMs = 1_000
/** Maximum time to connect, and to answer. */
const askTimeoutMs = 5_000

interface Use {
  bytesRead: number
  /** Milliseconds of `performance.now()`. */
  silentSince: number
}

/**
 * Ends connections whose answers do not come: a server without power, or behind a network that is cut, closes none, and TCP sends again for
 * up to 15 minutes. A new connection asks which of their processes still work; long queries go on.
 */
export class ConnectionWatch {
  readonly #url: string
  readonly #open = new Set<PoolClient>()
  /** Of the connections in use. */
  readonly #uses = new Map<PoolClient, Use>()
  /** Checks the connections, while some are in use. */
  #timer: NodeJS.Timeout | undefined = undefined
  /** The connection that asks, while it does. */
  #asking: pg.Client | undefined = undefined

  constructor(url: string, pools: Pool[]) {
    this.#url = url
    for (const pool of pools) {
      pool.on('connect', (client) => this.#open.add(client))
      pool.on('remove', (client) => this.#open.delete(client))
      pool.on('acquire', (client) => {
        this.#uses.set(client, { bytesRead: socketOf(client).bytesRead, silentSince: performance.now() })
        this.#timer ??= setInterval(() => this.#check(), checkMs).unref()
      })
      pool.on('release', (_error, client) => this.#uses.delete(client))
    }
  }

  #check() {
    if (this.#uses.size === 0) return this.#stop()
    if (this.#asking) return
    const silent = [...this.#uses].filter(([client, use]) => isSilent(client, use))
    if (silent.length > 0) void this.#endLost(silent)
  }

  async #endLost(silent: [PoolClient, Use][]) {
    let working: Set<number> | undefined
    try {
      working = await this.#findWorking(silent.map(([client]) => processIdOf(client)))
    } catch {
      // no connection can be opened: the next check may find a server that has taken over
    }
    if (!working) return
    const lost = silent.filter(([client, use]) => {
      if (this.#uses.get(client) !== use || !isSilent(client, use)) return false // answered meanwhile
      use.silentSince = performance.now()
      return !working.has(processIdOf(client))
    })
    if (lost.length === 0) return
    for (const [client] of lost) end(client)
    // those that are not in use have probably become silent with them; the pool opens others
    for (const client of this.#open) if (!this.#uses.has(client)) end(client)
  }

  /** @returns the processes that work or have just answered, or undefined where a pooler has ids of its own */
  async #findWorking(processes: number[]): Promise<Set<number> | undefined> {
    const client = this.#asking = new pg.Client({
      ...settingsOf(this.#url), application_name: 'mayfly check', connectionTimeoutMillis: askTimeoutMs, query_timeout: askTimeoutMs,
    })
    client.on('error', () => {}) // the query fails too
    try {
      await client.connect()
      const own = processIdOf(client)
      const { rows } = await client.query<{ pid: number }>(working, [[...processes, own]])
      const found = new Set(rows.map(({ pid }) => pid))
      return found.has(own) ? found : undefined
    } finally {
      this.#asking = undefined
      unref(client)
      client.end().catch(() => {}) // it is lost
    }
  }

  #stop() {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  close(): void {
    this.#stop()
    if (this.#asking) socketOf(this.#asking).destroy()
  }
}

function isSilent(client: PoolClient, use: Use): boolean {
  const { bytesRead } = socketOf(client)
  if (bytesRead !== use.bytesRead) Object.assign(use, { bytesRead, silentSince: performance.now() })
  return performance.now() - use.silentSince > silentMs
}

/** Its query fails with a code that counts as lost: see `isLost`. */
function end(client: PoolClient) {
  socketOf(client).destroy(Object.assign(new Error('the connection to the database has become silent'), { code: 'ETIMEDOUT' }))
}

// An answer of the last 2 seconds may be on its way. The id may be that of another process at a server that has taken over.
const working = `
  select pid from pg_stat_activity
  where pid = any($1::int[]) and datname = current_database() and usename = session_user
    and not coalesce(state like 'idle%' and state_change < clock_timestamp() - interval '2 seconds', false)`
