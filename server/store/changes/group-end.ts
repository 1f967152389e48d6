import { sql as raw } from 'kysely'
import type { Kysely } from 'kysely'
import type { MaybePromise } from '../connection.ts'
import { endStepOrder } from '../engine.ts'
import type { EndQueries, EndStep } from '../engine.ts'
import type { CountTables } from '../schema/counts.ts'
import type { Schema } from '../schema/schema.ts'
import { prepared, preparedRows } from './prepared.ts'

/** The items that the changes of a group leave for its end. */
export interface GroupEnd {
  add<Item>(step: EndStep<Item>, item: Item): void
  /**
   * Sends the statements of the steps that have items, after the last change and before the commit.
   * @returns when all are sent, with a promise that resolves when they were executed
   */
  send(at: EndQueries): Promise<{ executed: Promise<unknown> }>
}

/** Waits until all have ended. @throws the error of the first one in the list that failed */
export async function settleOrThrow(work: MaybePromise<unknown>[]): Promise<void> {
  for (const result of await Promise.allSettled(work)) if (result.status === 'rejected') throw result.reason
}

export function openGroupEnd(): GroupEnd {
  const added = new Map<string, { step: EndStep<never>, items: unknown[] }>()
  return {
    add(step, item) {
      const known = added.get(step.name)
      if (known) known.items.push(item)
      else added.set(step.name, { step, items: [item] })
    },
    async send(at) {
      if (added.size === 0) return { executed: Promise.resolve() }
      const sent: MaybePromise<unknown>[] = [at.engine.locks.lockEnd(at)]
      for (const name of endStepOrder) {
        const { step, items } = added.get(name) ?? {}
        if (!step) continue
        sent.push(step.write(at, items as never[]))
        if (step.reads) await settleOrThrow(sent)
      }
      return { executed: settleOrThrow(sent) }
    },
  }
}

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
