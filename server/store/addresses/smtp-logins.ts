import { UnavailableError } from '../../errors.ts'
import { sql as raw } from 'kysely'
import type { SqlBool } from 'kysely'
import { prepared } from '../changes/prepared.ts'
import type { Database, Tx } from '../database.ts'
import { isPresentOrHeld, ownedBy } from '../owner.ts'
import type { AccountRow } from '../schema/accounts.ts'
import type { Owner, Plan } from '../schema/values.ts'
import { hasDomain, hasFaults, hasSenders } from './addresses.ts'
import type { AddressHolder } from './addresses.ts'

/** An address with an SMTP login. */
export interface LoginHolder extends AddressHolder {
  address: string
  /** SHA-256 of its password, as hexadecimal digits. */
  hash: string
  lastLoginAt: number | null
  plan: Plan
  /** Whether its owner has set SMTP faults. */
  hasFaults: boolean
  /** Whether it allows or blocks senders. */
  hasSenders: boolean
}

/**
 * Sets or removes the password of an address.
 * @param loginHash SHA-256 as hexadecimal digits; null for no login
 * @returns the address; undefined when the owner has no such address
 */
export async function setLoginHash(tx: Tx, owner: Owner, id: string, loginHash: string | null): Promise<string | undefined> {
  const row = await tx.sql.updateTable('addresses').set({ smtp_login_hash: loginHash })
    .where('id', '=', id).$call(ownedBy(owner)).returning('address').executeTakeFirst()
  return row?.address
}

/**
 * Finds the active address of a login.
 * @param isCustom whether its domain is not the default one of this database: a verified domain, or the default one of another cell
 * @throws UnavailableError
 */
export async function findLogin(db: Database, address: string, isCustom: boolean): Promise<LoginHolder | undefined> {
  const { rows } = await selectLogin(db, { address, now: db.now() })
  const found = rows.find(({ domainId }) => (domainId !== null) === isCustom) ?? rows.find(({ domainId }) => domainId === null)
  if (found?.move) throw new UnavailableError('account')
  return found?.hasDomain ? { ...found, hasFaults: Boolean(found.hasFaults), hasSenders: Boolean(found.hasSenders) } : undefined
}

/** Records a login, and lets the address live at least until a time. */
export async function recordLogin(tx: Tx, id: string, until: number): Promise<void> {
  await tx.sql.updateTable('addresses')
    .set({ last_login_at: tx.now, expires_at: raw<number>`case when expires_at < ${until} then ${until} else expires_at end` })
    .where('id', '=', id).where('is_expired', '=', 0).execute()
}

type LoginLookup = { address: string, now: number }
type LoginRow =
  & Omit<LoginHolder, 'hasFaults' | 'hasSenders'> & Pick<AccountRow, 'move'>
  & { domainId: string | null, hasDomain: unknown, hasFaults: SqlBool, hasSenders: SqlBool }

const selectLogin = prepared<LoginLookup, LoginRow>((sql, value) => sql.selectFrom('addresses')
  .innerJoin('accounts', 'accounts.id', 'addresses.account_id')
  .select((row) => [
    'addresses.id', 'addresses.account_id as accountId', 'addresses.mode', 'address', 'last_login_at as lastLoginAt', 'accounts.plan', 'move',
    'addresses.domain_id as domainId', hasDomain(row as never).as('hasDomain'), hasFaults(row as never).as('hasFaults'),
    hasSenders(row as never).as('hasSenders'),
  ])
  .select('smtp_login_hash as hash').$narrowType<{ hash: string }>()
  .where('address', '=', value('address')).where('expires_at', '>', value('now')).where('smtp_login_hash', 'is not', null)
  .where(isPresentOrHeld))
