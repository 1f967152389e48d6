import { getDomain } from 'tldts'
import { timestamp } from '../clock.ts'
import type { Authentication } from '../contract/types.gen.ts'
import { isForOthers } from '../envelope.ts'
import type { AcceptedMessage, Envelope } from '../envelope.ts'
import { withoutInvisible } from '../mime/clean-text.ts'
import type { ParsedAttachment, ParsedMessage } from '../mime/parsed-message.ts'
import { clientNetwork } from '../network.ts'
import { lockAddressHolderForShare } from '../store/addresses/addresses.ts'
import type { Tx } from '../store/database.ts'
import { emit } from '../store/events/outbox.ts'
import type { Claim } from '../store/jobs/claims.ts'
import { enqueue, enqueueClaimed } from '../store/jobs/jobs.ts'
import type { Job } from '../store/jobs/jobs.ts'
import type { Lane } from '../store/jobs/lanes.ts'
import { insertAttachments } from '../store/mail/attachments.ts'
import { insertAuthentication } from '../store/mail/authentications.ts'
import { insertEmail } from '../store/mail/emails.ts'
import { removeMessages, shareMessage } from '../store/mail/message-removal.ts'
import { insertMessage } from '../store/mail/messages.ts'
import { enqueueForwards } from '../store/outgoing/mail-deliveries.ts'
import { planForward } from './forwards.ts'
import { recordBounce } from './return-path.ts'

export interface PublishOptions {
  /** The bytes of the message; without them, its source is stored in chunks. */
  source?: Uint8Array
  /** Its authentication results, if they are known already. */
  results?: Authentication | null | undefined
  /** The claim of the job that authenticates the message, for a process that begins it at once. */
  claim?: Claim | null
}

/** The claimed job that authenticates a published message. */
export interface ClaimedAuthentication {
  job: Job<'authenticate-message'>
  isForwarded: boolean
}

/**
 * Publishes a parsed message in the mailbox of each recipient that still exists. Idempotent.
 */
export async function publish(
  tx: Tx, message: AcceptedMessage, read: ParsedMessage, { source, results, claim }: PublishOptions = {},
): Promise<ClaimedAuthentication | undefined> {
  const { recipients, bounces = [], ...envelope } = message.envelope
  // of mail that this server sends, the sender of the envelope is its internal return path
  const parsed = read.from || envelope.remoteAddress === '' ? read : { ...read, from: envelope.sender }
  for (const deliveryId of bounces) await recordBounce(tx, deliveryId, parsed)
  if (recipients.length === 0) {
    await removeMessages(tx, [message.id])
    return undefined
  }
  const isNew = await insertMessage(tx, {
    ...parsed,
    id: message.id,
    receivedAt: message.receivedAt,
    sizeBytes: message.size,
    hasAttachments: parsed.attachments.length > 0,
    preview: previewOf(parsed.bodyText),
    envelope,
    source: source ?? null,
  })
  if (!isNew) return undefined
  await insertParsedAttachments(tx, message.id, parsed.attachments)
  let mailboxes = 0
  let accountId = ''
  let forwards = 0
  for (const { emailId, addressId, address, via, recipients: all, recipientsTotal } of recipients) {
    const owner = await lockAddressHolderForShare(tx, addressId)
    if (!owner) continue // the address was removed meanwhile
    mailboxes++
    accountId ||= owner.accountId
    await insertEmail(tx, owner, {
      id: emailId,
      addressId,
      messageId: message.id,
      type: 'received',
      recipient: address,
      receivedAt: message.receivedAt,
      isRead: false,
      via, recipients: all, recipientsTotal,
    }, message.size)
    if (owner.maxEmails !== null) await enqueue(tx, 'trim-mailbox', { addressId }, { lane: { address: addressId } })
    await emit(tx, owner, 'email.received', {
      emailId,
      addressId,
      from: parsed.from,
      subject: parsed.subject,
      receivedAt: timestamp(message.receivedAt),
    })
    const isForwarded = owner.forwardTo !== null && !isForOthers(via)
    if (isForwarded && await planForward(tx, owner, { emailId, messageId: message.id, parsed })) forwards++
  }
  if (mailboxes === 0) await removeMessages(tx, [message.id])
  if (mailboxes > 1) await shareMessage(tx, message.id, mailboxes)
  // forwards wait for the authentication: the ARC seal contains its results
  const isChecked = envelope.remoteAddress !== '' && recipients.some(({ via }) => !isForOthers(via))
  if (mailboxes === 0 || !isChecked && forwards === 0) return undefined
  if (results && forwards === 0) {
    await insertAuthentication(tx, message.id, results, null)
    return undefined
  }
  const lane = authenticationLane(accountId, envelope)
  if (claim) {
    const job = await enqueueClaimed(tx, 'authenticate-message', { messageId: message.id }, { lane, claim })
    return { job, isForwarded: forwards > 0 }
  }
  await enqueue(tx, 'authenticate-message', { messageId: message.id }, { lane })
  return undefined
}

/** Stores a mail that this server sends. @returns the id of its message */
export async function insertOwnMessage(
  tx: Tx,
  { attachments, ...mail }: Pick<ParsedMessage, 'from' | 'fromName' | 'subject' | 'bodyText' | 'bodyHtml' | 'headers' | 'attachments'>,
  source: Buffer,
): Promise<string> {
  const id = tx.newId()
  await insertMessage(tx, {
    ...mail,
    id,
    receivedAt: tx.now,
    sizeBytes: source.length,
    hasAttachments: attachments.length > 0,
    preview: previewOf(mail.bodyText),
    problem: null,
    envelope: {},
    codes: [],
    codeDetails: [],
    hasOtherCode: false,
    links: [],
    hiddenText: false,
    source,
  })
  await insertParsedAttachments(tx, id, attachments)
  return id
}

const insertParsedAttachments = (tx: Tx, messageId: string, attachments: ParsedAttachment[]) =>
  insertAttachments(tx, messageId, attachments.map((attachment) => ({ ...attachment, id: tx.newId() })))

const previewLength = 200

/** The beginning of the text on one line. Space that keeps other text out of the previews of mail readers may be before it. */
const previewOf = (text: string) =>
  withoutInvisible(text.slice(0, previewLength * 10)).replace(/(?<!\S)[\u200c-\u200f]+(?!\S)/g, '').replace(/\s+/g, ' ').trim().slice(0, previewLength).toWellFormed()

/**
 * Records the authentication results of a received mail, and queues its forwards. Later results are ignored.
 * @param arc header fields of the ARC seal, for a mail that is forwarded
 */
export async function recordAuthentication(
  tx: Tx, messageId: string, results: Authentication | null, arc: string | null,
): Promise<void> {
  if (await insertAuthentication(tx, messageId, results, arc)) await enqueueForwards(tx, messageId)
}

/**
 * The job lane of a mail: receiving account, network of the client and registrable domain of the sender. Each of the three limits the
 * jobs that run at once, so name servers that do not answer delay only mail that shares them.
 */
function authenticationLane(
  accountId: string, { sender, helo, remoteAddress }: Pick<Envelope, 'sender' | 'helo' | 'remoteAddress'>,
): Lane<'authenticate-message'> {
  const host = (sender.slice(sender.lastIndexOf('@') + 1) || helo).toLowerCase().slice(0, maxHostLength)
  return { account: accountId, network: clientNetwork(remoteAddress), senderDomain: getDomain(host) ?? host }
}

/** Maximum characters of a domain name. */
const maxHostLength = 255
