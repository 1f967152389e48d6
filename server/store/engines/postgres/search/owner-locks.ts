import type { Tx } from '../../../changes/queries.ts'
import type { Owner } from '../../../owner.ts'
import { postgresLocks } from '../locks.ts'

export async function lockOwners(tx: Tx, owners: Owner[]): Promise<void> {
  const names = new Set(owners.map(({ accountId, mode }) => `search of ${accountId}/${mode}`))
  // in one order, against deadlocks
  for (const name of [...names].sort()) await postgresLocks.lockName(tx, name)
}
