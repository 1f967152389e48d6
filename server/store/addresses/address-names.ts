import { sql as raw } from 'kysely'
import { addToTotals } from '../accounts/accounts.ts'
import { prepared } from '../changes/prepared.ts'
import type { Database, Tx } from '../database.ts'
import { countKeyOf, removeCounts } from '../mail/email-counts.ts'
import { hasAccount, ofAccount } from '../owner.ts'
import type { Bit } from '../schema/values.ts'
import { lockDomain } from './domains.ts'

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

/** Whether an address at the default domain is, or was within `nameRestMs`, one of another account, which may be deleted. */
export async function isNameOfOther(db: Database, accountId: string, address: string): Promise<boolean> {
  const name = await db.sql.selectFrom('address_names').select('account_id as accountId')
    .where('address', '=', address).where('domain_id', '=', '')
    .where((row) => row.or([row('released_at', 'is', null), row('released_at', '>', db.now() - nameRestMs)]))
    .executeTakeFirst()
  return name !== undefined && name.accountId !== accountId
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
  const { numUpdatedRows } = await tx.sql.updateTable('address_names')
    .set(({ fn }) => ({ account_id: null, released_at: fn.coalesce('released_at', raw.val(tx.now)) }))
    .where(({ eb, refTuple, selectFrom }) => eb(refTuple('address', 'domain_id'), 'in',
      selectFrom('address_names').select(['address', 'domain_id']).$call(ofAccount(accountId)).limit(limit).$asTuple('address', 'domain_id')))
    .$call(ofAccount(accountId)) // a name that another account claims meanwhile stays
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/**
 * Reserves the names at the default domain of an account that is in another database: its addresses live there. Names of addresses
 * that have ended are reserved for the rest of their time.
 */
export async function reserveNamesOf(tx: Tx, accountId: string): Promise<void> {
  await tx.sql.updateTable('address_names').set({ account_id: null }).$call(ofAccount(accountId)).where('domain_id', '=', '').execute()
}

/** Ends the reservation of a name at the default domain for a deleted account: for names that no account can choose. */
export async function freeNameOfDeleted(tx: Tx, address: string): Promise<void> {
  await tx.sql.deleteFrom('address_names').where('address', '=', address).where('domain_id', '=', '')
    .where((row) => row.not(hasAccount('address_names')(row))).execute()
}

/** Releases some names `nameRestMs` after their address has ended: any account may have them. @returns how many */
export async function removeRestedNames(tx: Tx, limit: number): Promise<number> {
  const restedSince = tx.now - nameRestMs
  const { numDeletedRows } = await tx.sql.deleteFrom('address_names')
    .where(({ eb, refTuple, selectFrom }) => eb(refTuple('address', 'domain_id'), 'in',
      selectFrom('address_names').select(['address', 'domain_id']).where('released_at', '<=', restedSince).limit(limit)
        .$asTuple('address', 'domain_id')))
    .where('released_at', '<=', restedSince) // a name that is claimed again meanwhile stays
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
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

/**
 * Updates `is_bound` of some addresses of a domain, and the number of active addresses. Expired addresses keep theirs: no query reads it.
 * @returns how many were changed
 */
export async function bindAddresses(tx: Tx, domainId: string, limit: number): Promise<number> {
  const isBound = (await lockDomain(tx, domainId))?.status === 'verified' ? 1 : 0
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
