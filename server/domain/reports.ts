import { timestamp } from '../clock.ts'
import type { App, Caller } from '../context.ts'
import type { EmailBounce, EmailReport } from '../contract/types.gen.ts'
import type { Recipient } from '../envelope.ts'
import { AppError, conflict } from '../errors.ts'
import { faultOfSender, isAscii, parseMailbox, parseRecipient } from '../mailbox.ts'
import { readHeadersOnly } from '../mime/read-message.ts'
import { composeReport, mailDate } from '../mime/write/report.ts'
import type { MailReport } from '../mime/write/report.ts'
import type { ChangeRecords } from '../store/accounts/idempotency-keys.ts'
import { accountDeleted, lockAccountIfPresent } from '../store/accounts/accounts.ts'
import { insertChangeRecords } from '../store/accounts/idempotency-keys.ts'
import { findRecipient, lockAddressForShare } from '../store/addresses/addresses.ts'
import { inTransaction } from '../store/database.ts'
import { readRange } from '../store/mail/message-chunks.ts'
import type { ReceivedEmail } from '../store/mail/received-email.ts'
import { receivedEmail } from './emails.ts'
import { countMail } from './leaving-mail.ts'
import type { CausedMail } from './leaving-mail.ts'
import { refuseWhenAccountFull } from './plans.ts'
import { insertOwnMessage } from './publishing.ts'
import { acceptLocalMail, once } from './receiving.ts'
import { insertSentEmail } from './sending.ts'

type RecordsOf = (data: EmailReport) => ChangeRecords

/** Reports that an email could not be delivered (RFC 3464, section 2) to the sender of its envelope. @throws as `report` */
export function bounceEmail(app: App, caller: Caller, emailId: string, input: EmailBounce, recordsOf: RecordsOf): Promise<EmailReport> {
  const { status = '5.1.1', text = 'The mailbox does not exist' } = input
  return report(app, caller, emailId, recordsOf, ({ receivedAt, recipients }) => ({
    subject: 'Undelivered Mail Returned to Sender',
    text: `The mail could not be delivered to:\n\n${recipients.join('\n')}\n\n${status} ${text}\n`,
    type: 'delivery-status',
    fields: [
      [['Reporting-MTA', `dns; ${app.config.mxHost}`], ['Arrival-Date', mailDate(receivedAt)]],
      ...recipients.map((recipient): [string, string][] => [
        ['Final-Recipient', typedAddress(recipient)], ['Action', 'failed'], ['Status', status],
        ['Diagnostic-Code', `smtp; ${status.startsWith('4') ? 450 : 550} ${status} ${text}`],
      ]),
    ],
  }))
}

/** The type of a recipient and its address, in ASCII (RFC 6533, section 3, `utf-8-addr-xtext`). */
const typedAddress = (recipient: string): string => isAscii(recipient)
  ? `rfc822; ${recipient}`
  : `utf-8; ${recipient.replace(/[^!-~]|[+=\\]/gu, (character) => `\\x{${character.codePointAt(0)!.toString(16).toUpperCase()}}`)}`

/**
 * Reports an email as spam (RFC 5965, section 2) to the sender of its envelope. Recipients beyond ASCII cannot be named in such a report.
 * @throws as `report`
 */
export function complainAboutEmail(app: App, caller: Caller, emailId: string, recordsOf: RecordsOf): Promise<EmailReport> {
  return report(app, caller, emailId, recordsOf, ({ receivedAt, recipients, sender, remoteAddress }) => ({
    subject: 'Complaint about an email',
    text: `A recipient has marked an email from you as spam. It was received at ${timestamp(receivedAt)}.\n`,
    type: 'feedback-report',
    fields: [[
      ['Feedback-Type', 'abuse'], ['User-Agent', 'Mayfly/1.0'], ['Version', '1'], ['Original-Mail-From', `<${sender}>`],
      ['Arrival-Date', mailDate(receivedAt)], ...remoteAddress ? [['Source-IP', remoteAddress] as [string, string]] : [],
      ['Reporting-MTA', `dns; ${app.config.mxHost}`],
      ...recipients.filter(isAscii).map((recipient): [string, string] => ['Original-Rcpt-To', `<${recipient}>`]),
    ]],
  }))
}

/**
 * Makes a report, with the null sender. If the sender of the email is an address of the account, the report arrives there, else it is
 * captured as a sent email: an account could tell by it which addresses others have, and write to them. It never leaves this server; the
 * limits of mail that leaves hold for a captured one nevertheless, so that programs under test meet them.
 * @throws AppError `NOT_FOUND`, `CONFLICT` without a sender, `RATE_LIMITED` and `PLAN_REQUIRED` by the ledger of mail that leaves,
 * `STORAGE_FULL`
 */
async function report(
  app: App, caller: Caller, emailId: string, recordsOf: RecordsOf,
  describe: (email: ReceivedEmail) => Pick<MailReport, 'subject' | 'text' | 'type' | 'fields'>,
): Promise<EmailReport> {
  const email = await receivedEmail(app.db, caller, emailId)
  const { sender, messageId } = email
  if (sender === '') throw conflict('The email has no sender in its envelope, so that a report on it goes to nobody.')
  if (!parseMailbox(sender) && (faultOfSender(sender) || /[^!-~]/.test(sender))) {
    throw conflict('The sender of the email cannot be written in a report: it has spaces, or characters beyond ASCII.')
  }
  const { defaultDomain } = app.config
  const mail = {
    messageId: `${app.db.newId()}@${defaultDomain}`, date: app.clock.now(), from: `mailer-daemon@${defaultDomain}`, to: sender,
    ...describe(email), header: await readHeader(app, messageId),
  }
  const source = composeReport(mail) // not signed: the account reads its source, and could send it on in the name of this server
  const here = await addressHere(app, caller, sender)
  if (here) return deliverReport(app, { sender, source, here }, recordsOf)
  await refuseWhenAccountFull(app, { accountId: caller.accountId, addressId: email.addressId }, source.length)
  return captureReport(app, caller, { mail, source, email }, recordsOf)
}

/** Maximum bytes of the header of a mail in a report. */
const maxHeaderBytes = 32 * 1024

async function readHeader(app: App, messageId: string): Promise<Buffer> {
  const start = Buffer.concat(await Array.fromAsync(readRange(app.db, messageId, { offset: 0, length: maxHeaderBytes })))
  const end = start.indexOf('\r\n\r\n')
  return start.subarray(0, end < 0 ? start.lastIndexOf('\r\n') + 2 : end + 2)
}

/** @returns undefined when the sender is no active address of the caller */
async function addressHere({ config, db }: App, { accountId, mode }: Caller, sender: string): Promise<Recipient | undefined> {
  const { defaultDomain } = config
  const path = parseRecipient(sender, { defaultDomain, allowsUtf8: true })
  const found = path && await findRecipient(db, `${path.alias}@${path.domain}`, path.domain !== defaultDomain)
  if (found?.accountId !== accountId || found.mode !== mode) return undefined
  return { addressId: found.id, accountId, address: `${path!.local}@${path!.domain}`, hasSenders: found.hasSenders }
}

async function deliverReport(
  app: App, { sender, source, here }: { sender: string, source: Buffer, here: Recipient }, recordsOf: RecordsOf,
): Promise<EmailReport> {
  const answer = (id: string): EmailReport => ({ to: sender, outcome: 'delivered', emailId: id })
  return answer(await acceptLocalMail(app, { sender: '', recipient: here, source: once(source) }, (id) => recordsOf(answer(id))))
}

async function captureReport(
  app: App, caller: Caller, { mail, source, email }: { mail: MailReport, source: Buffer, email: ReceivedEmail }, recordsOf: RecordsOf,
): Promise<EmailReport> {
  const caused: CausedMail = { cause: 'sent', owner: caller, recipient: mail.to }
  return inTransaction(app.db, async (tx) => {
    if (!await lockAccountIfPresent(tx, caller.accountId)) throw accountDeleted()
    const receipt = await countMail(app, tx, caused)
    if (receipt instanceof AppError) throw receipt
    await lockAddressForShare(tx, email.addressId)
    await receivedEmail(tx, caller, email.id) // it may have been removed meanwhile
    const { from, to, subject, text } = mail
    const { headers } = readHeadersOnly(source, null)
    const messageId = await insertOwnMessage(tx, { from, fromName: 'Mail Delivery System', subject, bodyText: text, bodyHtml: '', headers, attachments: [] }, source)
    const id = tx.newId()
    const sent = { id, addressId: email.addressId, messageId, size: source.length, recipients: [{ address: to, receipt }] }
    await insertSentEmail(tx, caller, sent, { status: 'captured', attempts: 1 })
    const answer: EmailReport = { to, outcome: 'captured', emailId: id }
    await insertChangeRecords(tx, recordsOf(answer))
    return answer
  })
}
