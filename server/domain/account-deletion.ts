import { nothingFound } from '../errors.ts'
import { removeRowsOf } from '../store/accounts/account-removal.ts'
import { findAccountByEmail, findAccountById, hasAccounts, markDeleted, removeAccountRow } from '../store/accounts/accounts.ts'
import type { Account } from '../store/accounts/accounts.ts'
import { removeLinksOf } from '../store/accounts/sign-in-links.ts'
import { removeDomainsOf } from '../store/addresses/domains.ts'
import { inTransaction } from '../store/database.ts'
import type { Database, Tx } from '../store/database.ts'
import { removeEventsOf } from '../store/events/outbox.ts'
import type { JobPayloads } from '../store/jobs/job-payloads.ts'
import { enqueue, enqueueOnce } from '../store/jobs/jobs.ts'

export interface DeletedAccount extends Account {
  /** Whether no account is left. */
  isLast: boolean
}

/**
 * Deletes an account. From the commit on its keys are refused, its addresses receive no mail, its outgoing mail and webhooks stop, its
 * domains are free for other accounts, and so is its e-mail address. A job removes its rows.
 * @throws AppError `NOT_FOUND`
 */
export function deleteAccount(db: Database, email: string): Promise<DeletedAccount> {
  return inTransaction(db, async (tx) => {
    const account = await findAccountToDelete(tx, email)
    await endAccount(tx, account.id)
    return { ...account, isLast: !await hasAccounts(tx) }
  })
}

/** Marks an account as deleted, in the transaction of its deletion, and queues the removal of its rows. */
export async function endAccount(tx: Tx, id: string): Promise<void> {
  const account = await findAccountById(tx, id)
  if (account) await removeLinksOf(tx, account.email) // else a link signs in to a later account with this e-mail address
  await markDeleted(tx, id)
  await removeDomainsOf(tx, id)
  await enqueue(tx, 'purge-account', { accountId: id, eventsAfter: 0 })
}

/** @throws AppError `NOT_FOUND` */
export async function findAccountToDelete(db: Database | Tx, email: string): Promise<Account> {
  const account = await findAccountByEmail(db, email)
  if (!account) throw nothingFound(`There is no account ${email}. "mayfly account list" shows the e-mail addresses of the accounts.`)
  return account
}

/** Maximum rows that one transaction removes, so that it does not block others for long. */
const maxRowsAtOnce = 200
/** Maximum events, of all accounts, among which one transaction looks for those of the account. */
const maxEventsAtOnce = 500

/** Removes the rows of a deleted account, some at a time, and the account last. Each step begins where the rows that are left begin. */
export async function purgeAccount(tx: Tx, { accountId, eventsAfter }: JobPayloads['purge-account']): Promise<void> {
  if (eventsAfter !== null) {
    const next = await removeEventsOf(tx, accountId, { after: eventsAfter, limit: maxEventsAtOnce }) ?? null
    await enqueue(tx, 'purge-account', { accountId, eventsAfter: next })
    return
  }
  const isDone = await removeRowsOf(tx, accountId, maxRowsAtOnce)
  await enqueueOnce(tx, 'purge-messages')
  if (isDone) await removeAccountRow(tx, accountId)
  else await enqueue(tx, 'purge-account', { accountId, eventsAfter })
}
