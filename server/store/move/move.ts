import { createHash } from 'node:crypto'
import type { Clock } from '../../clock.ts'
import { databaseLabel } from '../../database-url.ts'
import { inTransaction, openDatabase } from '../database.ts'
import type { Database, Tx } from '../database.ts'
import { inspectDatabase } from '../inspect.ts'
import { digestTable, quoted, readBatches } from './rows.ts'
import type { Row } from './rows.ts'
import { findTables } from './tables.ts'
import type { MovedTable } from './tables.ts'

export interface MoveOptions {
  /** Ends the move between two batches. It goes on where it was when it is called again. */
  signal: AbortSignal
  /** Gets the rows that a table has in the target, after each batch, and at the end of the table. */
  onRows(table: string, rows: number, isComplete: boolean): void
}

/**
 * Copies a database in a file, which no server may have open, to an empty database of a PostgreSQL server, and compares the two. Until the
 * end, no server starts on the target.
 * @returns rows by table
 * @throws Error whose message names `--from` or `--to`
 */
export async function moveDatabase(from: string, to: string, clock: Clock, options: MoveOptions): Promise<Record<string, number>> {
  await checkSource(from)
  const source = await openDatabase(from, clock, { migrate: false })
  try {
    claim(source)
    const target = await openDatabase(to, clock, { isMoveTarget: true })
    try {
      return await copyAll(source, target, databaseLabel(to), options)
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

async function checkSource(file: string) {
  const found = await inspectDatabase(file)
  if (found.kind === 'none') throw new Error(`--from: there is no file ${file}.`)
  if (found.kind === 'incomplete') throw new Error(`--from: ${file} ${found.reason}. ${found.wayOut}`)
  if (found.kind === 'unusable') throw new Error(`--from: ${file} cannot be opened: ${found.reason}`)
  if (found.kind !== 'usable') throw new Error('--from: is a file.')
  if (found.newer) throw new Error(`--from: ${file} ${found.newer}. Use that version.`)
  if (found.missing.length > 0) throw new Error(`--from: ${file} is of an older version. Bring it up to date first: MAYFLY_DATABASE=${file} mayfly migrate`)
}

function claim(source: Database) {
  try {
    source.engine.file!.claim()
  } catch (error) {
    const text = (error as Error).message.replace(/^MAYFLY_DATABASE: /, '--from: ').replace(/, or name another file\.$/, '.')
    throw new Error(text, { cause: error })
  }
}

async function copyAll(
  source: Database, target: Database, label: string, { signal, onRows }: MoveOptions,
): Promise<Record<string, number>> {
  const { rows: found } = await source.execute("select name from sqlite_schema where type = 'table'", [])
  const ours = new Set((found as { name: string }[]).map(({ name }) => name))
  const tables = (await findTables(target)).filter(({ name }) => ours.has(name)) // others may have tables there too
  await begin(source, target, tables, label)
  for (const table of tables) {
    let rows = await countRows(target, table)
    for await (const batch of readBatches(source, true, table, await lastKey(target, table))) {
      signal.throwIfAborted()
      await inTransaction(target, (tx) => insertRows(tx, table, batch))
      rows = table.key.length > 0 ? rows + batch.length : batch.length
      onRows(table.name, rows, false)
    }
    onRows(table.name, rows, true)
  }
  const rows: Record<string, number> = {}
  for (const table of tables) {
    const [before, after] = [await digestTable(source, true, table, signal), await digestTable(target, false, table, signal)]
    if (before.hash !== after.hash) {
      throw new Error(`--to: ${label} differs from the file in ${table.name}: ${before.rows} rows, and ${after.rows} in the target, or other values. `
        + 'The file has changed since the move began. Make the target empty, and begin again.')
    }
    rows[table.name] = after.rows
  }
  await end(source, target, tables)
  return rows
}

/** Marks the target, so that no server starts on it. @throws Error when it has other data, or the move of another file has begun */
async function begin(source: Database, target: Database, tables: MovedTable[], label: string) {
  const mark = await markOf(source)
  await inTransaction(target, async (tx) => {
    const { rows: [found] } = await tx.execute("select to_regclass('move_progress')::text as name", []) as { rows: { name: string | null }[] }
    if (found!.name !== null) {
      const { rows: [begun] } = await tx.execute('select source from move_progress', []) as { rows: { source: string }[] }
      if (begun!.source === mark) return
      throw new Error(`--to: the move of another file to ${label} is not finished. Go on with that file, or make the target empty.`)
    }
    for (const { name, key } of tables) {
      const { rows: [row] } = await tx.execute(`select exists (select 1 from ${quoted(name)}) as has_rows`, []) as { rows: { has_rows: number }[] }
      if (key.length > 0 && row!.has_rows) throw new Error(`--to: ${label} has data already. Name an empty database.`)
    }
    await tx.execute('create table move_progress (source text not null)', [])
    await tx.execute('insert into move_progress (source) values ($1)', [mark])
  })
}

/** Distinguishes databases: each has its own secrets. */
async function markOf(source: Database) {
  const { rows } = await source.execute('select name, applied_at from migrations order by name', [])
  const { rows: secrets } = await source.execute('select name, value from secrets order by name', [])
  return createHash('sha256').update(JSON.stringify([rows, secrets])).digest('hex')
}

async function countRows(target: Database, { name }: MovedTable): Promise<number> {
  const { rows: [row] } = await target.execute(`select count(*) as count from ${quoted(name)}`, []) as { rows: { count: number }[] }
  return row!.count
}

/** The key up to which a table is copied. */
async function lastKey(target: Database, { name, key }: MovedTable): Promise<Row | undefined> {
  if (key.length === 0) return undefined
  const keys = key.map(quoted)
  const { rows: [row] } = await target.execute(
    `select ${keys.join(', ')} from ${quoted(name)} order by ${keys.map((each) => `${each} desc`).join(', ')} limit 1`, []) as { rows: Record<string, Row[number]>[] }
  return row && key.map((column) => row[column]!)
}

async function insertRows(tx: Tx, { name, columns, key }: MovedTable, batch: Row[]) {
  if (key.length === 0) await tx.execute(`delete from ${quoted(name)}`, [])
  const list = columns.map((column) => quoted(column.name)).join(', ')
  const arrays = columns.map(({ type }, i) => `$${i + 1}::${type}[]`).join(', ')
  await tx.execute(`insert into ${quoted(name)} (${list}) select * from unnest(${arrays})`, columns.map((_, i) => batch.map((row) => row[i]!)))
}

/** Lets new rows have numbers above all that were given, also to rows that are removed: clients remember them. Then servers may start. */
async function end(source: Database, target: Database, tables: MovedTable[]) {
  const { rows: given } = await source.execute('select name, seq from sqlite_sequence', []) as { rows: { name: string, seq: number }[] }
  await inTransaction(target, async (tx) => {
    for (const { name, serial } of tables) {
      const last = given.find((each) => each.name === name)?.seq ?? 0
      if (serial && last > 0) await tx.execute('select setval(pg_get_serial_sequence($1, $2), $3)', [name, serial, last])
    }
    await tx.execute('drop table move_progress', [])
    await tx.execute('analyze', [])
  })
}
