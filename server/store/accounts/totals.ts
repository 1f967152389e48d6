import { counterStep } from '../changes/counter-step.ts'
import { prepared } from '../changes/prepared.ts'
import type { Database, Tx } from '../database.ts'
import { ofAccount } from '../owner.ts'
import type { TotalsRow } from '../schema/counts.ts'
import type { Schema } from '../schema/schema.ts'
import type { Owner } from '../schema/values.ts'

interface TotalsChange {
  addresses: number
  activeAddresses: number
  auditLogs: number
}

/** Adds to the totals of an owner, in the transaction that changes what they count. */
export function addToTotals(
  tx: Tx, { accountId, mode }: Owner, { addresses = 0, activeAddresses = 0, auditLogs = 0 }: Partial<TotalsChange>,
): void {
  tx.atEnd(totalsStep, { account_id: accountId, mode, addresses, active_addresses: activeAddresses, audit_logs: auditLogs })
}

const totalsStep = counterStep<TotalsRow>({
  table: 'totals', key: ['account_id', 'mode'], amounts: ['addresses', 'active_addresses', 'audit_logs'],
})

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
