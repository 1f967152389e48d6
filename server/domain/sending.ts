import type { EmailSend } from '../contract/types.gen.ts'
import type { App, Caller } from '../context.ts'
import { AppError, invalidRequest } from '../errors.ts'
import { domainPart, parseMailbox } from '../mailbox.ts'
import { findSender } from '../store/addresses.ts'
import { inTransaction } from '../store/database.ts'
import type { Tx } from '../store/database.ts'
import { enqueueDelivery, findDelivery, insertDelivery, updateDelivery } from '../store/deliveries.ts'
import type { Delivery } from '../store/deliveries.ts'
import { insertEmail } from '../store/emails.ts'
import { discardMessage } from '../store/messages.ts'
import { enqueue } from '../store/jobs.ts'
import { composeMessage } from './composed-mail.ts'

/**
 * Queues a mail from an address of the caller; a job delivers it.
 * @throws AppError `INVALID_REQUEST` when `to` is not one address, `NOT_FOUND`, `CONFLICT` when the address has expired,
 * `NOT_VERIFIED` when its domain is not verified any more
 * @see spec "POST /api/v1/emails"
 */
export async function sendEmail(app: App, caller: Caller, wish: EmailSend): Promise<{ id: string }> {
  const to = parseMailbox(wish.to)
  if (!to) throw notOneMailbox('body.to')
  const addressId = wish.fromAddressId.toLowerCase()
  const from = await activeSender(app, caller, addressId)
  const id = app.db.newId()
  const storeMessage = await composeMessage(app, caller.accountId, {
    messageId: `${id}@${domainPart(from.address)}`,
    date: new Date(app.clock.now()),
    from,
    to,
    subject: wish.subject,
    text: wish.body,
    html: wish.bodyHtml ?? '',
  })
  return inTransaction(app.db, async (tx) => {
    await activeSender({ ...app, db: tx }, caller, addressId) // the address may have expired meanwhile
    const { messageId, size } = await storeMessage(tx)
    await insertEmail(tx, {
      id,
      account_id: caller.accountId,
      mode: caller.mode,
      address_id: addressId,
      message_id: messageId,
      type: 'sent',
      recipient: to.address,
      received_at: tx.now,
      is_read: 1,
    }, size)
    const deliveryId = await insertDelivery(tx, caller, { kind: 'sent', emailId: id, messageId, recipient: to.address })
    await enqueueDelivery(tx, { id: deliveryId, accountId: caller.accountId, recipient: to.address })
    return { id }
  })
}

export const notOneMailbox = (path: string): AppError => invalidRequest(path, 'must be exactly one email address, such as ada@example.com')

async function activeSender({ db, clock, config }: { db: App['db'] | Tx, clock: App['clock'], config: App['config'] }, caller: Caller, id: string) {
  const sender = await findSender(db, caller, id)
  if (!sender) throw new AppError('NOT_FOUND', 'fromAddressId: There is no address with this id.')
  if (sender.expiresAt <= clock.now()) throw new AppError('CONFLICT', `${sender.address} has expired. Send from an active address.`)
  if (!sender.hasDomain) {
    throw new AppError('NOT_VERIFIED', `${domainPart(sender.address)} is not a verified domain of this account. Send from an address at ${config.defaultDomain}.`)
  }
  return sender
}

/** The result of an attempt to deliver a mail. */
export type DeliveryOutcome =
  | { kind: 'sent' | 'captured' }
  | { kind: 'refused' | 'deferred', reason: string }

const minute = 60
const hour = 60 * minute
/** Seconds to wait after each attempt that was deferred; the last one repeats. */
const retryDelays = [15, minute, 5 * minute, 15 * minute, 30 * minute, hour, 2 * hour, 4 * hour, 8 * hour]
/** Seconds after which a mail is given up (RFC 5321, section 4.5.4.1). */
const patience = 5 * 24 * hour

/** Records that an attempt begins. @returns false when the delivery is removed */
export function beginAttempt(app: App, delivery: Delivery): Promise<boolean> {
  return inTransaction(app.db, (tx) => updateDelivery(tx, delivery.id, { status: 'sending', next_at: null }))
}

/** Records the result of an attempt, and queues the next one. */
export async function noteOutcome(tx: Tx, { id }: Delivery, outcome: DeliveryOutcome): Promise<void> {
  const delivery = await findDelivery(tx, id)
  if (!delivery || delivery.status === 'failed') return // removed, or a delivery report has marked it as failed
  const attempts = delivery.attempts + 1
  if (outcome.kind === 'deferred') return defer(tx, { ...delivery, attempts }, outcome.reason)
  if (outcome.kind === 'refused') {
    await updateDelivery(tx, id, { status: 'failed', attempts, next_at: null, failure_reason: outcome.reason })
  } else {
    const sent_at = outcome.kind === 'sent' ? tx.now : null
    await updateDelivery(tx, id, { status: outcome.kind, attempts, next_at: null, sent_at, failure_reason: null })
  }
  // a verification mail contains a secret token: it is kept only if captured, for developers to read
  if (delivery.kind === 'verification' && outcome.kind !== 'captured') await discard(tx, delivery.messageId)
}

async function defer(tx: Tx, delivery: Delivery, reason: string) {
  const { id, attempts } = delivery
  const delay = retryDelays[Math.min(attempts, retryDelays.length) - 1]!
  const next_at = tx.now + delay * 1000
  if (next_at > delivery.createdAt + patience * 1000) {
    const failure_reason = `Given up after five days. ${reason}`
    await updateDelivery(tx, id, { status: 'failed', attempts, next_at: null, failure_reason })
    if (delivery.kind === 'verification') await discard(tx, delivery.messageId)
    return
  }
  await updateDelivery(tx, id, { status: 'deferred', attempts, next_at, failure_reason: reason })
  await enqueueDelivery(tx, delivery, next_at)
}

async function discard(tx: Tx, messageId: string) {
  await discardMessage(tx, messageId)
  await enqueue(tx, 'purge-messages', {})
}
