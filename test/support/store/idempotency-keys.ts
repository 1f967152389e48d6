import { sql } from 'kysely'
import { inTransaction } from '../../../server/store/database.ts'
import { statements as firstVersion } from '../../../server/store/migrations/0005-idempotency-keys.ts'
import type { TestApp } from '../app.ts'
import { ownerOf } from './accounts.ts'
import { rawSql } from './raw-sql.ts'
import { rowsOf } from './rows.ts'
import type { Row } from './rows.ts'
import { withDatabase } from './with-database.ts'

export const storedKeys = (app: TestApp): Promise<Row<'idempotency_keys'>[]> => rowsOf(app, 'idempotency_keys')

export async function removeKeys({ app }: TestApp): Promise<void> {
  await inTransaction(app.db, (tx) => tx.sql.deleteFrom('idempotency_keys').execute())
}

/** Stores as many keys of the first account, as if they had been used now. */
export async function addKeys(app: TestApp, count: number): Promise<void> {
  const { accountId, mode } = await ownerOf(app)
  await inTransaction(app.app.db, (tx) => tx.sql.insertInto('idempotency_keys').values(Array.from({ length: count }, (_, i) => (
    { account_id: accountId, mode, key: `k${i}`, fingerprint: 'x', answer: '{}', created_at: tx.now }
  ))).execute())
}

/** A key as the first version of the table stored it: the answer is the body as it was sent, or null. */
export type KeyOfFirstVersion = Omit<Row<'idempotency_keys'>, 'answer'> & { operation: string, answer: string | null }

/** Gives a database, which no server has open, the keys in the form of the version that stored them first. */
export function storeAsFirstVersion(database: string, keys: KeyOfFirstVersion[]): Promise<void> {
  return withDatabase(database, (db) => inTransaction(db, async (tx) => {
    await rawSql(tx, 'drop table idempotency_keys')
    for (const statement of firstVersion()) await rawSql(tx, db.engine.statement(statement))
    await rawSql(tx, `delete from migrations where name like '%-stored-answers'`)
    for (const { accountId, mode, key, operation, fingerprint, answer, createdAt } of keys) {
      const values = [accountId, mode, key, operation, fingerprint, null, 200, answer, createdAt]
      await sql`insert into idempotency_keys values (${sql.join(values)})`.execute(tx.sql)
    }
  }))
}
