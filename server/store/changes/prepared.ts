import type { Compilable, CompiledQuery, Kysely, QueryResult } from 'kysely'
import type { Queries } from '../connection.ts'
import type { Schema } from '../schema/schema.ts'
import type { Bound } from '../schema/values.ts'

/** `value('x')` is the placeholder of the value x. */
export interface Value<Values> {
  <K extends keyof Values>(name: K): Values[K]
  /** Of the owner for whom the query is compiled: `ownedBy` writes it into the query. */
  readonly bound: Bound | undefined
}

/** The placeholder of a value while a query is compiled. */
class Parameter {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/**
 * A query that is compiled once, on first use, and then runs with new values: compiling costs more than running. For an owner with a bound
 * it is compiled once for that bound. Its name begins with its SQL verb: `selectPage`.
 */
export function prepared<Values extends object, Row>(
  build: (sql: Kysely<Schema>, value: Value<Values>) => Compilable<Row>,
): (connection: Queries, values: Values) => Promise<QueryResult<Row>> {
  const unbound = new Map<unknown, CompiledQuery<Row>>()
  const ofBounds = new WeakMap<Bound, typeof unbound>()
  return async (connection, values) => {
    const engine = connection.sql.getExecutor().adapter.constructor // a process may use databases of several, and their SQL differs
    const { bound } = values as { bound?: Bound | undefined }
    let queries = unbound
    if (bound) ofBounds.set(bound, queries = ofBounds.get(bound) ?? new Map())
    let query = queries.get(engine)
    if (!query) {
      const value = Object.assign((name: PropertyKey) => new Parameter(String(name)) as never, { bound })
      queries.set(engine, query = build(connection.sql, value).compile())
    }
    const parameters: unknown[] = []
    for (const given of query.parameters) parameters.push(given instanceof Parameter ? values[given.name as keyof Values] : given)
    return connection.execute(query.sql, parameters)
  }
}

/**
 * As `prepared`, for a query with a list of values, such as `where id in (…)`. It is compiled for lengths that are powers of two; a list is
 * filled up with its last value.
 */
export function preparedForList<Item, Row>(
  build: (sql: Kysely<Schema>, list: Item[]) => Compilable<Row>,
): (connection: Queries, list: readonly Item[]) => Promise<Row[]> {
  const queries = new Map<number, (connection: Queries, values: Item[]) => Promise<QueryResult<Row>>>()
  return async (connection, list) => {
    if (list.length === 0) return []
    const length = 2 ** Math.ceil(Math.log2(list.length))
    const values = Array.from({ length }, (_, i) => list[Math.min(i, list.length - 1)]!)
    let query = queries.get(length)
    if (!query) queries.set(length, query = prepared<Item[], Row>((sql, value) => build(sql, values.map((_, i) => value(i)))))
    return (await query(connection, values)).rows
  }
}

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
  const statements = new Map<unknown, (string | undefined)[]>()

  function statementFor(size: number, at: Queries): string {
    const engine = at.sql.getExecutor().adapter.constructor
    let bySize = statements.get(engine)
    if (!bySize) statements.set(engine, bySize = [])
    const placeholders = () => Object.fromEntries(columns.map((column) => [column, ''])) as Row
    return bySize[size] ??= build(at.sql, Array<Row>(size).fill(placeholders())).compile().sql
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
