import type { Compilable, Kysely } from 'kysely'
import type { Schema } from '../schema/schema.ts'
import { byEngine } from './prepared.ts'
import type { Queries } from './queries.ts'

/** Numbers of rows for which a statement is compiled, the maximum first, so that there are few statements: 7 rows are 4, 2 and 1. */
const sizes = [64, 32, 16, 8, 4, 2, 1]

/**
 * Inserts many rows with few statements, which are compiled once, and sent one after the other. In SQLite too, many rows take less time
 * than a statement for each.
 * @param columns of a row, in the order of the values
 * @param build makes the statement, whose only values are those of the rows
 */
export function preparedRows<Row extends object>(
  columns: readonly (keyof Row & string)[], build: (sql: Kysely<Schema>, rows: Row[]) => Compilable<never>,
): (at: Queries, rows: Row[]) => Promise<unknown> {
  const statementsOf = byEngine<Map<number, string>>()

  function statementFor(size: number, at: Queries): string {
    const statements = statementsOf(at, () => new Map())
    let statement = statements.get(size)
    if (statement === undefined) {
      const placeholders = Object.fromEntries(columns.map((column) => [column, ''])) as Row
      statement = build(at.sql, Array<Row>(size).fill(placeholders)).compile().sql
      statements.set(size, statement)
    }
    return statement
  }

  return async (at, rows) => {
    const sent: unknown[] = []
    for (let from = 0; from < rows.length;) {
      const left = rows.length - from
      const size = sizes.find((size) => size <= left)!
      const values: unknown[] = []
      for (let i = from; i < from + size; i++) for (const column of columns) values.push(rows[i]![column])
      sent.push(at.execute(statementFor(size, at), values))
      from += size
    }
    return Promise.all(sent)
  }
}
