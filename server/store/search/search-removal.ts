import type { Tx } from '../database.ts'
import { ofAccount } from '../owner.ts'
import { removeFrequent, removeWindow, selectFrequent, selectWindows } from './windows.ts'

/** Maximum frequent terms of a step: each has a bitmap in each window. */
const maxTermsAtOnce = 8

/**
 * Removes some of the search data that a deleted account has beside the index: its mail is removed, and left the index with that.
 * @returns how many rows; the limit when more may be left
 */
export async function removeSearchDataOf(tx: Tx, accountId: string, limit: number): Promise<number> {
  const owners = await tx.sql.selectFrom('email_search_owners').select('number').$call(ofAccount(accountId)).execute()
  for (const { number: ownerNumber } of owners) {
    const { rows: terms } = await selectFrequent(tx, { ownerNumber })
    for (const { term } of terms.slice(0, maxTermsAtOnce)) await removeFrequent(tx, { ownerNumber, term })
    if (terms.length > 0) return limit
    const { rows: windows } = await selectWindows(tx, { ownerNumber })
    for (const { window } of windows.slice(0, limit)) await removeWindow(tx, { ownerNumber, window })
    if (windows.length > 0) return limit
    await tx.sql.deleteFrom('email_search_owners').where('number', '=', ownerNumber).execute()
  }
  return owners.length
}
