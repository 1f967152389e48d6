import * as accounts from '../../../server/domain/accounts.ts'
import * as deletion from '../../../server/domain/account-deletion.ts'
import type { DeletedAccount } from '../../../server/domain/account-deletion.ts'
import * as apiKeys from '../../../server/domain/api-keys.ts'
import type { ApiKey, KeyHolder } from '../../../server/store/accounts/api-keys.ts'
import { findAccount, insertAccount } from '../../../server/store/accounts/accounts.ts'
import type { Account } from '../../../server/store/accounts/accounts.ts'
import { inTransaction } from '../../../server/store/database.ts'
import type { Plan } from '../../../server/store/schema/values.ts'
import type { TestApp } from '../app.ts'

export const createAccount = ({ app }: TestApp, email: string, plan: Plan = 'business'): Promise<Account> =>
  accounts.createAccount(app.db, email, plan)

/** An account with an address of any form, as earlier versions took them. */
export const storeAccount = ({ app }: TestApp, email: string): Promise<Account> => inTransaction(app.db, (tx) => insertAccount(tx, email, 'free'))

export const emailOfAccount = async ({ app }: TestApp, id: string): Promise<string> => (await findAccount(app.db, id)).email

export const changePlan = ({ app }: TestApp, email: string, plan: Plan): Promise<Account> => accounts.changePlan(app.db, email, plan)

/** Deletes an account as the command line does; the server removes its rows. */
export const deleteAccount = ({ app }: TestApp, email: string): Promise<DeletedAccount> => deletion.deleteAccount(app.db, email)

/** The e-mail address of the account of a key. */
export async function emailOf(app: TestApp, key: string): Promise<string> {
  return (await findAccount(app.app.db, (await ownerOf(app, key)).accountId)).email
}

/** A live key with the default scopes, to be revoked: its id is known. @param input.value in place of a random one */
export const createApiKey = (
  { app }: TestApp, account: string, input: Partial<apiKeys.ApiKeyInput> = {},
): Promise<ApiKey & { key: string }> =>
  apiKeys.createApiKey(app.db, { account, name: 'a key', scopes: [], isTest: false, ...input })

export const revokeApiKey = ({ app }: TestApp, id: string): Promise<ApiKey> => apiKeys.revokeApiKey(app.db, id)

/** Removes a key, so that the server has never known it. */
export async function deleteApiKey({ app }: TestApp, id: string): Promise<void> {
  await inTransaction(app.db, (tx) => tx.sql.deleteFrom('api_keys').where('id', '=', id).execute())
}

/** The account and mode of a key, by default of the first one. */
export async function ownerOf({ app, key: firstKey }: TestApp, key = firstKey): Promise<KeyHolder> {
  const holder = await apiKeys.openKeyLookup(app.db)(key)
  if (!holder) throw new Error('no account has this key')
  return holder
}

/** Removes all accounts and their addresses. */
export async function removeAccounts({ app }: TestApp): Promise<void> {
  await inTransaction(app.db, async (tx) => {
    await tx.sql.deleteFrom('addresses').execute()
    await tx.sql.deleteFrom('accounts').execute()
  })
}
