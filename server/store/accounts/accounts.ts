import { timestamp } from '../../clock.ts'
import { conflict, invalidApiKey, nothingFound, UnavailableError } from '../../errors.ts'
import type { AppError } from '../../errors.ts'
import { accountEmail } from '../../mailbox.ts'
import { counterStep } from '../changes/group-end.ts'
import { prepared } from '../changes/prepared.ts'
import type { Database, Tx } from '../database.ts'
import { ofAccount } from '../owner.ts'
import type { AccountRow } from '../schema/accounts.ts'
import type { TotalsRow } from '../schema/counts.ts'
import type { Schema } from '../schema/schema.ts'
import type { Plan, Tenant } from '../schema/values.ts'

export interface Account {
  id: string
  email: string
  plan: Plan
  createdAt: string
}

/**
 * @param options whether it is that of an administrator, and whether a sign-in link creates it, not the operator
 * @throws AppError `CONFLICT` when the e-mail address has an account
 */
export async function insertAccount(
  tx: Tx, email: string, plan: Plan, { isAdmin = false, hasSignedUp = false }: { isAdmin?: boolean, hasSignedUp?: boolean } = {},
): Promise<Account> {
  const row = await tx.sql.insertInto('accounts')
    .values({ id: tx.newId(), email, plan, created_at: tx.now, is_admin: Number(isAdmin), has_signed_up: Number(hasSignedUp) })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returningAll().executeTakeFirst()
  if (!row) throw conflict(`${email} has an account already.`)
  return toAccount(row)
}

/** @returns undefined when there is no such account */
export async function updatePlan(tx: Tx, id: string, plan: Plan): Promise<Account | undefined> {
  const row = await tx.sql.updateTable('accounts').set({ plan }).where('id', '=', id).where('deleted_at', 'is', null)
    .returningAll().executeTakeFirst()
  return row && toAccount(row)
}

/**
 * @param wanted the account's e-mail address in any form, or its id
 * @throws AppError `NOT_FOUND`
 */
export async function findAccount(db: Database | Tx, wanted: string): Promise<Account> {
  return await findAccountByEmail(db, wanted) ?? await findAccountById(db, wanted.toLowerCase()) ?? noAccount(wanted)
}

/** @param email in any form @returns undefined when no account has this e-mail address */
export async function findAccountByEmail(db: Database | Tx, email: string): Promise<Account | undefined> {
  const written = email.toLowerCase()
  const names = [accountEmail(email) ?? written, written] // as written: earlier versions stored what the command line got
  const rows = await selectPresent(db).selectAll().where('email', 'in', names).execute()
  const row = rows.find((each) => each.email === names[0]) ?? rows[0]
  return row && toAccount(row)
}

/** @returns undefined when there is no such account */
export async function findAccountById(db: Database | Tx, id: string): Promise<Account | undefined> {
  const row = await selectPresent(db).selectAll().where('id', '=', id).executeTakeFirst()
  return row && toAccount(row)
}

/** The facts of an account that limit its mail. An account that is gone has those of the strictest limits. */
export async function findSender(db: Database | Tx, id: string): Promise<{ plan: Plan, createdAt: number, hasSignedUp: boolean }> {
  const row = await db.sql.selectFrom('accounts').select(['plan', 'created_at', 'has_signed_up']).where('id', '=', id).executeTakeFirst()
  return row ? { plan: row.plan, createdAt: row.created_at, hasSignedUp: row.has_signed_up === 1 } : { plan: 'free', createdAt: Infinity, hasSignedUp: true }
}

/** Whether the account with this address is one of those that administrate the server without MAYFLY_ADMINS. */
export async function isStoredAdmin(db: Database, email: string): Promise<boolean> {
  const row = await selectPresent(db).select('is_admin').where('email', '=', email).executeTakeFirst()
  return row?.is_admin === 1
}

export async function listAccounts(db: Database): Promise<Account[]> {
  return (await selectPresent(db).selectAll().orderBy('id').execute()).map(toAccount)
}

export async function hasAccounts(db: Database | Tx): Promise<boolean> {
  return await selectPresent(db).select('id').limit(1).executeTakeFirst() !== undefined
}

/**
 * Marks an account as deleted, so its keys are refused and its addresses receive no mail from this commit on. Its e-mail address is free
 * for another account: the id, which is no e-mail address, takes its place.
 */
export async function markDeleted(tx: Tx, id: string): Promise<void> {
  await tx.sql.updateTable('accounts').set({ email: id, deleted_at: tx.now }).where('id', '=', id).execute()
}

/**
 * Locks an account until the transaction ends.
 * @returns whether it is there and not deleted @throws UnavailableError while it moves to another database
 */
export async function lockAccountIfPresent(tx: Tx, accountId: string): Promise<boolean> {
  await tx.engine.locks.lockRowForShare(tx, 'accounts', accountId)
  const { rows: [row] } = await selectState(tx, { accountId })
  if (row?.move) throw new UnavailableError('account')
  return row?.deleted_at === null
}

/** @throws UnavailableError for an account that was found before, and moves to another database or has moved */
export async function refuseMoving(db: Database | Tx, accountId: string): Promise<void> {
  const { rows: [row] } = await selectState(db, { accountId })
  if (row?.move) throw new UnavailableError('account')
}

/** The account of a caller was deleted after the caller was authenticated. */
export const accountDeleted = (): AppError => invalidApiKey('The account of this API key was deleted.')

/** Removes the row of a deleted account. Its other rows are removed before: the cascade of the database has no limit. */
export async function removeAccountRow(tx: Tx, id: string): Promise<void> {
  await tx.sql.deleteFrom('accounts').where('id', '=', id).where('deleted_at', 'is not', null).execute()
}

const selectPresent = (db: Database | Tx) => db.sql.selectFrom('accounts').where('deleted_at', 'is', null)

const selectState = prepared<{ accountId: string }, Pick<AccountRow, 'deleted_at' | 'move'>>((sql, value) => sql.selectFrom('accounts')
  .select(['deleted_at', 'move']).where('id', '=', value('accountId')))

function noAccount(wanted: string): never {
  throw nothingFound(`There is no account ${wanted}. Create it with: mayfly account create --email ${wanted} --plan business`)
}

const toAccount = (row: AccountRow): Account =>
  ({ id: row.id, email: row.email, plan: row.plan, createdAt: timestamp(row.created_at) })

interface TotalsChange {
  addresses: number
  activeAddresses: number
  auditLogs: number
}

/** Adds to the totals of an owner, in the transaction that changes what they count. */
export function addToTotals(
  tx: Tx, { accountId, mode }: Tenant, { addresses = 0, activeAddresses = 0, auditLogs = 0 }: Partial<TotalsChange>,
): void {
  tx.atEnd(totalsStep, { account_id: accountId, mode, addresses, active_addresses: activeAddresses, audit_logs: auditLogs })
}

const totalsStep = counterStep<TotalsRow>({
  table: 'totals', key: ['account_id', 'mode'], amounts: ['addresses', 'active_addresses', 'audit_logs'],
})

/** Adds bytes to the counter of an account's stored mail; a negative number subtracts. */
export function addAccountBytes(tx: Tx, accountId: string, bytes: number): void {
  tx.atEnd(bytesStep, { account_id: accountId, bytes })
}

/** Bytes of an account's stored mail, in live and test mode. A mail to several accounts counts in each. */
export async function accountBytes(db: Database, accountId: string): Promise<number> {
  return (await selectBytes(db, { accountId })).rows[0]?.bytes ?? 0
}

const bytesStep = counterStep<Schema['account_bytes']>({ table: 'account_bytes', key: ['account_id'], amounts: ['bytes'] })

const selectBytes = prepared<{ accountId: string }, { bytes: number }>((sql, value) =>
  sql.selectFrom('account_bytes').select('bytes').$call(ofAccount(value('accountId'))))
