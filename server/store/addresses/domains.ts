import { timestamp } from '../../clock.ts'
import type { Domain } from '../../contract/types.gen.ts'
import type { Database, Tx } from '../database.ts'
import { ofAccount, ownedBy, unbound } from '../owner.ts'
import type { DomainRow } from '../schema/addresses.ts'
import type { Owner, Plan, Tenant } from '../schema/values.ts'

/** The result of a DNS lookup of a record that a domain must have. */
export type DnsFinding =
  | { kind: 'found' | 'missing' }
  | { kind: 'wrong', instead: string }
  /** The name servers gave no answer. */
  | { kind: 'unknown', reason: string }

export interface DomainFindings {
  txt: DnsFinding
  mx: DnsFinding
  /** Whether an account of another cell has verified the domain, which stays pending then. */
  isHeldElsewhere?: boolean
}

/** A domain with all that is stored of it. Times are milliseconds since 1970. */
export interface StoredDomain extends Tenant {
  id: string
  domain: string
  /** The value of its TXT record. */
  token: string
  status: DomainRow['status']
  createdAt: number
  verifiedAt: number | null
  /** When it was added, lost its verification, or a check was last requested: its checks are planned from there. */
  pendingSince: number
  /** Failed checks in a row. */
  failures: number
  /** The id of the job that checked it last, and the results of that check. */
  checkedBy: string | null
  findings: DomainFindings | null
  /** The address that gets mail to names that were not issued. */
  catchAllId: string | null
}

/** @returns undefined when the owner has this domain already */
export async function insertDomain(tx: Tx, owner: Tenant, input: { domain: string, token: string }): Promise<StoredDomain | undefined> {
  const row = await tx.sql.insertInto('domains').values({
    id: tx.newId(),
    account_id: owner.accountId,
    mode: owner.mode,
    domain: input.domain,
    token: input.token,
    status: 'pending',
    created_at: tx.now,
    verified_at: null,
    pending_since: tx.now,
    failures: 0,
    checked_by: null,
    findings: null,
    catch_all_id: null,
  })
    .onConflict((conflict) => conflict.columns(['account_id', 'mode', 'domain']).doNothing())
    .returningAll().executeTakeFirst()
  return row && toStoredDomain(row)
}

/** No other transaction counts them until this one ends. */
export async function countDomains(tx: Tx, owner: Owner): Promise<number> {
  await tx.engine.locks.lockName(tx, `domains/${owner.accountId}/${owner.mode}`)
  const { total } = await tx.sql.selectFrom('domains').select((count) => count.fn.countAll<number>().as('total'))
    .$call(ownedBy(owner)).executeTakeFirstOrThrow()
  return total
}

/** All domains of the owner, newest first. */
export async function listDomains(db: Database, owner: Owner): Promise<Domain[]> {
  const rows = await db.sql.selectFrom('domains').selectAll()
    .$call(ownedBy(owner)).orderBy('id', 'desc').execute()
  return rows.map((row) => toDomain(toStoredDomain(row)))
}

export async function findDomain(db: Database | Tx, owner: Owner, id: string): Promise<StoredDomain | undefined> {
  const row = await db.sql.selectFrom('domains').selectAll().where('id', '=', id).$call(ownedBy(owner)).executeTakeFirst()
  return row && toStoredDomain(row)
}

/** A domain of any owner that is going to be changed, or whose status decides: no other transaction changes it until this one ends. */
export async function lockDomain(tx: Tx, id: string): Promise<StoredDomain | undefined> {
  await tx.engine.locks.lockRow(tx, 'domains', id)
  return findDomainById(tx, id)
}

/** A domain of any owner. */
export async function findDomainById(db: Database | Tx, id: string): Promise<StoredDomain | undefined> {
  const row = await db.sql.selectFrom('domains').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toStoredDomain(row)
}

/** A domain at which the owner may have addresses, until the transaction ends. @returns its id */
export async function lockVerifiedDomainForShare(tx: Tx, owner: Tenant, domain: string): Promise<string | undefined> {
  const find = () => tx.sql.selectFrom('domains').select('id').where('domain', '=', domain).where('status', '=', 'verified')
    .$call(ownedBy(unbound(owner))).executeTakeFirst()
  const found = await find()
  if (!found) return undefined
  return await tx.engine.locks.lockRowForShare(tx, 'domains', found.id) === 'may have changed' ? (await find())?.id : found.id
}

/** The account that has verified a domain. */
export interface DomainHolder extends Tenant {
  domainId: string
  plan: Plan
}

export async function findDomainHolder(db: Database | Tx, domain: string): Promise<DomainHolder | undefined> {
  return db.sql.selectFrom('domains').innerJoin('accounts', 'accounts.id', 'domains.account_id')
    .select(['domains.id as domainId', 'domains.account_id as accountId', 'domains.mode', 'accounts.plan'])
    .where('domain', '=', domain).where('status', '=', 'verified').executeTakeFirst()
}

/** Whether an account holds this domain, so that its mail comes here. */
export async function isVerifiedDomain(db: Database | Tx, domain: string): Promise<boolean> {
  const row = await db.sql.selectFrom('domains').select('id').where('domain', '=', domain).where('status', '=', 'verified').executeTakeFirst()
  return row !== undefined
}

/** Marks a domain as verified unless another account holds the name. @returns whether it did */
export async function takeDomain(tx: Tx, { id, domain }: StoredDomain): Promise<boolean> {
  await tx.engine.locks.lockName(tx, `verified domain/${domain}`) // else the unique index fails one of two that are verified at the same time
  const { numUpdatedRows } = await tx.sql.updateTable('domains').set({ status: 'verified', verified_at: tx.now, failures: 0 })
    .where('id', '=', id)
    .where(({ not, exists, selectFrom }) => not(exists(selectFrom('domains as held').select('held.id')
      .where('held.domain', '=', domain).where('held.status', '=', 'verified'))))
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** @param change at least one member; members that are undefined stay as they are */
export async function updateDomain(tx: Tx, id: string, change: DomainChange): Promise<void> {
  await tx.sql.updateTable('domains').set({
    status: change.status,
    verified_at: change.verifiedAt,
    pending_since: change.pendingSince,
    failures: change.failures,
    checked_by: change.checkedBy,
    findings: change.findings && JSON.stringify(change.findings),
    catch_all_id: change.catchAllId,
  }).where('id', '=', id).execute()
}

export type DomainChange = Partial<Pick<StoredDomain, 'status' | 'verifiedAt' | 'pendingSince' | 'failures' | 'checkedBy' | 'findings' | 'catchAllId'>>

/** Ends the catch-all of domains by a removed address. */
export async function endCatchAll(tx: Tx, owner: Tenant, addressId: string): Promise<void> {
  await tx.sql.updateTable('domains').set({ catch_all_id: null }).where('catch_all_id', '=', addressId).$call(ownedBy(unbound(owner))).execute()
}

/** Removes a domain. Its addresses stay, and receive no mail. @returns false when there is none */
export async function removeDomain(tx: Tx, owner: Owner, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx.sql.deleteFrom('domains')
    .where('id', '=', id).$call(ownedBy(owner)).executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}

/** Removes the domains of a deleted account, which are limited in number, so that other accounts may verify them at once. */
export async function removeDomainsOf(tx: Tx, accountId: string): Promise<void> {
  await tx.sql.deleteFrom('domains').$call(ofAccount(accountId)).execute()
}

const toStoredDomain = (row: DomainRow): StoredDomain => ({
  id: row.id,
  accountId: row.account_id,
  mode: row.mode,
  domain: row.domain,
  token: row.token,
  status: row.status,
  createdAt: row.created_at,
  verifiedAt: row.verified_at,
  pendingSince: row.pending_since,
  failures: row.failures,
  checkedBy: row.checked_by,
  findings: row.findings === null ? null : JSON.parse(row.findings) as DomainFindings,
  catchAllId: row.catch_all_id,
})

/** A domain as the API shows it. */
export const toDomain = ({ id, domain, status, createdAt, catchAllId }: StoredDomain): Domain =>
  ({ id, domain, status, createdAt: timestamp(createdAt), catchAllId })
