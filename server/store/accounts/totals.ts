import type { Tx } from '../database.ts'
import type { Owner } from '../owner.ts'
import { prepared } from '../changes/prepared.ts'

interface TotalsChange {
  addresses: number
  activeAddresses: number
  auditLogs: number
}

/** Adds to the totals of an owner, in the transaction that changes what they count. */
export async function addToTotals(tx: Tx, { accountId, mode }: Owner, change: Partial<TotalsChange>): Promise<void> {
  await upsertTotals(tx, { accountId, mode, addresses: 0, activeAddresses: 0, auditLogs: 0, ...change })
}

const upsertTotals = prepared<Owner & TotalsChange, never>((sql, value) => sql.insertInto('totals')
  .values({
    account_id: value('accountId'), mode: value('mode'),
    addresses: value('addresses'), active_addresses: value('activeAddresses'), audit_logs: value('auditLogs'),
  })
  .onConflict((conflict) => conflict.columns(['account_id', 'mode']).doUpdateSet((set) => ({
    addresses: set('totals.addresses', '+', set.ref('excluded.addresses')),
    active_addresses: set('totals.active_addresses', '+', set.ref('excluded.active_addresses')),
    audit_logs: set('totals.audit_logs', '+', set.ref('excluded.audit_logs')),
  }))))
