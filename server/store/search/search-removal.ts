import type { Tx } from '../database.ts'
import { ofAccount } from '../owner.ts'

/**
 * Removes some of the search data that a deleted account has beside the index: its mail is removed, and left the index with that.
 * @returns how many rows; the limit when more may be left
 */
export async function removeSearchDataOf(tx: Tx, accountId: string, limit: number): Promise<number> {
  const owners = await tx.sql.selectFrom('email_search_owners').select('number').$call(ofAccount(accountId)).execute()
  for (const { number } of owners) {
    if (await tx.engine.search.removeDataOf(tx, number, limit)) return limit
    await tx.sql.deleteFrom('email_search_owners').where('number', '=', number).execute()
  }
  return owners.length
}
