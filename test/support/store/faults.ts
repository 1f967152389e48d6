import { systemClock } from '../../../server/clock.ts'
import { inTransaction, openDatabase } from '../../../server/store/database.ts'
import type { Tx } from '../../../server/store/database.ts'
import type { Schema } from '../../../server/store/schema/schema.ts'
import type { TestApp } from '../app.ts'
import { testEngineOf } from './engines.ts'
import { rawSql } from './raw-sql.ts'

const pause = (ms: number) => new Promise<false>((resolve) => { setTimeout(resolve, ms, false) })

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

/** Prevents all writes to the database of a server. @returns a function that allows them again */
export const lockDatabase = ({ app }: TestApp): Promise<Restore> => lockWrites(app.config.database)

/** Prevents writes to the search index of a server. @returns a function that allows them again */
export const lockIndex = ({ app }: TestApp): Promise<Restore> =>
  lockWrites(app.config.database, testEngineOf(app.db).searchTables)

/** Has the write lock of a database, as another process that writes. @returns a function that releases it */
export const lockWrites = (database: string, tables?: string[]): Promise<Restore> =>
  holdTransaction(database, (tx) => testEngineOf(tx).lockWrites(tx, tables))

/** Begins a transaction, as another process. @returns a function that ends it */
export async function holdTransaction(database: string, begin: (tx: Tx) => Promise<void>): Promise<Restore> {
  const db = await openDatabase(database, systemClock, { migrate: false })
  const [locked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<true>()]
  const holding = inTransaction(db, async (tx) => {
    await begin(tx)
    locked.resolve()
    // a connection that is silent for seconds counts as lost: a slow test may take longer
    while (!await Promise.race([released.promise, pause(1_000)])) await rawSql(tx, 'select 1')
  })
  holding.catch(locked.reject)
  await locked.promise
  return async () => {
    released.resolve(true)
    await holding
    await db.close()
  }
}

/** Makes every write of the server's own thread fail, as on a full disk. @returns a function that ends it */
export async function refuseWrites({ app }: TestApp): Promise<Restore> {
  await testEngineOf(app.db).setReadOnly(app.db, true)
  return () => testEngineOf(app.db).setReadOnly(app.db, false)
}
