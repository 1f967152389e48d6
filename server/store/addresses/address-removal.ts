import type { Tx } from '../database.ts'
import { countKeyOf, removeCounts } from '../mail/email-counts.ts'
import { ofAccount } from '../owner.ts'

/**
 * Removes some addresses of a deleted account, with their rules and the counters of their mail, and with the last of them the counters of
 * the account's mail. The mail itself is removed before.
 * @returns how many addresses
 */
export async function removeAddressesOf(tx: Tx, accountId: string, limit: number): Promise<number> {
  const rows = await tx.sql.selectFrom('addresses').select('id').$call(ofAccount(accountId)).limit(limit).execute()
  const ids = rows.map(({ id }) => id)
  const isLast = ids.length < limit
  const counted = isLast ? [...ids, ...(['live', 'test'] as const).map((mode) => countKeyOf({ accountId, mode }))] : ids
  removeCounts(tx, counted)
  if (ids.length === 0) return 0
  await tx.sql.deleteFrom('forwarding_rules').where('address_id', 'in', ids).execute()
  await tx.sql.deleteFrom('addresses').where('id', 'in', ids).execute()
  return ids.length
}
