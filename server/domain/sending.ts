import { dayMs } from '../clock.ts'
import type { App, Caller } from '../context.ts'
import type { EmailSend } from '../contract/types.gen.ts'
import { AppError, conflict, invalidRequest, nothingFound, notVerified } from '../errors.ts'
import type { MemberPath } from '../errors.ts'
import { domainPart, parseMailbox } from '../mailbox.ts'
import type { Mailbox } from '../mailbox.ts'
import { findSendingAddress, lockAddressForShare } from '../store/addresses/addresses.ts'
import { inTransaction } from '../store/database.ts'
import type { Database, Tx } from '../store/database.ts'
import { numberSentMail } from '../store/events/outbox.ts'
import { confirmClaim } from '../store/jobs/claims.ts'
import type { Claim } from '../store/jobs/claims.ts'
import { insertEmail } from '../store/mail/emails.ts'
import type { MailReceipt } from '../store/outgoing/mail-counts.ts'
import { enqueueMailDelivery, insertMailDelivery, lockMailDelivery, updateMailDelivery } from '../store/outgoing/mail-deliveries.ts'
import type { MailDelivery, NewMailDelivery, QueuedMailDelivery } from '../store/outgoing/mail-deliveries.ts'
import type { Tenant } from '../store/schema/values.ts'
import { composeMessage } from './composed-mail.ts'
import { filesOf, replyTo } from './mail-members.ts'
import { checkMail, countAttempt, countMail } from './leaving-mail.ts'
import type { CausedMail } from './leaving-mail.ts'
import { refuseWhenAccountFull } from './plans.ts'
import { mailRetryDelaysMs } from './retry-delays.ts'
import { discardMessage } from './stored-mail.ts'

/**
 * Writes a mail from an address of the caller.
 * @returns a function that queues it, for the transaction of the request; a job delivers it to each recipient
 * @throws AppError `INVALID_REQUEST` for a recipient that is not one address and for attachments that cannot be sent, `NOT_FOUND`,
 * `CONFLICT` when the address has expired, `NOT_VERIFIED` when its domain is not verified any more, `RATE_LIMITED` and `PLAN_REQUIRED` by
 * the ledger of mail that leaves, `STORAGE_FULL` when the account has as much mail as it may store
 * @see spec "POST /api/v1/emails"
 */
export async function sendEmail(app: App, caller: Caller, input: EmailSend): Promise<(tx: Tx) => Promise<{ id: string }>> {
  const files = filesOf(input.attachments ?? [])
  const { fromAddressId, to: firstRecipient, subject, headers } = input.inReplyToId === undefined
    ? { ...input as SentMembers, headers: {} }
    : await replyTo(app.db, caller, input)
  const [to, ...cc] = mailboxesOf(firstRecipient, input.cc)
  const addressId = fromAddressId.toLowerCase()
  const from = await activeSender(app.db, app, caller, addressId)
  const mails = [to, ...cc].map(({ address }): CausedMail => ({ cause: 'sent', owner: caller, recipient: address }))
  for (const mail of mails) await checkMail(app, mail)
  const bytes = files.reduce((sum, { content }) => sum + content.length, Buffer.byteLength(input.body) + Buffer.byteLength(input.bodyHtml ?? ''))
  await refuseWhenAccountFull(app, { accountId: caller.accountId, addressId }, bytes)
  const id = app.db.newId()
  const storeMessage = await composeMessage(app, caller.accountId, {
    messageId: `${id}@${domainPart(from.address)}`,
    date: new Date(app.clock.now()),
    from,
    to,
    cc,
    subject,
    text: input.body,
    html: input.bodyHtml ?? '',
    headers,
    attachments: files,
  })
  return async (tx) => {
    const recipients: SentEmail['recipients'] = []
    for (const mail of mails) {
      const receipt = await countMail(app, tx, mail)
      if (receipt instanceof AppError) throw receipt
      recipients.push({ address: mail.recipient, receipt })
    }
    await lockAddressForShare(tx, addressId)
    await activeSender(tx, app, caller, addressId) // the address may have expired meanwhile
    const { messageId, size } = await storeMessage(tx)
    const deliveries = await insertSentEmail(tx, caller, { id, addressId, messageId, size, recipients })
    for (const delivery of deliveries) await enqueueMailDelivery(tx, delivery)
    return { id }
  }
}

/** The members that a mail has which is no reply. */
type SentMembers = Required<Pick<EmailSend, 'fromAddressId' | 'to' | 'subject'>>

/** An email that an address sends. */
export interface SentEmail {
  id: string
  addressId: string
  /** Of its message, which is stored. */
  messageId: string
  /** Bytes of the message. */
  size: number
  /** At least one. */
  recipients: { address: string, receipt: MailReceipt }[]
}

/** Adds a sent email to its address, and a delivery for each recipient, queued unless it has another state. */
export async function insertSentEmail(
  tx: Tx, owner: Tenant, { id, addressId, messageId, size, recipients }: SentEmail,
  state: Pick<NewMailDelivery, 'status' | 'attempts'> = {},
): Promise<QueuedMailDelivery[]> {
  const addresses = recipients.map(({ address }) => address)
  const several = addresses.length > 1 && { recipients: addresses, recipientsTotal: addresses.length }
  await insertEmail(tx, owner, { id, addressId, messageId, type: 'sent', recipient: addresses[0]!, receivedAt: tx.now, isRead: true, ...several }, size)
  numberSentMail(tx, id)
  const queued: QueuedMailDelivery[] = []
  for (const { address: recipient, receipt } of recipients) {
    const deliveryId = await insertMailDelivery(tx, owner, { kind: 'sent', emailId: id, messageId, recipient, ...state }, receipt)
    queued.push({ id: deliveryId, accountId: owner.accountId, recipient })
  }
  return queued
}

/** @returns the mailboxes of `to` and `cc`, each once @throws AppError `INVALID_REQUEST` when a text is not exactly one address */
export function mailboxesOf(to: string, cc: string[] = []): [Mailbox, ...Mailbox[]] {
  const first = oneMailbox('body.to', to)
  const all = [first, ...cc.map((text, i) => oneMailbox(`body.cc.${i}`, text))]
  const keys = all.map(({ address }) => address.toLowerCase())
  return [first, ...all.filter((_, i) => i > 0 && keys.indexOf(keys[i]!) === i)]
}

/** @throws AppError `INVALID_REQUEST` when the text is not exactly one address */
export function oneMailbox(path: MemberPath, text: string): Mailbox {
  const mailbox = parseMailbox(text)
  if (!mailbox) throw notOneMailbox(path)
  return mailbox
}

export const notOneMailbox = (path: MemberPath): AppError =>
  invalidRequest(path, 'must be exactly one email address, such as ada@example.com')

async function activeSender(db: Database | Tx, { clock, config }: Pick<App, 'clock' | 'config'>, caller: Caller, id: string) {
  const sender = await findSendingAddress(db, caller, id)
  if (!sender) throw noSender()
  if (sender.expiresAt <= clock.now()) throw conflict(`${sender.address} has expired. Send from an active address.`)
  if (!sender.hasDomain) {
    throw notVerified(`${domainPart(sender.address)} is not a verified domain of this account. Send from an address at ${config.defaultDomain}.`)
  }
  return sender
}

export const noSender = (): AppError => nothingFound('body.fromAddressId: There is no address with this id.')

/** The result of an attempt to deliver a mail. */
export type MailOutcome =
  | { kind: 'sent' | 'captured' }
  | { kind: 'refused' | 'deferred', reason: string }

/** Time after which an undelivered mail is given up (RFC 5321, section 4.5.4.1). */
const giveUpAfterMs = 5 * dayMs

/**
 * Records that an attempt begins, and counts a mail that leaves and is not counted yet.
 * @returns the outcome where the attempt does not take place: the delivery was removed, or the ledger refuses or defers it
 * @throws ClaimLost
 */
export function beginAttempt(
  app: App, delivery: MailDelivery, { claim, isLeaving }: { claim: Claim, isLeaving: boolean },
): Promise<MailOutcome | undefined> {
  return inTransaction(app.db, async (tx) => {
    const refusal = isLeaving ? await countAttempt(app, tx, delivery) : undefined
    await confirmClaim(tx, claim)
    if (refusal) return refusal
    const isThere = await updateMailDelivery(tx, delivery.id, { status: 'sending', nextAt: null, isCounted: isLeaving || delivery.isCounted })
    return isThere ? undefined : removed
  })
}

/** The outcome of a mail whose delivery or message was removed meanwhile. */
export const removed: MailOutcome = { kind: 'refused', reason: 'It was deleted.' }

/** Records the result of an attempt, and queues the next one. */
export async function recordMailOutcome(tx: Tx, { id }: MailDelivery, outcome: MailOutcome): Promise<void> {
  const delivery = await lockMailDelivery(tx, id)
  if (!delivery || delivery.status === 'failed') return // removed, or a delivery report has marked it as failed
  const attempts = delivery.attempts + 1
  if (outcome.kind === 'deferred') return defer(tx, { ...delivery, attempts }, outcome.reason)
  if (outcome.kind === 'refused') {
    await updateMailDelivery(tx, id, { status: 'failed', attempts, nextAt: null, failureReason: outcome.reason })
  } else {
    const sentAt = outcome.kind === 'sent' ? tx.now : null
    await updateMailDelivery(tx, id, { status: outcome.kind, attempts, nextAt: null, sentAt, failureReason: null })
  }
  // a verification mail contains a secret token: it is kept only if captured, for developers to read
  if (delivery.kind === 'verification' && outcome.kind !== 'captured') await discardMessage(tx, delivery.messageId)
}

async function defer(tx: Tx, delivery: MailDelivery, reason: string) {
  const { id, attempts } = delivery
  const nextAt = tx.now + mailRetryDelaysMs[Math.min(attempts, mailRetryDelaysMs.length) - 1]!
  if (nextAt > delivery.createdAt + giveUpAfterMs) {
    const failureReason = `Given up after ${giveUpAfterMs / dayMs} days. ${reason}`
    await updateMailDelivery(tx, id, { status: 'failed', attempts, nextAt: null, failureReason })
    if (delivery.kind === 'verification') await discardMessage(tx, delivery.messageId)
    return
  }
  await updateMailDelivery(tx, id, { status: 'deferred', attempts, nextAt, failureReason: reason })
  await enqueueMailDelivery(tx, delivery, nextAt)
}
