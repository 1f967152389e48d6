import type { Connection } from '../../../server/store/connection.ts'

type Executor = Pick<Connection, 'execute'>

/** Runs SQL that no function of the server runs. @returns the rows */
export async function rawSql<Row = Record<string, unknown>>(
  connection: Executor, sql: string, parameters: readonly unknown[] = [],
): Promise<Row[]> {
  return (await connection.execute(sql, parameters)).rows
}

/** As `rawSql`, without waiting, so that nothing happens in between. Only with an engine in this process. */
export function rowsNow<Row = Record<string, unknown>>(connection: Executor, sql: string, parameters: readonly unknown[] = []): Row[] {
  const result = connection.execute(sql, parameters)
  if (result instanceof Promise) throw new Error('the engine of this database answers later')
  return result.rows
}
