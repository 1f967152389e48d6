import { timestamp } from '../../clock.ts'
import type { ShareLink } from '../../contract/types.gen.ts'
import { UnavailableError } from '../../errors.ts'
import { prepared } from '../changes/prepared.ts'
import type { Database, Tx } from '../database.ts'
import { isPresentOrHeld, ownedBy } from '../owner.ts'
import type { AccountRow } from '../schema/accounts.ts'
import type { ShareLinkRow } from '../schema/addresses.ts'
import type { Owner, Plan, Tenant } from '../schema/values.ts'

/** A link by which others read the received mail of one address. */
export interface Share {
  linkId: string
  addressId: string
  address: string
  /** Milliseconds since 1970. */
  expiresAt: number
}

export interface ShareHolder extends Tenant, Share {
  plan: Plan
}

/** @param hash SHA-256 of the token, in hex */
export async function insertShareLink(
  tx: Tx, { addressId, hash, expiresAt }: { addressId: string, hash: string, expiresAt: number },
): Promise<ShareLink> {
  const row: ShareLinkRow = { id: tx.newId(), address_id: addressId, hash, created_at: tx.now, expires_at: expiresAt }
  await tx.sql.insertInto('share_links').values(row).execute()
  return toShareLink(row)
}

/** Removes the links of an address that have ended. @returns how many are left */
export async function removeEndedLinks(tx: Tx, addressId: string): Promise<number> {
  await tx.sql.deleteFrom('share_links').where('address_id', '=', addressId).where('expires_at', '<=', tx.now).execute()
  return (await tx.sql.selectFrom('share_links').select('id').where('address_id', '=', addressId).execute()).length
}

/** The links of an address that have not ended, newest first. The caller has proved that the address is its own. */
export async function listShareLinks(db: Database, addressId: string): Promise<ShareLink[]> {
  const rows = await db.sql.selectFrom('share_links').selectAll()
    .where('address_id', '=', addressId).where('expires_at', '>', db.now()).orderBy('id', 'desc').execute()
  return rows.map(toShareLink)
}

/** @returns false when the owner has no such link */
export async function removeShareLink(tx: Tx, owner: Owner, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx.sql.deleteFrom('share_links').where('id', '=', id)
    .where('address_id', 'in', (from) => from.selectFrom('addresses').select('addresses.id').$call(ownedBy(owner)))
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}

/**
 * @param hash SHA-256 of the token, in hex
 * @returns undefined for a link that is unknown, was ended or has expired @throws UnavailableError
 */
export async function findShareHolder(db: Database, hash: string): Promise<ShareHolder | undefined> {
  const row = (await selectHolder(db, { hash, now: db.now() })).rows[0]
  if (row?.move) throw new UnavailableError('account')
  return row
}

const selectHolder = prepared<{ hash: string, now: number }, ShareHolder & Pick<AccountRow, 'move'>>((sql, value) => sql.selectFrom('share_links')
  .innerJoin('addresses', 'addresses.id', 'share_links.address_id')
  .innerJoin('accounts', 'accounts.id', 'addresses.account_id')
  .select([
    'share_links.id as linkId', 'addresses.id as addressId', 'address', 'share_links.expires_at as expiresAt',
    'addresses.account_id as accountId', 'addresses.mode', 'plan', 'move',
  ])
  .where('hash', '=', value('hash')).where('share_links.expires_at', '>', value('now')).where(isPresentOrHeld))

const toShareLink = ({ id, created_at, expires_at }: ShareLinkRow): ShareLink =>
  ({ id, createdAt: timestamp(created_at), expiresAt: timestamp(expires_at) })
