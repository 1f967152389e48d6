import type { App, Caller } from '../context.ts'
import { missingScope } from '../errors.ts'
import { findAccount, isStoredAdmin } from '../store/accounts/accounts.ts'

/** Whether an account administrates the server: the first account of the database, and those of MAYFLY_ADMINS. */
export async function isAdmin({ db, config }: App, { id, email }: { id: string, email: string }): Promise<boolean> {
  return config.admins.includes(email) || isStoredAdmin(db, id)
}

/** @throws AppError `MISSING_SCOPE` unless the account of the caller administrates the server */
export async function requireAdmin(app: App, { accountId }: Caller): Promise<void> {
  if (await isAdmin(app, await findAccount(app.db, accountId))) return
  throw missingScope('This is for administrators of the server. The variable MAYFLY_ADMINS names their addresses.')
}
