import { internalError } from '../errors.ts'
import type { AppError } from '../errors.ts'
import type { Tx } from '../store/database.ts'
import { enqueueOnce } from '../store/jobs/jobs.ts'
import { deleteDiscarded, discardMessages } from '../store/mail/message-removal.ts'

/** Marks a message without an email for removal, and queues the job that removes it. */
export async function discardMessage(tx: Tx, messageId: string): Promise<void> {
  await discardMessages(tx, [messageId])
  await enqueueOnce(tx, 'purge-messages')
}

/** The error of a mail that its job has discarded before the transaction that accepts it. */
export const discardedError = (): AppError =>
  internalError('This server took more than 15 minutes to store the mail, and has discarded it. Send it again.')

/** Removes messages without an email, some at a time. */
export async function purgeDiscarded(tx: Tx): Promise<void> {
  if (await deleteDiscarded(tx)) await enqueueOnce(tx, 'purge-messages')
}
