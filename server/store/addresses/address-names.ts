import { prepared } from '../changes/prepared.ts'
import type { Tx } from '../database.ts'
import { hasAccount, ofAccount } from '../owner.ts'

/** Milliseconds for which the name of a removed or expired address is reserved for its account. */
const nameRestMs = 30 * 24 * 3600 * 1000

/** The name of an address. */
interface AddressName {
  accountId: string
  address: string
  /** Null for the default domain. */
  domainId: string | null
}

/**
 * Claims a name for a new address. The primary key decides between two accounts that claim it, without a read before the write.
 * @returns false when it is taken, or reserved for the account that had it
 */
export async function claimName(tx: Tx, { accountId, address, domainId }: AddressName): Promise<boolean> {
  const { rows } = await upsertName(tx, { accountId, address, domainId: domainId ?? '', restedSince: tx.now - nameRestMs })
  return rows.length > 0
}

/** @param at milliseconds since 1970, from which the name is reserved for `nameRestMs` */
export async function releaseName(tx: Tx, { accountId, address, domainId }: AddressName, at: number): Promise<void> {
  await tx.sql.updateTable('address_names').set({ released_at: at })
    .where('address', '=', address).where('domain_id', '=', domainId ?? '')
    .$call(ofAccount(accountId)).execute()
}

/**
 * Releases some names of a deleted account: they are reserved for `nameRestMs`, and for no account.
 * @returns how many
 */
export async function releaseNamesOf(tx: Tx, accountId: string, limit: number): Promise<number> {
  const names = await tx.sql.selectFrom('address_names').select(['address', 'domain_id', 'released_at'])
    .$call(ofAccount(accountId)).limit(limit).execute()
  for (const { address, domain_id, released_at } of names) {
    await tx.sql.updateTable('address_names').set({ account_id: null, released_at: released_at ?? tx.now })
      .where('address', '=', address).where('domain_id', '=', domain_id).execute()
  }
  return names.length
}

/** Ends the reservation of a name at the default domain for a deleted account: for names that no account can choose. */
export async function freeNameOfDeleted(tx: Tx, address: string): Promise<void> {
  await tx.sql.deleteFrom('address_names').where('address', '=', address).where('domain_id', '=', '')
    .where((row) => row.not(hasAccount('address_names')(row))).execute()
}

/** Releases some names `nameRestMs` after their address has ended: any account may have them. @returns how many */
export async function deleteRestedNames(tx: Tx, limit: number): Promise<number> {
  const restedSince = tx.now - nameRestMs
  const rested = await tx.sql.selectFrom('address_names').select(['address', 'domain_id'])
    .where('released_at', '<=', restedSince).limit(limit).execute()
  for (const name of rested) await deleteRested(tx, { ...name, restedSince })
  return rested.length
}

type NameClaim = { accountId: string, address: string, domainId: string, restedSince: number }

const upsertName = prepared<NameClaim, { address: string }>((sql, value) =>
  sql.insertInto('address_names')
    .values({ address: value('address'), domain_id: value('domainId'), account_id: value('accountId'), released_at: null })
    .onConflict((conflict) => conflict.columns(['address', 'domain_id'])
      .doUpdateSet({ account_id: value('accountId'), released_at: null })
      .where((names) => names.or([
        // eslint-disable-next-line no-restricted-syntax -- no tenant filter: a released name is free for the account that had it
        names.and([names('address_names.released_at', 'is not', null), names('address_names.account_id', '=', value('accountId'))]),
        names('address_names.released_at', '<=', value('restedSince')),
      ])))
    .returning('address'))

/** A name that was claimed again since it was read stays. */
const deleteRested = prepared<{ address: string, domain_id: string, restedSince: number }, never>((sql, value) => sql.deleteFrom('address_names')
  .where('address', '=', value('address')).where('domain_id', '=', value('domain_id')).where('released_at', '<=', value('restedSince')))
