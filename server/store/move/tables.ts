import type { Queries } from '../changes/queries.ts'

/** A table that is copied, as the target has it. */
export interface MovedTable {
  name: string
  columns: { name: string, type: string }[]
  /** Columns of the primary key; none for a table of one row. */
  key: string[]
  /** The column that numbers the rows. */
  serial: string | null
}

/**
 * Tables without data of accounts, which are not copied: applied migrations, nodes, counters of calls, records of commits, the progress
 * of the move, the version of the keys, and the full-text index, which the server makes again.
 */
const left = /^(migrations|nodes|call_counts|commit_records|move_progress|api_key_version|email_search.*)$/

/** The tables of the target, each after those that its rows refer to. */
export async function findTables(target: Queries): Promise<MovedTable[]> {
  const read = async <T>(sql: string) => (await target.execute(sql, [])).rows as T[]
  const columns = await read<{ table: string, column: string, type: string, is_identity: string }>(`
    select c.table_name as table, c.column_name as column, c.data_type as type, c.is_identity
      from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = current_schema() and t.table_type = 'BASE TABLE' order by c.table_name, c.ordinal_position`)
  const keys = await read<{ table: string, column: string }>(`
    select t.relname::text as table, a.attname::text as column from pg_index i join pg_class t on t.oid = i.indrelid
      join pg_attribute a on a.attrelid = t.oid and a.attnum = any (i.indkey)
      where i.indisprimary and t.relnamespace = current_schema()::regnamespace order by array_position(i.indkey::int2[], a.attnum)`)
  const references = await read<{ table: string, other: string }>(`
    select t.relname::text as table, o.relname::text as other from pg_constraint c join pg_class t on t.oid = c.conrelid
      join pg_class o on o.oid = c.confrelid where c.contype = 'f' and t.relnamespace = current_schema()::regnamespace`)
  const names = [...new Set(columns.map(({ table }) => table))].filter((name) => !left.test(name))
  return inOrder(names, references).map((name) => {
    const own = columns.filter(({ table }) => table === name)
    return {
      name,
      columns: own.map(({ column, type }) => ({ name: column, type })),
      key: keys.filter(({ table }) => table === name).map(({ column }) => column),
      serial: own.find(({ is_identity }) => is_identity === 'YES')?.column ?? null,
    }
  })
}

function inOrder(names: string[], references: { table: string, other: string }[]): string[] {
  const ordered = new Set<string>()
  const add = (name: string) => {
    if (ordered.has(name)) return
    for (const { table, other } of references) {
      if (table === name && other !== name) add(other)
    }
    ordered.add(name)
  }
  for (const name of names) add(name)
  return [...ordered]
}
