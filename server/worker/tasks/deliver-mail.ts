import type { App } from '../../context.ts'
import { nameOfAddress } from '../../domain/cells.ts'
import { forwardHeader } from '../../domain/forwards.ts'
import { isDeliveredHere } from '../../domain/leaving-mail.ts'
import { acceptLocalMail } from '../../domain/receiving.ts'
import { acceptRecipient } from '../../domain/recipients.ts'
import { errorRetryDelaysMs } from '../../domain/retry-delays.ts'
import { returnPathOf } from '../../domain/return-path.ts'
import { beginAttempt, recordMailOutcome, removed } from '../../domain/sending.ts'
import type { MailOutcome } from '../../domain/sending.ts'
import { passFaults } from '../../domain/smtp-faults.ts'
import { AppError, MailRefusedError, nothingFound } from '../../errors.ts'
import { domainPart } from '../../mailbox.ts'
import type { MailTarget } from '../../outbound/send-mail.ts'
import type { OutgoingMail } from '../../outbound/session.ts'
import { findForwardingAddressOf } from '../../store/addresses/forwarding-addresses.ts'
import type { Claim } from '../../store/jobs/claims.ts'
import { readSource } from '../../store/mail/message-chunks.ts'
import { messageBytes } from '../../store/mail/messages.ts'
import { findMailDelivery } from '../../store/outgoing/mail-deliveries.ts'
import type { MailDelivery } from '../../store/outgoing/mail-deliveries.ts'
import { systemOwner, unbound } from '../../store/owner.ts'
import type { Task } from '../run-job.ts'

/** Delivers a mail: to a mailbox of this server, the smart host or an MX, or captures it. Each destination of an account has a lane. */
export const deliverMail: Task<'deliver-mail'> = {
  maxPerLane: 4,
  maxInAllLanes: 400,
  maxPerLanePart: { account: 100, destination: 4 },
  errorRetryDelaysMs: errorRetryDelaysMs.mail,
  async run(app, { deliveryId }, job) {
    const delivery = await findMailDelivery(app.db, deliveryId)
    if (!delivery || isOver[delivery.status]) return async () => {}
    const start = performance.now()
    const outcome = await deliver(app, delivery, job)
    // a final outcome is recorded even while the server closes: otherwise an accepted mail would be sent again at the next start
    if (outcome.kind === 'deferred') app.closing.throwIfAborted()
    app.metrics.mailDelivered(outcome.kind)
    app.activity.record({
      kind: 'delivered', id: deliveryId, mail: delivery.kind, outcome: outcome.kind, attempt: delivery.attempts + 1,
      ...'reason' in outcome && { reason: outcome.reason }, addresses: [delivery.recipient], ms: performance.now() - start,
    })
    return (tx) => recordMailOutcome(tx, delivery, outcome)
  },
}

const isOver: Partial<Record<MailDelivery['status'], true>> = { sent: true, captured: true, failed: true }

async function deliver(app: App, delivery: MailDelivery, claim: Claim): Promise<MailOutcome> {
  if (delivery.mode === 'test') return { kind: 'captured' }
  const domain = domainPart(delivery.recipient)
  const isOurs = await isDeliveredHere(app.config, app.db, delivery.recipient)
  if (!isOurs && app.config.outbound.kind === 'capture') return { kind: 'captured' }
  if (!await isWanted(app, delivery)) return { kind: 'refused', reason: 'Its forwarding address was deleted.' }
  const outcome = await beginAttempt(app, delivery, { claim, isLeaving: !isOurs })
  if (outcome) return outcome
  const header = await forwardHeader(app, delivery)
  const sizeBytes = await messageBytes(app.db, delivery.messageId)
  if (header === undefined || sizeBytes === undefined) return removed
  const mail = {
    sender: returnPathOf(app, delivery.id),
    recipient: delivery.recipient,
    source: () => withHeader(header, readSource(app.db, delivery.messageId), sizeBytes),
    sizeBytes: header.length + sizeBytes,
  }
  if (isOurs) return deliverHere(app, mail)
  const { sendMail } = await import('../../outbound/send-mail.ts') // not loaded by a server that captures mail
  const sent = await sendMail(targetFor(app, domain), mail, { name: app.config.mxHost, signal: app.closing })
  if (sent.kind === 'deferred' && sent.fault) app.log.error({ err: sent.fault, delivery: delivery.id }, 'a mail could not be sent')
  return sent
}

/** False for a forward whose forwarding address was deleted, or is not verified any more, while the mail waited. */
async function isWanted({ db }: App, delivery: MailDelivery): Promise<boolean> {
  if (delivery.kind === 'sent' || delivery.accountId === systemOwner.accountId) return true
  const target = await findForwardingAddressOf(db, unbound(delivery), delivery.recipient)
  return target !== undefined && (target.isVerified || delivery.kind === 'verification')
}

/** Delivers a mail to an address of this server: as mail over SMTP is, but without the network, except to another cell. */
async function deliverHere(app: App, mail: OutgoingMail): Promise<MailOutcome> {
  const { sender, recipient, source } = mail
  try {
    const found = await acceptRecipient(app, recipient).catch((error: unknown) => deliverToCell(app, mail, error))
    if (!found) return { kind: 'sent' }
    if ('deliveryId' in found) throw nothingFound('No such mailbox here')
    await passFaults(app, found, sender, '') // the sender is a return path, with which its reader could forge a delivery report
    await acceptLocalMail(app, { sender, recipient: found, source: source() })
    return { kind: 'sent' }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const isFinal = error.code === 'NOT_FOUND' || error instanceof MailRefusedError && error.reply !== null && error.reply.code >= 500
    return { kind: isFinal ? 'refused' : 'deferred', reason: error.message }
  }
}

/** Delivers a mail to an address of another cell. @param error thrown unless one has the address */
async function deliverToCell(app: App, mail: OutgoingMail, error: unknown): Promise<undefined> {
  const { network: { cells }, config } = app
  const name = error instanceof AppError && error.code === 'NOT_FOUND' && cells ? nameOfAddress(app, mail.recipient) : undefined
  const found = name && await cells!.find(name, 'outgoing mail')
  if (!found) throw error
  const session = await cells!.openMail(found.cell, { address: '127.0.0.1', helo: config.mxHost, isTls: true })
  try {
    await session.deliver(mail).catch((refusal: unknown) => cells!.refuseMoved(refusal, name, found.cell, 'outgoing mail'))
  } finally {
    session.close()
  }
}

function targetFor({ config: { outbound, allowPrivateMx }, network }: App, domain: string): MailTarget {
  if (outbound.kind === 'smarthost') return { kind: 'smarthost', url: outbound.url }
  const { resolver, mtaStsPolicies, mxPort: port } = network
  return { kind: 'direct', resolver, mtaStsPolicies, domain, port, allowPrivate: allowPrivateMx }
}

/** @throws Error when the source is incomplete, because it was deleted while it was read: a partial mail must not be delivered */
async function* withHeader(header: Buffer, source: AsyncIterable<Uint8Array>, sizeBytes: number) {
  if (header.length > 0) yield header
  let missingBytes = sizeBytes
  for await (const chunk of source) {
    missingBytes -= chunk.length
    yield chunk
  }
  if (missingBytes > 0) throw new Error('a mail was deleted while it was read')
}
