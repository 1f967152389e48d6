import type { SourceChunk, StoredMail } from '../context.ts'
import { insertMissingRecords } from '../store/accounts/change-records.ts'
import type { Tx } from '../store/database.ts'
import { cancelJob, enqueue } from '../store/jobs/jobs.ts'
import { insertChunk } from '../store/mail/message-chunks.ts'
import { isDiscarded } from '../store/mail/message-removal.ts'
import { discardedError, maxStorageMs } from './discarded-messages.ts'

/**
 * Stores the first chunk, and a job that discards the chunks: it removes them if this process dies before the mail is complete.
 * @returns the id of that job
 */
export async function storeFirstChunk(tx: Tx, chunk: SourceChunk): Promise<string> {
  await insertChunk(tx, chunk)
  return enqueue(tx, 'discard-message', { messageId: chunk.messageId }, { runAt: tx.now + maxStorageMs })
}

/**
 * Accepts a stored mail: a job parses it. Its lane is the account of the first recipient, so accounts take turns; delivery reports to
 * return paths share one lane. Does nothing when the mail is accepted already. If the job that discards the mail runs at this moment, its
 * claim is lost, and the mail stays.
 * @throws AppError `INTERNAL_ERROR` when the mail is discarded already
 */
export async function acceptStored(tx: Tx, { message, discardJobId, records }: StoredMail): Promise<void> {
  if (!await cancelJob(tx, discardJobId)) {
    if (await isDiscarded(tx, message.id)) throw discardedError()
    return
  }
  await enqueue(tx, 'parse-message', message, { lane: { account: message.envelope.recipients[0]?.accountId ?? '' } })
  if (records) await insertMissingRecords(tx, records)
}
