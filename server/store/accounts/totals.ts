import { counterStep } from '../changes/counter-step.ts'
import type { Tx } from '../database.ts'
import type { Owner } from '../owner.ts'
import type { TotalsRow } from '../schema/counts.ts'

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
