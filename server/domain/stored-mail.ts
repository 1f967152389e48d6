import { minuteMs } from '../clock.ts'
import type { SourceChunk, StoredMail } from '../context.ts'
import type { CapturedEmailAnswer, Email } from '../contract/types.gen.ts'
import { internalError } from '../errors.ts'
import type { AppError } from '../errors.ts'
import { readHtml } from '../mime/parse/html-range.ts'
import { decodePart } from '../mime/parse/part-decoder.ts'
import { lockAccountIfPresent } from '../store/accounts/accounts.ts'
import { insertMissingRecords } from '../store/accounts/idempotency-keys.ts'
import type { Database, Tx } from '../store/database.ts'
import { cancelJob, enqueue, enqueueOnce } from '../store/jobs/jobs.ts'
import type { StoredAttachment } from '../store/mail/attachments.ts'
import { findEmail } from '../store/mail/emails.ts'
import type { StoredHtml } from '../store/mail/emails.ts'
import { cutBodies } from '../store/mail/excerpt.ts'
import { insertChunk, readRange } from '../store/mail/message-chunks.ts'
import { removeDiscarded, discardMessages, isDiscarded } from '../store/mail/message-removal.ts'
import { findCapturedMail } from '../store/outgoing/captured-mails.ts'
import type { Owner } from '../store/schema/values.ts'

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
 * @throws AppError `INTERNAL_ERROR` when the mail is discarded already; UnavailableError
 */
export async function acceptStored(tx: Tx, { message, discardJobId, records }: StoredMail): Promise<void> {
  if (!await cancelJob(tx, discardJobId)) {
    if (await isDiscarded(tx, message.id)) throw discardedError()
    return
  }
  const accounts = new Set(message.envelope.recipients.map(({ accountId }) => accountId!))
  for (const accountId of accounts) await lockAccountIfPresent(tx, accountId) // it is not held until this is committed
  await enqueue(tx, 'parse-message', message, { lane: { account: message.envelope.recipients[0]?.accountId ?? '' } })
  if (records) await insertMissingRecords(tx, records)
}

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
  if (await removeDiscarded(tx)) await enqueueOnce(tx, 'purge-messages')
}

/** The content of an attachment, decoded while it is read. It ends early when the message is removed. */
export function readAttachment(db: Database, { messageId, range, size }: StoredAttachment): AsyncIterable<Uint8Array> {
  return decodePart(readRange(db, messageId, range), { encoding: range.encoding, size })
}

/** Loaded when an email is read first. */
const loadDetails = () => import('../mime/email-details.ts')

/** An email with its whole HTML body, and with what its members tell a reader. @returns undefined when this owner has no such email */
export async function readEmail(db: Database, owner: Owner, id: string): Promise<Email | undefined> {
  const found = await findEmail(db, owner, id)
  const bodyHtml = found?.html ? await readWholeHtml(db, found.html) : found?.email.bodyHtml
  if (!found || bodyHtml === undefined) return undefined
  return cutBodies((await loadDetails()).withDetails({ ...found.email, bodyHtml }))
}

/** A captured mail with its whole bodies, for administrators. @returns undefined when there is no such mail */
export async function readCapturedMail(db: Database, id: string): Promise<CapturedEmailAnswer['data'] | undefined> {
  const found = await findCapturedMail(db, id)
  if (!found) return undefined
  const html = found.html ? await readWholeHtml(db, found.html) : found.bodyHtml
  return html === undefined ? undefined : { ...found.summary, text: found.bodyText || null, html: html || null }
}

/** @returns undefined when the message was removed meanwhile */
async function readWholeHtml(db: Database, html: StoredHtml): Promise<string | undefined> {
  const bytes = await bytesOf(db, html)
  return bytes.length < html.length ? undefined : readHtml(bytes, html)
}

async function bytesOf(db: Database, html: StoredHtml): Promise<Buffer> {
  if (html.bytes) return Buffer.from(html.bytes.buffer, html.bytes.byteOffset, html.bytes.length)
  return Buffer.concat(await Array.fromAsync(readRange(db, html.messageId, html)))
}
