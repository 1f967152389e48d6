import { createHash } from 'node:crypto'
import type { Queries } from '../changes/queries.ts'
import type { MovedTable } from './tables.ts'

/** The values of a row, in the order of the columns. */
export type Row = (string | number | Uint8Array | null)[]

/** Bytes of a batch that are aimed at; a batch of several rows has at most four times as many. */
const batchBytes = 4 * 1024 * 1024
/** Limits of the rows of a batch. */
const [firstRows, maxRows] = [50, 2_000]

/**
 * Reads a table in the order of its primary key, in batches of some megabytes.
 * @param isFile whether `db` is a file
 * @param after the key after which it begins
 */
export async function* readBatches(db: Queries, isFile: boolean, { name, columns, key }: MovedTable, after?: Row): AsyncGenerator<Row[]> {
  const list = columns.map((column) => quoted(column.name)).join(', ')
  const keys = key.map(quoted).join(', ')
  const places = key.map((_, i) => isFile ? '?' : `$${i + 1}`).join(', ')
  const sizes = columns.map((column) => ['text', 'bytea'].includes(column.type) ? `coalesce(octet_length(${quoted(column.name)}), 0)` : '8').join(' + ')
  let limit = firstRows
  for (let last = after; ;) {
    const where = last ? `where (${keys}) > (${places})` : ''
    const rowsOf = (selected: string) => `select ${selected} from ${quoted(name)} ${where} ${key.length > 0 ? `order by ${keys} limit ${limit}` : ''}`
    for (;;) { // the length of a value is found without reading the value
      const { rows: [found] } = await db.execute(`select coalesce(sum(size), 0) as bytes from (${rowsOf(`${sizes} as size`)}) as batch`, last ?? [])
      const { bytes } = found as unknown as { bytes: number }
      if (limit === 1 || bytes <= 4 * batchBytes) break
      limit = Math.max(1, Math.floor(limit * batchBytes / bytes))
    }
    const { rows } = await db.execute(rowsOf(list), last ?? [])
    const batch = (rows as Record<string, Row[number]>[]).map((row) => columns.map((column) => storable(row[column.name]!)))
    if (batch.length > 0) yield batch
    if (batch.length < limit || key.length === 0) return
    last = keyOf(batch.at(-1)!, { columns, key })
    limit = Math.min(maxRows, Math.max(1, Math.ceil(batch.length * batchBytes / sizeOf(batch))))
  }
}

const keyOf = (row: Row, { columns, key }: Pick<MovedTable, 'columns' | 'key'>): Row =>
  key.map((name) => row[columns.findIndex((column) => column.name === name)]!)

/** As the target stores it, which has no NUL character in a text. */
const storable = (value: Row[number]) => typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value

const sizeOf = (batch: Row[]) => batch.flat().reduce<number>((sum, value) =>
  sum + (typeof value === 'string' || value instanceof Uint8Array ? value.length : 8), 1)

export const quoted = (name: string): string => `"${name}"`

/** Counts the rows of a table, and hashes them. */
export async function digestTable(
  db: Queries, isFile: boolean, table: MovedTable, signal: AbortSignal,
): Promise<{ rows: number, hash: string }> {
  const hash = createHash('sha256')
  let rows = 0
  for await (const batch of readBatches(db, isFile, table)) {
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
