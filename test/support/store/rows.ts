import type { Selectable } from 'kysely'
import type { Schema } from '../../../server/store/schema/schema.ts'
import type { TestApp } from '../app.ts'
import { testEngineOf } from './engines.ts'
import { rawSql } from './raw-sql.ts'

type CamelCase<Name extends string> = Name extends `${infer Word}_${infer Rest}` ? `${Word}${Capitalize<CamelCase<Rest>>}` : Name

/** A row of a table as it is stored, with the names of its columns in camelCase. */
export type Row<Table extends keyof Schema> = {
  [Column in keyof Selectable<Schema[Table]> & string as CamelCase<Column>]: Selectable<Schema[Table]>[Column]
}

const toCamelCase = (column: string) => column.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())

/** All rows of a table, in the order of their numbers or their ids, where they have such. */
export async function rowsOf<Table extends keyof Schema>(app: TestApp, table: Table): Promise<Row<Table>[]> {
  const rows = await app.app.db.sql.selectFrom(table).selectAll().execute()
  const found = rows.map((row) => Object.fromEntries(Object.entries(row).map(([column, value]) => [toCamelCase(column), value])))
  const order = (row: { seq?: number, id?: string }) => row.seq ?? row.id ?? 0
  return found.sort((a, b) => order(a) < order(b) ? -1 : Number(order(a) > order(b))) as Row<Table>[]
}

export async function countRows(app: TestApp, table: keyof Schema): Promise<number> {
  const { n } = await app.app.db.sql.selectFrom(table).select((count) => count.fn.countAll<number>().as('n')).executeTakeFirstOrThrow()
  return n
}

const mailTables = ['messages', 'message_chunks', 'attachments', 'emails', 'addresses'] as const satisfies (keyof Schema)[]

/** How many rows each of the tables has that hold addresses and mail. */
export async function countMailRows(app: TestApp): Promise<Record<(typeof mailTables)[number], number>> {
  const counts = await Promise.all(mailTables.map(async (table) => [table, await countRows(app, table)] as const))
  return Object.fromEntries(counts) as Record<(typeof mailTables)[number], number>
}

/** Tables that change with time, or with each commit. */
const otherTables = ['jobs', 'address_names', 'api_key_version', 'nodes']

/** The tables with the names of their columns, as the schema has them. */
export const columnsOfTables = async ({ app: { db } }: TestApp) =>
  Object.groupBy(await rawSql<{ table: string, column: string }>(db, testEngineOf(db).columns), ({ table }) => table)

/** The tables with rows of accounts. */
export const tablesOfAccounts = async (app: TestApp): Promise<string[]> => Object.entries(await columnsOfTables(app))
  .filter(([, columns]) => columns!.some(({ column }) => column === 'account_id')).map(([table]) => table)

/** All rows as JSON, by their tables. */
export async function allRows(app: TestApp): Promise<Record<string, string[]>> {
  const left = [...otherTables, ...testEngineOf(app.app.db).internalTables]
  const tables = Object.keys(await columnsOfTables(app)).filter((table) => !left.includes(table))
  return Object.fromEntries(await Promise.all(tables.map(async (table): Promise<[string, string[]]> =>
    [table, (await rawSql(app.app.db, `select * from ${table}`)).map((row) => JSON.stringify(row)).sort()])))
}
