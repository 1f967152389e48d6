import { createHash } from 'node:crypto'
import { PostgresDialect } from 'kysely'
import type { PoolClient, QueryResult } from 'pg'
import type { Connection } from '../../connection.ts'
import { withoutNul } from '../../move/row-reader.ts'
import { isLost, isStale } from './errors.ts'
import { socketOf } from './pg-internals.ts'
import type { Pool } from './pool.ts'
import type { SharedPool } from './shared-pool.ts'

/** The engine closes its pools. */
const end = async () => {}

/** A connection for queries without a transaction: each takes a client of the pool. */
export function toReader(pool: SharedPool): Connection {
  const query = (text: string, values: readonly unknown[]) => pool.query(toQuery(text, values)).catch(failed)
  return {
    dialect: new PostgresDialect({ pool: { connect: () => pool.connect(), end, options: pool.options } }),
    execute: async (text, values) => toResult(await query(text, values).catch((error: unknown) => {
      if (isStale(error)) return query(text, values)
      throw error
    })),
  }
}

const noRows = { rows: [] }

/** Takes the place of `begin` or `commit` of a transaction. Its result is not read. */
export type Step = (client: PoolClient) => Promise<unknown>

/** A connection for one transaction at a time: `execute` runs in the transaction that Kysely has begun. */
export function toTransactions(pool: Pool | SharedPool, steps: Partial<Record<'begin' | 'commit', Step>>): Connection {
  let current: PoolClient | undefined
  const { begin = (client: PoolClient) => client.query('begin'), commit = (client: PoolClient) => client.query('commit') } = steps
  const release = (isBroken = false) => {
    current?.release(isBroken)
    current = undefined
  }
  /** Begins on another connection when the server has ended this one meanwhile: nothing was done yet. */
  const beginOnLive = (client: PoolClient) => begin(client).catch(async (error: unknown) => {
    if (!isLost(error)) throw error
    release(true)
    return begin(current = await pool.connect())
  })
  const connect = async () => {
    current = await pool.connect()
    return {
      query(text: string, values: readonly unknown[] = []) {
        if (!current) throw new Error('the connection is released')
        gather(current)
        if (text === 'begin') return beginOnLive(current).then(() => noRows)
        return text === 'commit' ? commit(current).then(() => noRows) : current.query(toQuery(text, values)).catch(failed)
      },
      release: () => { release() },
    }
  }
  return {
    dialect: new PostgresDialect({ pool: { connect, end, options: pool.options } as never }),
    async execute(text, values) {
      if (!current) throw new Error('no transaction is open')
      gather(current)
      return toResult(await current.query(toQuery(text, values)).catch(failed))
    },
  }
}

/** The query is repeated with statements of new names; in a transaction with all of it: see `retryAfterMs`. */
function failed(error: unknown): never {
  if (isStale(error)) renameStatements()
  throw error
}

/** Passes the statements of one turn of the event loop to the network together. */
function gather(client: PoolClient) {
  const stream = socketOf(client)
  if (stream.writableCorked > 0) return
  stream.cork()
  process.nextTick(() => stream.uncork())
}

/** Names of statements that the server keeps, by their text. */
const names = new Map<string, string>()
let renamed = 0
const maxNames = 500
/** A list of values or rows: a query has another text for each length, so it has no name. */
const list = / in \((\$\d+, ){4}|\), \(\$\d/

/** Has the server prepare all statements again: a newer version has changed the columns of a table, and those with `*` fail. */
function renameStatements() {
  renamed++
  names.clear()
}

function toQuery(text: string, values: readonly unknown[]) {
  const storable = values.map((value) => typeof value === 'string' ? withoutNul(value) : value)
  if (storable.length === 0) return { text, values: storable }
  let name = names.get(text)
  if (!name && names.size < maxNames && !list.test(text)) names.set(text, name = createHash('sha256').update(`${renamed} ${text}`).digest('base64url').slice(0, 32))
  return { text, values: storable, ...name && { name } }
}

const toResult = ({ rows, rowCount }: QueryResult) => ({ rows: rows as never[], numAffectedRows: BigInt(rowCount ?? 0) })
