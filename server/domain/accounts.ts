import type { App } from '../context.ts'
import { invalidInput } from '../errors.ts'
import { accountEmail } from '../mailbox.ts'
import { findAccount, findAccountByEmail, hasAccounts, insertAccount, updatePlan } from '../store/accounts/accounts.ts'
import type { Account } from '../store/accounts/accounts.ts'
import { aloneAmongNodes, inTransaction } from '../store/database.ts'
import type { Database, Tx } from '../store/database.ts'
import type { Plan } from '../store/schema/values.ts'
import { createApiKey } from './api-keys.ts'

/**
 * Creates an account. The first one of a database is that of an administrator.
 * @throws AppError `INVALID_REQUEST` for the address, `CONFLICT` when it has an account
 */
export async function createAccount(db: Database, email: string, plan: Plan): Promise<Account> {
  const address = accountEmail(email)
  if (address === undefined) throw invalidInput(`"${email}" is not an e-mail address.`)
  return addAccount(db, address, plan)
}

const addAccount = (db: Database, email: string, plan: Plan): Promise<Account> => inTransaction(db, async (tx) => {
  await tx.engine.locks.lockName(tx, 'first account')
  return insertAccount(tx, email, plan, { isAdmin: !await hasAccounts(tx) })
})

/** @throws AppError `NOT_FOUND` */
export function changePlan(db: Database, email: string, plan: Plan): Promise<Account> {
  return inTransaction(db, async (tx) => (await updatePlan(tx, (await findAccount(tx, email)).id, plan))!)
}

/** The account of the operator: it also gets the mail for the postmaster of the default domain. */
export const ownerEmail = (defaultDomain: string): string => `owner@${defaultDomain}`

/** @returns the id of the account of the operator */
export async function findOwnerAccount({ db, config }: Pick<App, 'config'> & { db: Database | Tx }): Promise<string | undefined> {
  return (await findAccountByEmail(db, ownerEmail(config.defaultDomain)))?.id
}

/** On a database without accounts, creates a Business account for the operator, with the key of MAYFLY_INITIAL_API_KEY or a new one. */
export function createFirstKey(app: App): Promise<{ account: string, key: string } | undefined> {
  return aloneAmongNodes(app.db, () => createMissingKey(app))
}

async function createMissingKey(app: App) {
  if (await hasAccounts(app.db)) return undefined
  const account = await addAccount(app.db, ownerEmail(app.config.defaultDomain), 'business')
  const { key } = await createApiKey(app.db, {
    account: account.id, name: 'first key', scopes: [], isTest: false, ...app.config.initialApiKey !== null && { value: app.config.initialApiKey },
  })
  return { account: account.email, key }
}
