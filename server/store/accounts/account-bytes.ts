import type { Database, Tx } from '../database.ts'
import { ofAccount } from '../owner.ts'
import { counterStep } from '../changes/counter-step.ts'
import { prepared } from '../changes/prepared.ts'
import type { Schema } from '../schema/schema.ts'

/** Adds bytes to the counter of an account's stored mail; a negative number subtracts. */
export function addAccountBytes(tx: Tx, accountId: string, bytes: number): void {
  tx.atEnd(bytesStep, { account_id: accountId, bytes })
}

/** Bytes of an account's stored mail, in live and test mode. A mail to several accounts counts in each. */
export async function accountBytes(db: Database, accountId: string): Promise<number> {
  return (await selectBytes(db, { accountId })).rows[0]?.bytes ?? 0
}

const bytesStep = counterStep<Schema['account_bytes']>({ table: 'account_bytes', key: ['account_id'], amounts: ['bytes'] })

const selectBytes = prepared<{ accountId: string }, { bytes: number }>((sql, value) =>
  sql.selectFrom('account_bytes').select('bytes').$call(ofAccount(value('accountId'))))
