import type { Database, Tx } from './database.ts'
import { prepared } from './prepared.ts'

/** Notes that an account has so many bytes of mail more, or fewer. */
export async function addAccountBytes(tx: Tx, accountId: string, bytes: number): Promise<void> {
  await add(tx, { accountId, bytes })
}

/** Bytes of the mails of an account, in both modes; those it shares with other accounts count for each. */
export async function accountBytes(db: Database, accountId: string): Promise<number> {
  return (await stored(db, { accountId })).rows[0]?.bytes ?? 0
}

const add = prepared<{ accountId: string, bytes: number }, never>((sql, value) => sql.insertInto('account_bytes')
  .values({ account_id: value('accountId'), bytes: value('bytes') })
  .onConflict((conflict) => conflict.column('account_id')
    .doUpdateSet((set) => ({ bytes: set('account_bytes.bytes', '+', set.ref('excluded.bytes')) }))))

const stored = prepared<{ accountId: string }, { bytes: number }>((sql, value) =>
  sql.selectFrom('account_bytes').select('bytes').where('account_id', '=', value('accountId')))
