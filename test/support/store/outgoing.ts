import { inTransaction } from '../../../server/store/database.ts'
import { countedLater } from '../../../server/store/outgoing/mail-counts.ts'
import { insertMailDelivery, retryMailDeliveries } from '../../../server/store/outgoing/mail-deliveries.ts'
import { listOutgoingMails } from '../../../server/store/outgoing/outgoing-mails.ts'
import type { TestApp } from '../app.ts'

/** Writes the delivery of an email that is forwarded, without a job that would make it. @returns its id */
export async function addForward({ app }: TestApp, emailId: string, recipient: string): Promise<string> {
  const email = await app.db.sql.selectFrom('emails').selectAll().where('id', '=', emailId).executeTakeFirstOrThrow()
  return inTransaction(app.db, (tx) => insertMailDelivery(tx, { accountId: email.account_id, mode: email.mode }, {
    kind: 'forward', emailId: email.id, messageId: email.message_id, recipient,
  }, countedLater))
}

/** Writes the failed delivery of a verification mail whose source is not kept any more. @returns its id */
export function addFailedVerification({ app }: TestApp, recipient: string, failureReason: string): Promise<string> {
  return inTransaction(app.db, (tx) => insertMailDelivery(tx, { accountId: '', mode: 'live' }, {
    kind: 'verification', emailId: null, messageId: 'gone', recipient, failureReason,
  }, countedLater))
}

/** When deferred mail is tried next. */
export async function nextAttempts({ app }: TestApp): Promise<(string | null)[]> {
  return (await listOutgoingMails(app.db, { statuses: ['deferred'], limit: 10 })).map(({ nextAttemptAt }) => nextAttemptAt)
}

/** Makes deferred mail due now, as the start of the server does. */
export async function retryDeferred({ app }: TestApp): Promise<void> {
  await inTransaction(app.db, retryMailDeliveries)
}

/** Adds mails to every counter of the ledger that has begun. */
export const addToMailCounts = ({ app }: TestApp, mails: number): Promise<unknown> =>
  inTransaction(app.db, (tx) => tx.sql.updateTable('mail_counts').set((row) => ({ mails: row('mails', '+', mails) })).execute())
