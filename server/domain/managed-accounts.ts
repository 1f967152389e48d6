import type { ManagedAccount, ManagedAccountCreate } from '../contract/types.gen.ts'
import type { App, Caller, Services } from '../context.ts'
import { conflict, invalidRequest, notFound } from '../errors.ts'
import { accountEmail, maxAccountEmailLength } from '../mailbox.ts'
import { findAccountById, insertAccount, updatePlan } from '../store/accounts/accounts.ts'
import { findManagedAccount, listManagedAccounts } from '../store/accounts/managed-accounts.ts'
import type { AccountFilter, ManagedAccountRecord } from '../store/accounts/managed-accounts.ts'
import type { Tx } from '../store/database.ts'
import type { Plan } from '../store/schema/values.ts'
import { endAccount } from './account-deletion.ts'
import { oneMailbox } from './sending.ts'

/** The accounts of the server, for its administrators. */
export async function readManagedAccounts(app: App, filter: AccountFilter): Promise<{ data: ManagedAccount[], hasMore: boolean }> {
  const { accounts, hasMore } = await listManagedAccounts(app.db, filter)
  return { data: accounts.map((account) => toManaged(app, account)), hasMore }
}

/**
 * Creates an account for another person. No mail is sent.
 * @throws AppError `INVALID_REQUEST` when the email is not one address, `CONFLICT` when it has an account
 */
export async function createManagedAccount(tx: Tx, app: Services, input: ManagedAccountCreate): Promise<ManagedAccount> {
  const email = emailOfAccount(input.email)
  const { id } = await insertAccount(tx, email, input.plan)
  return readManaged(app, tx, id)
}

/** Changes the plan of an account. @throws AppError `NOT_FOUND` */
export async function changeManagedPlan(tx: Tx, app: Services, id: string, plan: Plan): Promise<ManagedAccount> {
  if (!await updatePlan(tx, id, plan)) throw notFound('account')
  return readManaged(app, tx, id)
}

/**
 * Deletes another account. The caller is an administrator who stays, so a server does not lose its last one. The right of the first
 * account of the database to administrate is deleted with it.
 * @throws AppError `NOT_FOUND`, `CONFLICT` for the account of the caller
 */
export async function deleteManagedAccount(tx: Tx, { accountId, member }: Caller, id: string): Promise<void> {
  const account = await findAccountById(tx, id)
  if (id === accountId || account && account.email === member?.email) throw ownAccount()
  if (!account) throw notFound('account')
  await endAccount(tx, id)
}

const ownAccount = () => conflict('This is the account that you are signed in with. Another administrator can delete it.')

/** The email address of a new account. @throws AppError `INVALID_REQUEST` */
export function emailOfAccount(text: string): string {
  oneMailbox('body.email', text)
  const email = accountEmail(text)
  if (email === undefined) throw invalidRequest('body.email', `must have at most ${maxAccountEmailLength} characters, its domain as A-labels`)
  return email
}

const readManaged = async (app: Services, tx: Tx, id: string) => toManaged(app, (await findManagedAccount(tx, id))!)

const toManaged = ({ config }: Services, { isStoredAdmin, ...account }: ManagedAccountRecord): ManagedAccount =>
  ({ ...account, isAdmin: isStoredAdmin || config.admins.includes(account.email) })
