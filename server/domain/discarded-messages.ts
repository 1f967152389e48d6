import { minuteMs } from '../durations.ts'
import { internalError } from '../errors.ts'
import type { AppError } from '../errors.ts'
import type { Tx } from '../store/database.ts'
import { enqueueOnce } from '../store/jobs/jobs.ts'
import { deleteDiscarded, discardMessages } from '../store/mail/message-removal.ts'

/** A stored mail is discarded unless a transaction accepts it within this time. The SMTP limits are lower, and composing takes far less. */
export const maxStorageMs = 15 * minuteMs

/** Marks a message without an email for removal, and queues the job that removes it. */
export async function discardMessage(tx: Tx, messageId: string): Promise<void> {
  await discardMessages(tx, [messageId])
  await enqueueOnce(tx, 'purge-messages')
}

/** The error of a mail that its job has discarded before the transaction that accepts it. */
export const discardedError = (): AppError =>
  internalError(`This server took more than ${maxStorageMs / minuteMs} minutes to store the mail, and has discarded it. Send it again.`)

/** Removes messages without an email, some at a time. */
export async function purgeDiscarded(tx: Tx): Promise<void> {
  if (await deleteDiscarded(tx)) await enqueueOnce(tx, 'purge-messages')
}
