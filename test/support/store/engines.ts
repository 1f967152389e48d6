import { inTransaction } from '../../../server/store/database.ts'
import type { Database, Tx } from '../../../server/store/database.ts'
import { rawSql } from './raw-sql.ts'

/** SQL of tests that differs by engine. */
interface TestEngine {
  /** Prevents the writes of all other connections until the end of the transaction. @param tables where a table has a lock of its own */
  lockWrites(tx: Tx, tables?: string[]): Promise<void>
  /** Makes the transactions of one thread fail, as on a full disk. */
  setReadOnly(db: Database, isReadOnly: boolean): Promise<void>
  /** Maximum reads that the server begins in one turn of its event loop. Those of PostgreSQL take no time of the turn. */
  readsATurn: number
  /** Replaces the rows of a table by the same, with a key that is there. */
  replaceRows(table: string): string
  /** An expression for as many bytes. */
  bytes(count: number): string
  /** Tables without rows of the server. */
  internalTables: string[]
  /** Tables of the search index with rows of accounts. */
  searchTables: string[]
  /** Statements that give an owner search data beside mail. @param owner a query from the owners of the index, without its columns */
  searchDataOf(owner: string): string[]
  /** Tables with a row for each mail in the search index. */
  indexedMails: string[]
  /** Removes all mails from the search index. */
  emptyIndex: string
  /** Fails when the search index is damaged. */
  checkIndex: string[]
  /** Tables with the name of each column. */
  columns: string
  /** The steps by which the database would run a query. */
  explain(db: Database, sql: string): Promise<string[]>
}

const sqlite: TestEngine = {
  async lockWrites() { /* a transaction that may write has the lock from its start */ },
  async setReadOnly({ engine }, isReadOnly) { await rawSql(engine.writer, `pragma query_only = ${Number(isReadOnly)}`) },
  readsATurn: 2,
  replaceRows: (table) => `insert or replace into ${table} select * from ${table}`,
  bytes: (count) => `zeroblob(${count})`,
  internalTables: ['sqlite_sequence', 'email_search', 'email_search_data', 'email_search_idx'],
  searchTables: ['email_search_docsize'],
  searchDataOf: () => [],
  indexedMails: ['email_search_docsize'],
  emptyIndex: 'delete from email_search where rowid in (select seq from emails)',
  checkIndex: [`insert into email_search (email_search) values ('integrity-check')`],
  columns: `select tables.name as "table", columns.name as "column" from sqlite_master tables join pragma_table_info(tables.name) columns
    where tables.type = 'table' order by 1, 2`,
  async explain(db, sql) {
    const values = Array.from({ length: sql.split('?').length - 1 }, () => '1')
    return (await rawSql<{ detail: string }>(db, `explain query plan ${sql}`, values)).map(({ detail }) => detail)
  },
}

const postgres: TestEngine = {
  async lockWrites(tx, tables) {
    await rawSql(tx, 'set local idle_in_transaction_session_timeout = 0')
    const all = await rawSql<{ name: string }>(tx, `select quote_ident(tablename) as name from pg_tables where schemaname = 'public' order by 1`)
    await rawSql(tx, `lock table ${(tables ?? all.map(({ name }) => name)).join(', ')} in exclusive mode`)
  },
  async setReadOnly(db, isReadOnly) {
    // a connection that reads cannot commit: in its place, one without the setting is opened
    const begin = 'set default_transaction_read_only = on'
    const end = `select case when current_setting('transaction_read_only') = 'on' then pg_terminate_backend(pg_backend_pid()) end`
    await inTransaction(db, async (tx) => { await rawSql(tx, isReadOnly ? begin : end) })
    const { toAppError } = db.engine
    const asOnFullDisk = (error: unknown) => (error as { code?: string }).code === '25006' ? Object.assign(error as Error, { code: '53100' }) : error
    if (isReadOnly) Object.assign(db.engine, { toAppError: (error: unknown) => toAppError(asOnFullDisk(error)) })
  },
  readsATurn: 6, // twice its connections for reads: each may begin one when it has ended one
  replaceRows: (table) => `insert into ${table} select * from ${table} on conflict (account_id, mode, id) do update set id = excluded.id`,
  bytes: (count) => `decode(repeat('00', ${count}), 'hex')`,
  internalTables: [],
  searchTables: ['email_search', 'email_search_buckets'],
  searchDataOf: (owner) => [
    `insert into email_search_buckets (owner_number, bucket, first, last, mails) select number, 9, 1, 2, 0 ${owner}`,
  ],
  indexedMails: ['email_search'],
  emptyIndex: 'delete from email_search',
  checkIndex: ['create extension if not exists amcheck', `select gin_index_check('email_search_by_keys')`],
  columns: `select table_name as "table", column_name as "column" from information_schema.columns where table_schema = 'public' order by 1, 2`,
  async explain(db, sql) {
    return (await rawSql<Record<string, string>>(db, `explain (generic_plan) ${sql}`)).flatMap((row) => Object.values(row))
  },
}

export const testEngineOf = ({ engine }: Pick<Database, 'engine'>): TestEngine => engine.file ? sqlite : postgres
