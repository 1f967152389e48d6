import type { TotalsRow } from './count-tables.ts'
import type { Tx } from './database.ts'
import type { Owner } from './owner.ts'
import { prepared } from './prepared.ts'

type Change = Omit<TotalsRow, 'account_id' | 'mode'>

/** Keeps what is counted of an owner, in the transaction that changes it. */
export async function addToTotals(tx: Tx, { accountId, mode }: Owner, change: Partial<Change>): Promise<void> {
  await add(tx, { account_id: accountId, mode, addresses: 0, active_addresses: 0, audit_logs: 0, ...change })
}

const add = prepared<TotalsRow, never>((sql, value) => sql.insertInto('totals')
  .values({
    account_id: value('account_id'), mode: value('mode'),
    addresses: value('addresses'), active_addresses: value('active_addresses'), audit_logs: value('audit_logs'),
  })
  .onConflict((conflict) => conflict.columns(['account_id', 'mode']).doUpdateSet((set) => ({
    addresses: set('totals.addresses', '+', set.ref('excluded.addresses')),
    active_addresses: set('totals.active_addresses', '+', set.ref('excluded.active_addresses')),
    audit_logs: set('totals.audit_logs', '+', set.ref('excluded.audit_logs')),
  }))))
