import type { Caller } from '../context.ts'
import type { AttachmentSend, EmailSend } from '../contract/types.gen.ts'
import { invalidRequest, nothingFound } from '../errors.ts'
import type { AppError } from '../errors.ts'
import { parseMailbox } from '../mailbox.ts'
import { readMailboxes } from '../mime/parse/read-content.ts'
import { isMailType } from '../mime/write/compose.ts'
import type { NewFile } from '../mime/write/compose.ts'
import type { Database } from '../store/database.ts'
import { headerValue, shortened, threadFieldsOf } from '../store/mail/arrivals.ts'
import type { ThreadFields } from '../store/mail/arrivals.ts'
import { findReceived } from '../store/mail/received-email.ts'
import type { ReceivedEmail } from '../store/mail/received-email.ts'

/** What a mail has beside its texts: whom it answers, and its files. */

/** Maximum characters of a subject. */
const maxSubjectChars = 200

/**
 * Completes a reply by the mail that it answers.
 * @throws AppError `NOT_FOUND`, `INVALID_REQUEST` when no recipient is named and the mail has none to answer
 */
export async function replyTo(db: Database, caller: Caller, { inReplyToId, ...input }: EmailSend) {
  const parent = await findReceived(db, caller, inReplyToId!)
  if (!parent) throw noAnswered()
  const headers = JSON.parse(parent.headers) as Record<string, string>
  return {
    fromAddressId: input.fromAddressId ?? parent.addressId,
    to: input.to ?? answeredBy(parent, headers),
    subject: input.subject ?? [...replySubject(parent.subject)].slice(0, maxSubjectChars).join(''),
    headers: replyHeaders(threadFieldsOf(headers)),
  }
}

export const noAnswered = (): AppError => nothingFound('body.inReplyToId: There is no email with this id.')

/** The first address of `Reply-To` that can be written to, or the sender; of a mail that was sent, its recipient. */
function answeredBy({ type, from, recipients }: ReceivedEmail, headers: Record<string, string>): string {
  const asked = type === 'sent' ? recipients : [...readMailboxes(headerValue(headers, 'reply-to')).map((mailbox) => mailbox.from), from]
  const found = asked.find((address) => parseMailbox(address))
  if (found === undefined) throw invalidRequest('body.to', 'is required, as the email that is answered has no sender that mail can be sent to')
  return found
}

/** The header fields of a reply to a mail (RFC 5322, section 3.6.4); none to a mail without a Message-ID that can be written. */
function replyHeaders({ messageId, inReplyTo, references }: ThreadFields): Record<string, string> {
  if (messageId === null || !isWritable(messageId)) return {}
  const before = references.length > 0 ? references : inReplyTo === null ? [] : [inReplyTo]
  const ids = shortened([...before.filter((id) => id !== messageId && isWritable(id)), messageId], maxWrittenChars)
  return { 'In-Reply-To': `<${messageId}>`, References: ids.map((id) => `<${id}>`).join(' ') }
}

/** Maximum characters of the references of a reply: other servers refuse long headers. */
const maxWrittenChars = 8_000

/** Whether an id can stand in a header: in ASCII, and on a line of at most 998 characters (RFC 5322, section 2.1.1). */
const isWritable = (id: string) => /^[!-~]{1,980}$/.test(id)

/** Prefixes of replies in the languages of common mail programs, with or without a number. */
const replyPrefixes = /^(?:(?:re|aw|antw|antwort|sv|vs|vá|ref|rif|r|res|odp|ynt|atb|回复|回覆|答复|答覆|返信)(?:\[\d{1,3}\])?\s{0,3}[:：]\s{0,3})+/iu

/** The subject of a reply: that of the mail, after one `Re:` in place of any of its own. */
const replySubject = (subject: string): string => `Re: ${subject.trim().replace(replyPrefixes, '')}`.trim()

/** Maximum bytes of all files of a mail. */
const maxBytes = 10 * 1024 * 1024

/** @throws AppError `INVALID_REQUEST` for content that is not base64, and for files that are too large together or are parts of a mail */
export function filesOf(attachments: AttachmentSend[]): NewFile[] {
  const files = attachments.map(({ filename, contentType, content }, i): NewFile => {
    if (isMailType.test(contentType ?? '')) throw invalidRequest(`body.attachments.${i}.contentType`, 'must not be multipart or message')
    const bytes = Buffer.from(content, 'base64')
    if (bytes.length !== decodedLength(content)) throw invalidRequest(`body.attachments.${i}.content`, 'must be base64')
    return { filename, contentType, content: bytes }
  })
  if (files.reduce((sum, { content }) => sum + content.length, 0) > maxBytes) {
    throw invalidRequest('body.attachments', `have more than ${maxBytes / 1024 / 1024} MiB in all`)
  }
  return files
}

/** Of a text in base64; a decoder passes over other characters, so that it returns less. */
const decodedLength = (base64: string) => base64.length % 4 === 0 ? base64.length / 4 * 3 - (/={0,2}$/.exec(base64.slice(-2))![0].length) : -1
