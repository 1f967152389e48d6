import { randomUUID } from 'node:crypto'
import type { Address, AddressCreate } from '../../../server/contract/types.gen.ts'
import * as addresses from '../../../server/domain/addresses.ts'
import type { Account } from '../../../server/store/accounts/accounts.ts'
import { inTransaction } from '../../../server/store/database.ts'
import type { TestApp } from '../app.ts'
import { ownerOf } from './accounts.ts'

/** Issues a live address below the API, which is closed to most plans, and has no addresses like `a@localhost`. */
export const createAddress = ({ app }: TestApp, { id, plan }: Account, input: AddressCreate): Promise<Address> =>
  inTransaction(app.db, (tx) => addresses.createAddress(tx, app, { accountId: id, mode: 'live', bound: undefined, plan, apiKeyId: randomUUID(), sessionId: null, member: null, scopes: [], dialect: 'primary' }, input))

/** Lets an address expire a millisecond ago, before the server marks it. */
export async function expireAddress({ app }: TestApp, id: string): Promise<void> {
  await inTransaction(app.db, (tx) => tx.sql.updateTable('addresses').set({ expires_at: tx.now - 1 }).where('id', '=', id).execute())
}

/** Binds the active addresses to their domain, or frees them as those of a domain that was removed. */
export async function bindAddresses({ app }: TestApp, isBound: boolean): Promise<void> {
  await inTransaction(app.db, (tx) => tx.sql.updateTable('addresses')
    .set(isBound ? { domain_id: null, is_bound: 1 } : { domain_id: 'removed', is_bound: 0 }).where('is_expired', '=', 0).execute())
}

/** Sets the counters of the first account, regardless of its addresses. */
export async function setAddressTotals(app: TestApp, { total, active }: { total: number, active: number }): Promise<void> {
  const { accountId, mode } = await ownerOf(app)
  const counters = { addresses: total, active_addresses: active }
  await inTransaction(app.app.db, (tx) => tx.sql.insertInto('totals')
    .values({ account_id: accountId, mode, audit_logs: 0, ...counters })
    .onConflict((old) => old.columns(['account_id', 'mode']).doUpdateSet(counters)).execute())
}
