import type { Compilable, CompiledQuery, Kysely, QueryResult } from 'kysely'
import type { Queries } from './queries.ts'
import type { Schema } from '../schema/schema.ts'

/** `value('x')` is the placeholder of the value x. */
export type Value<Values> = <K extends keyof Values>(name: K) => Values[K]

/** The placeholder of a value while a query is compiled. */
class Parameter {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/**
 * A query that is compiled once, on first use, and then runs with new values: compiling costs more than running. Its name begins with its
 * SQL verb: `selectPage`.
 */
export function prepared<Values extends object, Row>(
  build: (sql: Kysely<Schema>, value: Value<Values>) => Compilable<Row>,
): (connection: Queries, values: Values) => Promise<QueryResult<Row>> {
  const queries = byEngine<CompiledQuery<Row>>()
  return async (connection, values) => {
    const query = queries(connection, () => build(connection.sql, (name) => new Parameter(String(name)) as never).compile())
    const parameters = query.parameters.map((p) => p instanceof Parameter ? values[p.name as keyof Values] : p)
    return connection.execute(query.sql, parameters)
  }
}

/** Keeps a value for each engine: a process may use databases of several, and their SQL differs. */
export function byEngine<Value>(): (connection: Queries, make: () => Value) => Value {
  let lastEngine: unknown
  let last: Value
  const all = new Map<unknown, Value>()
  return ({ sql }, make) => {
    const engine = sql.getExecutor().adapter.constructor
    if (engine !== lastEngine) {
      last = all.get(engine) ?? make()
      all.set(engine, last)
      lastEngine = engine
    }
    return last
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
