import type { Compilable, Kysely } from 'kysely'
import type { Schema } from '../schema/schema.ts'
import type { EndQueries } from './group-end.ts'
import { prepared } from './prepared.ts'

/** Numbers of rows for which a statement is compiled, so that there are few statements: 7 rows are 4, 2 and 1. */
const sizes = [64, 32, 16, 8, 4, 2, 1]

type Run = (at: EndQueries, values: Record<string, unknown>) => Promise<unknown>

/**
 * As `prepared`, for a statement with many rows. It is cut at the number of rows that is fastest with the engine.
 * @param columns of a row
 * @param build makes the statement for rows of placeholders
 */
export function preparedRows<Row extends object>(
  columns: readonly (keyof Row & string)[], build: (sql: Kysely<Schema>, rows: Row[]) => Compilable<never>,
): (at: EndQueries, rows: Row[]) => Promise<void> {
  const statements = new Map<number, Run>()

  function statementFor(size: number): Run {
    let statement = statements.get(size)
    if (!statement) {
      statement = prepared<Record<string, unknown>, never>((sql, value) => build(sql, Array.from({ length: size }, (_, i) =>
        Object.fromEntries(columns.map((column) => [column, value(nameOf(column, i))])) as Row)))
      statements.set(size, statement)
    }
    return statement
  }

  return async (at, rows) => {
    for (let from = 0; from < rows.length;) {
      const maxRows = Math.min(rows.length - from, at.engine.maxRowsAtOnce)
      const size = sizes.find((size) => size <= maxRows)!
      await statementFor(size)(at, valuesOf(rows.slice(from, from + size)))
      from += size
    }
  }
}

/** The name of a value: that of the column in the first row. */
const nameOf = (column: string, row: number) => row === 0 ? column : `${column} ${row}`

function valuesOf(rows: object[]): Record<string, unknown> {
  const values: Record<string, unknown> = { ...rows[0] }
  for (const [i, row] of rows.entries()) if (i > 0) for (const [column, value] of Object.entries(row)) values[nameOf(column, i)] = value
  return values
}
