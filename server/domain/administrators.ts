import type { App, Caller } from '../context.ts'
import { missingScope } from '../errors.ts'
import { accountDeleted, findAccountById, isStoredAdmin } from '../store/accounts/accounts.ts'

/** Whether an account administrates the server: the first account of the database, and those of MAYFLY_ADMINS. */
export async function isAdmin({ db, config }: App, { id, email }: { id: string, email: string }): Promise<boolean> {
  return config.admins.includes(email) || isStoredAdmin(db, id)
}

/** @throws AppError `MISSING_SCOPE` unless the caller's account administrates the server, `INVALID_API_KEY` when it was just deleted */
export async function requireAdmin(app: App, { accountId }: Caller): Promise<void> {
  const account = await findAccountById(app.db, accountId)
  if (!account) throw accountDeleted()
  if (await isAdmin(app, account)) return
  throw missingScope('This is for administrators of the server. The variable MAYFLY_ADMINS names their addresses.')
}
