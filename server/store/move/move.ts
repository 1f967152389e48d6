import { createHash } from 'node:crypto'
import type { Clock } from '../../clock.ts'
import { databaseLabel } from '../../config/database-url.ts'
import type { OnProgress } from '../backup-options.ts'
import { openDatabase } from '../database.ts'
import type { Database } from '../database.ts'
import { openMoveTarget } from '../engines/postgres/move-target.ts'
import { openMoveSource } from '../engines/sqlite/move-source.ts'
import { inspectDatabase } from '../inspect.ts'
import { plainBytes } from './row-reader.ts'
import type { BeginRefusal, FoundTable, MovedTable, MoveSource, MoveTarget, Row, RowPage, RowReader } from './sides.ts'

export interface MoveOptions {
  /** Ends the move between two batches. It goes on where it was when it is called again. */
  signal: AbortSignal
  /** Gets the rows that a table has in the target, after each batch, and at the end of the table. */
  onRows(table: string, rows: number, isComplete: boolean): void
  /** Gets the rows of all tables that the target has, of those of the source. */
  onProgress?: OnProgress | undefined
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
      return await moveTables(openMoveSource(source), openMoveTarget(target), databaseLabel(to), options)
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

/** The tables of a database of PostgreSQL. */
export const findTables = (db: Database): Promise<FoundTable[]> => openMoveTarget(db).findTables()

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

async function moveTables(source: MoveSource, target: MoveTarget, label: string, options: MoveOptions): Promise<Record<string, number>> {
  const tables = chooseTables(await target.findTables(), await source.listTables())
  const refusal = await target.begin(await source.readFingerprint(), tables)
  if (refusal) throw new Error(refusals[refusal](label))
  await copyTables(source, target, tables, options)
  const rows: Record<string, number> = {}
  for (const table of tables) rows[table.name] = await compareTable(source, target, table, label, options)
  await target.end(tables, await source.readLastNumbers())
  return rows
}

async function copyTables(source: MoveSource, target: MoveTarget, tables: MovedTable[], options: MoveOptions) {
  let total = 0
  for (const table of tables) total += await source.countRows(table)
  let before = 0
  for (const table of tables) {
    let inTable = 0
    await copyTable(source, target, table, {
      ...options,
      onRows(name, rows, isComplete) {
        inTable = rows
        options.onProgress?.(before + rows, total)
        options.onRows(name, rows, isComplete)
      },
    })
    before += inTable
  }
}

const refusals: Record<BeginRefusal, (label: string) => string> = {
  otherSource: (label) => `--to: the move of another file to ${label} is not finished. Go on with that file, or make the target empty.`,
  hasRows: (label) => `--to: ${label} has data already. Name an empty database.`,
}

/** Copies the rows that the target does not have yet, each batch in a transaction. @throws the reason of the signal */
async function copyTable(source: MoveSource, target: MoveTarget, table: MovedTable, { signal, onRows }: MoveOptions) {
  let rows = await target.countRows(table)
  for await (const batch of readBatches(source, table, await target.findLastKey(table))) {
    signal.throwIfAborted()
    await target.insertRows(table, batch)
    rows = table.key.length > 0 ? rows + batch.length : batch.length
    onRows(table.name, rows, false)
  }
  onRows(table.name, rows, true)
}

/** @returns the rows of a table @throws Error when the two sides differ, or the reason of the signal */
async function compareTable(
  source: MoveSource, target: MoveTarget, table: MovedTable, label: string, { signal }: MoveOptions,
): Promise<number> {
  const [before, after] = [await digestTable(source, table, signal), await digestTable(target, table, signal)]
  if (before.hash === after.hash) return after.rows
  throw new Error(`--to: ${label} differs from the file in ${table.name}: ${before.rows} rows, and ${after.rows} in the target, or other values. `
    + 'The file has changed since the move began. Make the target empty, and begin again.')
}

/**
 * Tables that both databases have, and that are not copied: applied migrations, nodes, the version of the keys, and the full-text index,
 * which the server makes again.
 */
const left = /^(migrations|nodes|api_key_version|email_search.*)$/

/**
 * Chooses the tables to copy: those that the source has too, since other programs may have tables in the target.
 * @returns each table after those that its rows refer to
 */
function chooseTables(found: FoundTable[], namesOfSource: string[]): MovedTable[] {
  const chosen = new Map(found.filter(({ name }) => namesOfSource.includes(name) && !left.test(name)).map((table) => [table.name, table]))
  const ordered = new Set<FoundTable>()
  const add = (table: FoundTable) => {
    for (const name of table.references) {
      const other = chosen.get(name)
      if (other && other !== table && !ordered.has(other)) add(other)
    }
    ordered.add(table)
  }
  for (const table of chosen.values()) add(table)
  return [...ordered]
}

/** Bytes of a batch that are aimed at; a batch of several rows has at most four times as many. */
const batchBytes = 4 * 1024 * 1024
/** Limits of the rows of a batch. */
const [firstRows, maxRows] = [50, 2_000]

/**
 * Reads a table in the order of its primary key, in batches of some megabytes.
 * @param after the key after which it begins
 */
export async function* readBatches(reader: RowReader, table: MovedTable, after?: Row): AsyncGenerator<Row[]> {
  let page: RowPage = { after, limit: firstRows }
  for (;;) {
    page = await withinBytes(reader, table, page)
    const batch = await reader.readRows(table, page)
    if (batch.length > 0) yield batch
    if (batch.length < page.limit || table.key.length === 0) return
    page = { after: keyOf(batch.at(-1)!, table), limit: nextLimit(batch) }
  }
}

/** Lowers the limit of a page until its rows are small enough to be read at once, or it has one row. */
async function withinBytes(reader: RowReader, table: MovedTable, { after, limit }: RowPage): Promise<RowPage> {
  const bytes = await reader.countBytes(table, { after, limit })
  if (limit === 1 || bytes <= 4 * batchBytes) return { after, limit }
  return withinBytes(reader, table, { after, limit: Math.max(1, Math.floor(limit * batchBytes / bytes)) })
}

/** The rows that have `batchBytes` if they are as long as those of the last batch. */
const nextLimit = (batch: Row[]) => Math.min(maxRows, Math.max(1, Math.ceil(batch.length * batchBytes / sizeOf(batch))))

const sizeOf = (batch: Row[]) => batch.flat().reduce<number>((sum, value) =>
  sum + (typeof value === 'string' || value instanceof Uint8Array ? value.length : plainBytes), 1)

const keyOf = (row: Row, { columns, key }: MovedTable): Row =>
  key.map((name) => row[columns.findIndex((column) => column.name === name)]!)

/** Counts the rows of a table, and hashes them. @throws the reason of the signal */
async function digestTable(reader: RowReader, table: MovedTable, signal: AbortSignal): Promise<{ rows: number, hash: string }> {
  const hash = createHash('sha256')
  let rows = 0
  for await (const batch of readBatches(reader, table)) {
    signal.throwIfAborted()
    rows += batch.length
    for (const row of batch) {
      hash.update(JSON.stringify(row.map((value) => value instanceof Uint8Array ? { bytes: value.length } : value)))
      for (const value of row) {
        if (value instanceof Uint8Array) hash.update(value)
      }
    }
  }
  return { rows, hash: hash.digest('hex') }
}
