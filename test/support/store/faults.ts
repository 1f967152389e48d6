import Sqlite from 'better-sqlite3'
import { join } from 'node:path'
import { inTransaction } from '../../../server/store/database.ts'
import type { Schema } from '../../../server/store/schema/schema.ts'
import type { TestApp } from '../app.ts'
import { rowsNow } from './raw-sql.ts'

type Restore = () => Promise<void>

/** Renames a table, so that all that needs it fails. @returns a function that names it as before */
export async function loseTable({ app }: TestApp, table: keyof Schema): Promise<Restore> {
  const rename = (from: string, to: string) => inTransaction(app.db, async (tx) => {
    await tx.sql.schema.alterTable(from).renameTo(to).execute()
  })
  await rename(table, `lost_${table}`)
  return () => rename(`lost_${table}`, table)
}

/** Makes all changes of a kind fail in a table. @returns a function that ends it */
export async function refuseChanges({ app }: TestApp, kind: 'insert' | 'update' | 'delete', table: keyof Schema): Promise<Restore> {
  const name = `no_${kind}_${table}`
  const run = (statement: string) => inTransaction(app.db, async (tx) => { await tx.execute(statement, []) })
  await run(app.db.engine.refusal({ name, before: `${kind} on ${table}`, message: 'refused by a test' }))
  return () => run(app.db.engine.dropRefusal({ name, table }))
}

/** Holds the write lock of the database, so that nothing is stored. @returns a function that releases it */
export function lockDatabase({ folder }: TestApp): () => void {
  const sqlite = new Sqlite(join(folder, 'mayfly.db'))
  sqlite.exec('begin immediate')
  return () => {
    sqlite.exec('rollback')
    sqlite.close()
  }
}

/** Makes every write of the server's own thread fail, as on a full disk. @returns a function that ends it */
export function refuseWrites({ app }: TestApp): () => void {
  const { writer } = app.db.engine
  rowsNow(writer, 'pragma query_only = 1')
  return () => { rowsNow(writer, 'pragma query_only = 0') }
}
