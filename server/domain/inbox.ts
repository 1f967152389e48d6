import type { Email, EmailSummary, SharedEmail, SharedEmailSummary } from '../contract/types.gen.ts'
import { noAttachment, notFound } from '../errors.ts'
import type { Database } from '../store/database.ts'
import { ownMailIds } from '../store/mail/address-mail.ts'
import { findAttachment } from '../store/mail/attachments.ts'
import type { StoredAttachment } from '../store/mail/attachments.ts'
import { listEmails } from '../store/mail/email-list.ts'
import type { Page } from '../store/page.ts'
import type { Owner } from '../store/schema/values.ts'
import { readEmail } from './stored-mail.ts'

/** All that a caller who is confined to an address may read: its received mail that is not deleted. Every read of such a caller is here. */
export interface Inbox extends Owner {
  addressId: string
}

export async function listInbox(
  db: Database, { addressId, ...owner }: Inbox, page: Page,
): Promise<{ data: SharedEmailSummary[], hasMore: boolean }> {
  const { emails, hasMore } = await listEmails(db, owner, { addressId, type: 'received', isDeleted: false, ...page })
  return { data: emails.map(toSummary), hasMore }
}

/** @throws AppError `NOT_FOUND` */
export async function readInInbox(db: Database, inbox: Inbox, emailId: string): Promise<SharedEmail> {
  const email = await isInInbox(db, inbox, emailId) ? await readEmail(db, inbox, emailId) : undefined
  if (!email) throw notFound('email')
  return toSharedEmail(email)
}

/** @throws AppError `NOT_FOUND` */
export async function findInInbox(db: Database, inbox: Inbox, emailId: string, attachmentId: string): Promise<StoredAttachment> {
  const attachment = await isInInbox(db, inbox, emailId) ? await findAttachment(db, inbox, emailId, attachmentId) : undefined
  if (!attachment) throw noAttachment()
  return attachment
}

const isInInbox = async (db: Database, { addressId }: Inbox, emailId: string) => (await ownMailIds(db, addressId, [emailId])).length === 1

/** Without the marks of the owner, and without forwards, which name other addresses. */
const toSummary = ({ id, from, fromName, subject, receivedAt, codes, preview, hasAttachments }: EmailSummary): SharedEmailSummary =>
  ({ id, from, fromName, subject, receivedAt, codes, preview, hasAttachments })

function toSharedEmail(email: Email): SharedEmail {
  const { id, from, fromName, to, subject, receivedAt, codes, codeDetails, links, warnings, bodyText, bodyHtml, attachments } = email
  return { id, from, fromName, to, subject, receivedAt, codes, codeDetails, links, warnings, bodyText, bodyHtml, attachments }
}
