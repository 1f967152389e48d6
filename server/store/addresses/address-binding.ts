import { sql as raw } from 'kysely'
import type { Tx } from '../database.ts'
import { lockDomain } from './domains.ts'
import { toBit } from '../schema/values.ts'
import type { Bit } from '../schema/values.ts'
import { addToTotals } from '../accounts/totals.ts'

/**
 * Updates `is_bound` of some addresses of a domain, and the number of active addresses. Expired addresses keep theirs: no query reads it.
 * @returns how many were changed
 */
export async function bindAddresses(tx: Tx, domainId: string, limit: number): Promise<number> {
  const isBound = toBit((await lockDomain(tx, domainId))?.status === 'verified')
  const outdated = isBound ? 0 : 1
  const changed = await tx.sql.updateTable('addresses').set({ is_bound: isBound })
    .where('id', 'in', (some) => some.selectFrom('addresses').select('id')
      .where('domain_id', '=', domainId).where('is_bound', '=', outdated)
      .where('is_expired', '=', raw.lit<Bit>(0)) // a literal: SQLite uses a partial index only for a literal
      .limit(limit))
    .returning(['account_id as accountId', 'mode']).execute()
  const [owner] = changed
  if (owner) addToTotals(tx, owner, { activeAddresses: isBound ? changed.length : -changed.length })
  return changed.length
}
