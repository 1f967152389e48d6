import type { CapturedEmailAnswer, Email } from '../contract/types.gen.ts'
import { decodePart } from '../mime/decode-part.ts'
import { readHtml } from '../mime/parse/html-range.ts'
import type { StoredAttachment } from '../store/mail/attachments.ts'
import type { Database } from '../store/database.ts'
import { findEmail } from '../store/mail/emails.ts'
import { readRange } from '../store/mail/message-chunks.ts'
import type { StoredHtml } from '../store/mail/stored-html.ts'
import { findCapturedMail } from '../store/outgoing/captured-mails.ts'
import type { Owner } from '../store/owner.ts'

/** The content of an attachment, decoded while it is read. It ends early when the message is removed. */
export function readAttachment(db: Database, { messageId, range, size }: StoredAttachment): AsyncIterable<Uint8Array> {
  return decodePart(readRange(db, messageId, range), { encoding: range.encoding, size })
}

/** An email with its whole HTML body. @returns undefined when this owner has no such email */
export async function readEmail(db: Database, owner: Owner, id: string): Promise<Email | undefined> {
  const found = await findEmail(db, owner, id)
  if (!found?.html) return found?.email
  const bodyHtml = await readWholeHtml(db, found.html)
  return bodyHtml === undefined ? undefined : { ...found.email, bodyHtml }
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
