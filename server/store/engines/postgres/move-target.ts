import type { Queries } from '../../connection.ts'
import type { Transactions, Tx } from '../../engine.ts'
import { openRowReader, quoted, quotedList } from '../../move/row-reader.ts'
import type { BeginRefusal, FoundTable, MovedTable, MoveTarget, Row } from '../../move/sides.ts'

/** Opens the database to which a move copies. The table `move_progress` is there until the move ends; `reach.ts` looks for it. */
export const openMoveTarget = (db: Transactions): MoveTarget => ({
  ...openRowReader(db, (number) => `$${number}`),
  findTables: () => findTables(db),
  begin: (fingerprint, tables) => db.commit((tx) => begin(tx, fingerprint, tables)),
  async countRows({ name }) {
    const [row] = await read<{ count: number }>(db, `select count(*) as count from ${quoted(name)}`)
    return row!.count
  },
  async findLastKey({ name, key }) {
    if (key.length === 0) return undefined
    const order = key.map((column) => `${quoted(column)} desc`).join(', ')
    const [row] = await read<Record<string, Row[number]>>(db, `select ${quotedList(key)} from ${quoted(name)} order by ${order} limit 1`)
    return row && key.map((column) => row[column]!)
  },
  insertRows: (table, rows) => db.commit((tx) => insertRows(tx, table, rows)),
  end: (tables, lastNumbers) => db.commit((tx) => end(tx, tables, lastNumbers)),
})

async function findTables(db: Queries): Promise<FoundTable[]> {
  const columns = await read<{ table: string, column: string, type: string, is_identity: string }>(db, columnsSql)
  const keys = await read<{ table: string, column: string }>(db, keysSql)
  const references = await read<{ table: string, other: string }>(db, referencesSql)
  return [...new Set(columns.map(({ table }) => table))].map((name) => {
    const own = columns.filter(({ table }) => table === name)
    return {
      name,
      columns: own.map(({ column, type }) => ({ name: column, type })),
      key: keys.filter(({ table }) => table === name).map(({ column }) => column),
      serial: own.find(({ is_identity }) => is_identity === 'YES')?.column ?? null,
      references: references.filter(({ table }) => table === name).map(({ other }) => other),
    }
  })
}

const columnsSql = `
  select c.table_name as table, c.column_name as column, c.data_type as type, c.is_identity
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = current_schema() and t.table_type = 'BASE TABLE' order by c.table_name, c.ordinal_position`

const keysSql = `
  select t.relname::text as table, a.attname::text as column from pg_index i join pg_class t on t.oid = i.indrelid
    join pg_attribute a on a.attrelid = t.oid and a.attnum = any (i.indkey)
    where i.indisprimary and t.relnamespace = current_schema()::regnamespace order by array_position(i.indkey::int2[], a.attnum)`

const referencesSql = `
  select t.relname::text as table, o.relname::text as other from pg_constraint c join pg_class t on t.oid = c.conrelid
    join pg_class o on o.oid = c.confrelid where c.contype = 'f' and t.relnamespace = current_schema()::regnamespace`

async function begin(tx: Tx, fingerprint: string, tables: MovedTable[]): Promise<BeginRefusal | undefined> {
  const [progress] = await read<{ name: string | null }>(tx, "select to_regclass('move_progress')::text as name")
  if (progress!.name !== null) {
    const [begun] = await read<{ source: string }>(tx, 'select source from move_progress')
    return begun!.source === fingerprint ? undefined : 'otherSource'
  }
  for (const { name } of tables.filter(({ key }) => key.length > 0)) { // migrations add the row of a table of one row
    const [found] = await read<{ has_rows: number }>(tx, `select exists (select 1 from ${quoted(name)}) as has_rows`)
    if (found!.has_rows) return 'hasRows'
  }
  await tx.execute('create table move_progress (source text not null)', [])
  await tx.execute('insert into move_progress (source) values ($1)', [fingerprint])
  return undefined
}

async function insertRows(tx: Tx, { name, columns, key }: MovedTable, rows: Row[]) {
  if (key.length === 0) await tx.execute(`delete from ${quoted(name)}`, [])
  const list = quotedList(columns.map((column) => column.name))
  const arrays = columns.map(({ type }, i) => `$${i + 1}::${type}[]`).join(', ')
  await tx.execute(`insert into ${quoted(name)} (${list}) select * from unnest(${arrays})`, columns.map((_, i) => rows.map((row) => row[i])))
}

/** Clients remember the numbers of rows that are removed: new rows get none of them. */
async function end(tx: Tx, tables: MovedTable[], lastNumbers: Map<string, number>) {
  for (const { name, serial } of tables) {
    const last = lastNumbers.get(name) ?? 0
    if (serial && last > 0) await tx.execute('select setval(pg_get_serial_sequence($1, $2), $3)', [name, serial, last])
  }
  await tx.execute('drop table move_progress', [])
  await tx.execute('analyze', [])
}

const read = async <T>(at: Queries, sql: string): Promise<T[]> => (await at.execute(sql, [])).rows
