import type { Queries } from '../connection.ts'
import type { Database, Tx } from '../database.ts'
import { quoted, quotedList } from './row-reader.ts'
import type { MovedTable, Row } from './sides.ts'

/** The two databases of a move. */
export interface Sides {
  source: Database
  target: Database
}

/** Rows of a table by their keys as JSON, each with a digest of its values. */
type Digests = Map<string, string>

/** The rows that the target needs to be as the source, by their keys as JSON. */
interface Difference {
  added: string[]
  changed: string[]
  removed: string[]
}

export interface CopyOptions {
  /** The column by whose values the rows are found. */
  by: string
  ids: string[]
  /** Whether rows never change: only their keys are compared. */
  isConstant?: boolean | undefined
  signal: AbortSignal
}

/** The column of the account. */
const owner = 'account_id'
/** Ids of one query. */
const maxIds = 2_000
/** Rows whose keys and digests are compared at once. */
const maxCompared = 10_000
/** Rows of one batch, by tables with long ones. */
const maxRows: Record<string, number> = { messages: 50, message_chunks: 16, message_excerpts: 100, webhook_deliveries: 100 }

/** Has the target have the same rows as the source, and removes the others. @returns how many differed */
export async function copyRows({ source, target }: Sides, table: MovedTable, options: CopyOptions): Promise<number> {
  let count = 0
  for (const ids of inParts(options.ids, maxIds)) {
    for (const range of await findRanges(source, table, { ...options, ids })) {
      const [before, after] = await Promise.all([source, target].map((db) => readDigests(db, table, { ...options, ids, range })))
      const { added, changed, removed } = compare(before!, after!)
      for (const keys of inParts(removed, maxIds)) await target.commit((tx) => removeRows(tx, table, keys))
      await copyByKeys({ source, target }, table, [...added, ...changed], options.signal)
      count += added.length + changed.length + removed.length
    }
  }
  return count
}

/** Keys above `after` and up to `end`; undefined without a bound. */
interface KeyRange {
  after: Row | undefined
  end: Row | undefined
}

/** Divides all keys into ranges, each with at most `maxCompared` of the rows that a database has at the moment. */
async function findRanges(db: Queries, { name, key }: MovedTable, { by, ids }: Pick<CopyOptions, 'by' | 'ids'>): Promise<KeyRange[]> {
  const numbered = `select json_build_array(${quotedList(key)})::text as key, row_number() over (order by ${quotedList(key)}) as number
    from ${quoted(name)} where ${quoted(by)} = any ($1)`
  const sql = `select key from (${numbered}) as numbered where number % ${maxCompared} = 0 order by number`
  const { rows } = await db.execute(sql, [ids]) as { rows: { key: string }[] }
  const ends = rows.map((row) => JSON.parse(row.key) as Row)
  return [...ends, undefined].map((end, i) => ({ after: ends[i - 1], end }))
}

/** As `copyRows`, for rows that never change and are removed by others: only those that the target lacks are copied. */
export async function addRows({ source, target }: Sides, table: MovedTable, options: CopyOptions): Promise<number> {
  const part = { ...options, isConstant: true }
  const [before, after] = await Promise.all([source, target].map((db) => readDigests(db, table, part)))
  const { added } = compare(before!, after!)
  await copyByKeys({ source, target }, table, added, options.signal)
  return added.length
}

async function copyByKeys({ source, target }: Sides, table: MovedTable, keys: string[], signal: AbortSignal) {
  for (const part of inParts(keys, maxRows[table.name] ?? 500)) {
    signal.throwIfAborted()
    const rows = await readRows(source, table, part)
    if (rows.length > 0) await target.commit((tx) => putRows(tx, table, rows))
  }
}

interface DigestOptions extends Omit<CopyOptions, 'signal'> {
  range?: KeyRange
}

/** Reads the keys and digests of the rows that have one of some ids in a column. */
export async function readDigests(db: Queries, table: MovedTable, { by, ids, isConstant, range }: DigestOptions): Promise<Digests> {
  const { name, columns, key } = table
  const digest = isConstant ? `''` : `md5(row(${quotedList(columns.map((column) => column.name))})::text)`
  const bounds = [['>', range?.after], ['<=', range?.end]] as const
  const values: unknown[] = [ids]
  const isWithin = bounds.flatMap(([operator, bound]) => {
    if (!bound) return []
    values.push(...bound)
    const first = values.length - bound.length + 1
    return `and (${quotedList(key)}) ${operator} (${keyTypes(table).map((type, i) => `$${first + i}::${type}`).join(', ')})`
  })
  const sql = `select json_build_array(${quotedList(key)})::text as key, ${digest} as digest from ${quoted(name)}
    where ${quoted(by)} = any ($1) ${isWithin.join(' ')}`
  const { rows } = await db.execute(sql, values) as { rows: { key: string, digest: string }[] }
  return new Map(rows.map((row) => [row.key, row.digest]))
}

export function compare(before: Digests, after: Digests): Difference {
  const keys = [...before.keys()]
  return {
    added: keys.filter((key) => !after.has(key)),
    changed: keys.filter((key) => after.has(key) && after.get(key) !== before.get(key)),
    removed: [...after.keys()].filter((key) => !before.has(key)),
  }
}

/** @param keys as JSON @returns the rows that are there, with their values in the order of the columns */
export async function readRows(db: Queries, table: MovedTable, keys: string[]): Promise<Row[]> {
  const names = table.columns.map(({ name }) => name)
  const { rows } = await db.execute(`select ${quotedList(names)} from ${quoted(table.name)} where ${hasKey(table)}`, keyValues(table, keys)) as
    { rows: Record<string, Row[number]>[] }
  return rows.map((row) => names.map((name) => row[name]!))
}

/** Inserts rows, or replaces those with the same key, except rows of other accounts. */
export async function putRows(tx: Tx, { name, columns, key }: MovedTable, rows: Row[]): Promise<void> {
  const arrays = columns.map(({ type }, i) => `$${i + 1}::${type}[]`).join(', ')
  const others = columns.filter((column) => !key.includes(column.name)).map((column) => `${quoted(column.name)} = excluded.${quoted(column.name)}`)
  const isOwned = columns.some((column) => column.name === owner)
  const own = isOwned ? `where coalesce(${quoted(name)}.${owner}, excluded.${owner}) = excluded.${owner}` : ''
  const update = others.length > 0 ? `update set ${others.join(', ')} ${own}` : 'nothing'
  await tx.execute(`insert into ${quoted(name)} (${quotedList(columns.map((column) => column.name))}) select * from unnest(${arrays})
    on conflict (${quotedList(key)}) do ${update}`, columns.map((_, i) => rows.map((row) => row[i])))
}

async function removeRows(tx: Tx, table: MovedTable, keys: string[]) {
  await tx.execute(`delete from ${quoted(table.name)} where ${hasKey(table)}`, keyValues(table, keys))
}

const hasKey = (table: MovedTable) =>
  `(${quotedList(table.key)}) in (select * from unnest(${keyTypes(table).map((type, i) => `$${i + 1}::${type}[]`).join(', ')}))`

const keyTypes = ({ key, columns }: MovedTable) => key.map((name) => columns.find((column) => column.name === name)!.type)

function keyValues({ key }: MovedTable, keys: string[]) {
  const values = keys.map((text) => JSON.parse(text) as Row)
  return key.map((_, i) => values.map((value) => value[i]))
}

export function* inParts<T>(items: T[], length: number): Generator<T[]> {
  for (let start = 0; start < items.length; start += length) yield items.slice(start, start + length)
}
