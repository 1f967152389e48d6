import type { Database, Tx } from '../database.ts'
import { ofAccount } from '../owner.ts'
import { prepared } from '../changes/prepared.ts'

/** Adds bytes to the counter of an account's stored mail; a negative number subtracts. */
export async function addAccountBytes(tx: Tx, accountId: string, bytes: number): Promise<void> {
  await upsertBytes(tx, { accountId, bytes })
}

/** Bytes of an account's stored mail, in live and test mode. A mail to several accounts counts in each. */
export async function accountBytes(db: Database, accountId: string): Promise<number> {
  return (await selectBytes(db, { accountId })).rows[0]?.bytes ?? 0
}

const upsertBytes = prepared<{ accountId: string, bytes: number }, never>((sql, value) => sql.insertInto('account_bytes')
  .values({ account_id: value('accountId'), bytes: value('bytes') })
  .onConflict((conflict) => conflict.column('account_id')
    .doUpdateSet((set) => ({ bytes: set('account_bytes.bytes', '+', set.ref('excluded.bytes')) }))))

const selectBytes = prepared<{ accountId: string }, { bytes: number }>((sql, value) =>
  sql.selectFrom('account_bytes').select('bytes').$call(ofAccount(value('accountId'))))
