import { createHash } from 'node:crypto'
import { plainBytes } from './row-reader.ts'
import type { MovedTable, Row, RowPage, RowReader } from './sides.ts'

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
export async function digestTable(reader: RowReader, table: MovedTable, signal: AbortSignal): Promise<{ rows: number, hash: string }> {
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
