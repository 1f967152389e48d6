import { sql as raw } from 'kysely'
import { timestamp } from '../../clock.ts'
import type { ForwardingAddress } from '../../contract/types.gen.ts'
import type { Database, Tx } from '../database.ts'
import { hasAccount, ownedBy } from '../owner.ts'
import { cutPage, maxCounted, pageValues } from '../page.ts'
import type { Page } from '../page.ts'
import type { ForwardingAddressRow } from '../schema/addresses.ts'
import type { Owner, Tenant } from '../schema/values.ts'

/** The token of a verification link, as a hash: a copy of the database does not give access to the link. */
export interface LinkToken {
  hash: string
  /** Milliseconds since 1970. */
  expiresAt: number
}

/** @returns undefined when the owner has the address, in whatever case */
export async function insertForwardingAddress(
  tx: Tx, owner: Tenant, { email, token }: { email: string, token: LinkToken },
): Promise<ForwardingAddress | undefined> {
  const row = await tx.sql.insertInto('forwarding_addresses').values({
    id: tx.newId(),
    account_id: owner.accountId,
    mode: owner.mode,
    email,
    token_hash: token.hash,
    token_expires_at: token.expiresAt,
    verified_at: null,
    created_at: tx.now,
  }).onConflict((conflict) => conflict.doNothing()).returningAll().executeTakeFirst()
  return row && toForwardingAddress(row)
}

export interface ForwardingAddressPage {
  addresses: ForwardingAddress[]
  /** `maxCounted` at most. */
  total: number
  hasMore: boolean
}

/** Newest first. */
export async function listForwardingAddresses(db: Database, owner: Owner, page: Page): Promise<ForwardingAddressPage> {
  const { limit, offset, before } = pageValues(page)
  const [found, { total }] = await Promise.all([
    selectOwned(db, owner).selectAll().where('id', '<', before).orderBy('id', 'desc').limit(limit).offset(offset).execute(),
    db.sql.selectFrom(selectOwned(db, owner).select('id').limit(maxCounted).as('counted'))
      .select((count) => count.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ])
  const { rows, hasMore } = cutPage(found, page)
  return { addresses: rows.map(toForwardingAddress), total, hasMore }
}

export async function findForwardingAddress(db: Database | Tx, owner: Owner, id: string): Promise<ForwardingAddress | undefined> {
  const row = await selectOwned(db, owner).selectAll().where('id', '=', id).executeTakeFirst()
  return row && toForwardingAddress(row)
}

/** A forwarding address that is going to be changed: no other transaction changes it until this one ends. */
export async function lockForwardingAddress(tx: Tx, owner: Owner, id: string): Promise<ForwardingAddress | undefined> {
  await tx.engine.locks.lockRow(tx, 'forwarding_addresses', id)
  return findForwardingAddress(tx, owner, id)
}

/** A forwarding address to which a rule will forward: it is not removed before the transaction ends. */
export async function lockForwardingAddressForShare(tx: Tx, owner: Owner, id: string): Promise<ForwardingAddress | undefined> {
  await tx.engine.locks.lockRowForShare(tx, 'forwarding_addresses', id)
  return findForwardingAddress(tx, owner, id)
}

/** @param email in whatever case */
export async function findForwardingAddressOf(db: Database | Tx, owner: Owner, email: string): Promise<ForwardingAddress | undefined> {
  const row = await selectOwned(db, owner).selectAll().where(raw`lower(email)`, '=', email.toLowerCase()).executeTakeFirst()
  return row && toForwardingAddress(row)
}

/** Replaces the token; the previous link becomes invalid. */
export async function renewToken(tx: Tx, id: string, token: LinkToken): Promise<void> {
  await tx.sql.updateTable('forwarding_addresses').set({ token_hash: token.hash, token_expires_at: token.expiresAt })
    .where('id', '=', id).execute()
}

/** @returns false when there is none */
export async function removeForwardingAddress(tx: Tx, owner: Owner, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx.sql.deleteFrom('forwarding_addresses')
    .where('id', '=', id).$call(ownedBy(owner)).executeTakeFirst()
  return numDeletedRows === 1n
}

/** The forwarding address of a verification link. */
export interface LinkedAddress {
  email: string
  isVerified: boolean
  expiresAt: number
}

export async function findByToken(db: Database | Tx, hash: string): Promise<LinkedAddress | undefined> {
  const row = await db.sql.selectFrom('forwarding_addresses').selectAll()
    .where('token_hash', '=', hash).where(hasAccount('forwarding_addresses')).executeTakeFirst()
  return row && { email: row.email, isVerified: row.verified_at !== null, expiresAt: row.token_expires_at }
}

/** @returns whether this call verified it */
export async function markVerified(tx: Tx, hash: string): Promise<boolean> {
  const { numUpdatedRows } = await tx.sql.updateTable('forwarding_addresses').set({ verified_at: tx.now })
    .where('token_hash', '=', hash).where('verified_at', 'is', null).where('token_expires_at', '>', tx.now)
    .where(hasAccount('forwarding_addresses')).executeTakeFirst()
  return numUpdatedRows === 1n
}

const selectOwned = (db: Database | Tx, owner: Owner) => db.sql.selectFrom('forwarding_addresses')
  .$call(ownedBy(owner))

const toForwardingAddress = (row: ForwardingAddressRow): ForwardingAddress => ({
  id: row.id,
  email: row.email,
  isVerified: row.verified_at !== null,
  verifiedAt: timestamp(row.verified_at),
  createdAt: timestamp(row.created_at),
})
