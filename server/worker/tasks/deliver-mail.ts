import { forwardHeader } from '../../domain/forwards.ts'
import { acceptMessage, acceptRecipient } from '../../domain/receiving.ts'
import { returnPathOf } from '../../domain/return-path.ts'
import { beginAttempt, noteOutcome } from '../../domain/sending.ts'
import type { DeliveryOutcome } from '../../domain/sending.ts'
import type { App } from '../../context.ts'
import { AppError } from '../../errors.ts'
import { domainPart } from '../../mailbox.ts'
import { sendMail } from '../../outbound/send-mail.ts'
import type { MailTarget, OutgoingMail } from '../../outbound/send-mail.ts'
import { findDelivery } from '../../store/deliveries.ts'
import type { Delivery } from '../../store/deliveries.ts'
import { isVerifiedDomain } from '../../store/domains.ts'
import { findForwardingAddressOf } from '../../store/forwarding-addresses.ts'
import { messageSize, readSource } from '../../store/messages.ts'
import type { Task } from '../task.ts'

/** Delivers a mail: here, to the smart host or to its MX, or keeps it. Each destination of an account has a lane. */
export const deliverMail: Task<{ deliveryId: string }> = {
  concurrency: 4,
  inAllLanes: 400,
  ofOnePart: [100, 4],
  lease: 1800,
  delays: [60, 300],
  async run(app, { deliveryId }) {
    const delivery = await findDelivery(app.db, deliveryId)
    if (!delivery || isOver[delivery.status]) return async () => {}
    const outcome = await deliver(app, delivery)
    // what is decided is noted also when the server closes: a mail that was taken would go out again at its next start
    if (outcome.kind === 'deferred') app.closing.throwIfAborted()
    app.metrics.mailDelivered(outcome.kind)
    return (tx) => noteOutcome(tx, delivery, outcome)
  },
}

const isOver: Partial<Record<Delivery['status'], true>> = { sent: true, captured: true, failed: true }

async function deliver(app: App, delivery: Delivery): Promise<DeliveryOutcome> {
  if (delivery.mode === 'test') return { kind: 'captured' }
  const domain = domainPart(delivery.recipient)
  const isOurs = domain === app.config.defaultDomain || await isVerifiedDomain(app.db, domain)
  if (!isOurs && app.config.outbound.kind === 'capture') return { kind: 'captured' }
  if (!await isWanted(app, delivery)) return { kind: 'refused', reason: 'Its forwarding address was deleted.' }
  const hasBegun = await beginAttempt(app, delivery)
  const header = await forwardHeader(app, delivery)
  const size = await messageSize(app.db, delivery.messageId)
  if (!hasBegun || header === undefined || size === undefined) return { kind: 'refused', reason: 'It was deleted.' }
  const mail = {
    sender: returnPathOf(app, delivery.id),
    recipient: delivery.recipient,
    source: () => withHeader(header, readSource(app.db, delivery.messageId), size),
    size: header.length + size,
  }
  if (isOurs) return deliverHere(app, mail)
  const outcome = await sendMail(targetFor(app, domain), mail, { name: app.config.mxHost, signal: app.closing })
  if (outcome.kind === 'deferred' && outcome.fault) app.log.error({ err: outcome.fault, delivery: delivery.id }, 'a mail could not be sent')
  return outcome
}

/** Whoever deletes a forwarding address wants no more mail there, also none that has waited. */
async function isWanted({ db }: App, delivery: Delivery): Promise<boolean> {
  if (delivery.kind === 'sent') return true
  const target = await findForwardingAddressOf(db, delivery, delivery.recipient)
  return target !== undefined && (target.isVerified || delivery.kind === 'verification')
}

/** Mail for an address of this server takes the way that mail from outside takes, without the network. */
async function deliverHere(app: App, { sender, recipient, source }: OutgoingMail): Promise<DeliveryOutcome> {
  try {
    const found = await acceptRecipient(app, recipient)
    if ('deliveryId' in found) throw new AppError('NOT_FOUND', 'No such mailbox here')
    await acceptMessage(app, { sender, recipients: [found], remoteAddress: '', helo: app.config.mxHost, tls: false }, source())
    return { kind: 'sent' }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { kind: error.code === 'NOT_FOUND' ? 'refused' : 'deferred', reason: error.message }
  }
}

const targetFor = ({ config: { outbound, allowPrivateMx }, network }: App, domain: string): MailTarget => outbound.kind === 'smarthost'
  ? { kind: 'smarthost', url: outbound.url }
  : { kind: 'direct', resolver: network.resolver, domain, port: network.mxPort, allowPrivate: allowPrivateMx }

/** @throws Error when the source is not all there: it may be deleted while it is read, and half a mail must not arrive */
async function* withHeader(header: Buffer, source: AsyncIterable<Uint8Array>, size: number) {
  if (header.length > 0) yield header
  let missing = size
  for await (const chunk of source) {
    missing -= chunk.length
    yield chunk
  }
  if (missing > 0) throw new Error('a mail was deleted while it was read')
}
