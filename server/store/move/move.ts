import type { Clock } from '../../clock.ts'
import { databaseLabel } from '../../database-url.ts'
import { openDatabase } from '../database.ts'
import type { Database } from '../database.ts'
import { openMoveTarget } from '../engines/postgres/move-target.ts'
import { openMoveSource } from '../engines/sqlite/move-source.ts'
import { inspectDatabase } from '../inspect.ts'
import { digestTable, readBatches } from './batches.ts'
import type { BeginRefusal, MovedTable, MoveSource, MoveTarget } from './sides.ts'
import { chooseTables } from './tables.ts'

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
      return await moveTables(openMoveSource(source), openMoveTarget(target), databaseLabel(to), options)
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

async function moveTables(source: MoveSource, target: MoveTarget, label: string, options: MoveOptions): Promise<Record<string, number>> {
  const tables = chooseTables(await target.findTables(), await source.listTables())
  const refusal = await target.begin(await source.readFingerprint(), tables)
  if (refusal) throw new Error(refusals[refusal](label))
  for (const table of tables) await copyTable(source, target, table, options)
  const rows: Record<string, number> = {}
  for (const table of tables) rows[table.name] = await compareTable(source, target, table, label, options)
  await target.end(tables, await source.readLastNumbers())
  return rows
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
