import { sql as raw } from 'kysely'
import type { Kysely } from 'kysely'
import type { EndStep } from '../engine.ts'
import type { CountTables } from '../schema/counts.ts'
import type { Schema } from '../schema/schema.ts'
import { prepared, preparedRows } from './prepared.ts'

/** A table of counters: the columns of its primary key, and those that are added up. */
interface CounterTable<Row> {
  table: keyof CountTables
  key: readonly (keyof Row & string)[]
  amounts: readonly (keyof Row & string)[]
}

/**
 * Adds to counters at the end of a group of changes: the amounts are added up for each row, and the rows are locked in the order of their
 * keys, so that two nodes cannot wait for one another. A sum that only subtracts inserts no row: where the row is removed, so are the
 * things that it counted.
 */
export function counterStep<Row extends object>({ table, key, amounts }: CounterTable<Row>): EndStep<Row> {
  const upsert = preparedRows<Row>([...key, ...amounts], (sql, rows) => sql.insertInto(table).values(rows)
    .onConflict((conflict) => conflict.columns(key as never).doUpdateSet(Object.fromEntries(amounts.map((column) =>
      [column, raw`${raw.ref(`${table}.${column}`)} + ${raw.ref(`excluded.${column}`)}`])))))
  const update = prepared<Row, never>((sql, value) => {
    const set = Object.fromEntries(amounts.map((column) => [column, raw`${raw.ref(column)} + ${value(column)}`]))
    return key.reduce((query, column) => query.where(raw.ref<unknown>(column), '=', value(column)), updateOf(sql, table).set(set as never))
  })

  return {
    name: table,
    async write(at, changes) {
      const sent: Promise<unknown>[] = []
      let increases: Row[] = []
      const sendIncreases = () => {
        if (increases.length > 0) sent.push(upsert(at, increases))
        increases = []
      }
      for (const sum of sumUp(changes, key, amounts)) {
        if (amounts.some((column) => Number(sum[column]) > 0)) {
          increases.push(sum)
        } else {
          sendIncreases()
          sent.push(update(at, sum))
        }
      }
      sendIncreases()
      return Promise.all(sent)
    },
  }
}

/** All tables of counters are updated alike; Kysely has no type for one of several. */
const updateOf = (sql: Kysely<Schema>, table: keyof CountTables) => sql.updateTable(table as 'totals')

/** @returns the sum of each key, without zeros, in the order of the keys */
function sumUp<Row extends object>(changes: Row[], key: readonly (keyof Row)[], amounts: readonly (keyof Row)[]): Row[] {
  const sums = new Map<string, Row>()
  for (const change of changes) {
    let id = ''
    for (const column of key) id += `${String(change[column])}\t`
    const sum = sums.get(id)
    if (sum) for (const column of amounts) sum[column] = Number(sum[column]) + Number(change[column]) as never
    else sums.set(id, { ...change })
  }
  return [...sums.keys()].sort().map((id) => sums.get(id)!).filter((sum) => amounts.some((column) => sum[column] !== 0))
}
