import type { SMTPServerAddress, SMTPServerOptions, SMTPServerSession } from 'smtp-server'
import type { App } from '../context.ts'
import { acceptMessage } from '../domain/receiving.ts'
import { acceptRecipient } from '../domain/recipients.ts'
import type { Envelope, Recipient, ReturnPath } from '../envelope.ts'
import { faultOfSender } from '../mailbox.ts'
import type { LimitedSession } from './connection.ts'
import type { MailSource } from './mail-source.ts'
import { isInternalError, isUnknownRecipient, replyTo, senderReplies, unknownParameter } from './replies.ts'
import type { SmtpReply } from './replies.ts'

/** Mails between DATA and their reply. A listener that closes waits for them. */
export type MailsInProgress = Set<Promise<void>>

interface AcceptedAddress extends SMTPServerAddress {
  recipient: Recipient | ReturnPath
}

/** The callbacks of smtp-server, which call the domain. */
export function sessionCallbacks(app: App, mails: MailsInProgress) {
  return {
    onConnect(_session, reply) {
      app.intake.prepare()
      reply() // in the same turn: smtp-server's default replies in a later one, and loses bytes that arrive before
    },

    onMailFrom({ address, args }, { connection }: LimitedSession, reply) {
      if (hasUnknown(args, mailParameters)) return reply(smtpError(unknownParameter))
      // empty is the null sender, as bounces have (RFC 5321, section 4.5.5)
      const fault = address === '' ? undefined : faultOfSender(address)
      if (fault) {
        connection.describeRefused({ stage: 'sender' })
        return reply(smtpError(senderReplies[fault]))
      }
      connection.recipients.clear()
      connection.recordProgress('sender')
      reply()
    },

    onRcptTo(rcpt, { connection, envelope: { mailFrom, smtpUtf8 } }: LimitedSession, reply) {
      if (hasUnknown(rcpt.args, [])) return reply(smtpError(unknownParameter))
      const known = connection.recipients.get(rcpt.address)
      if (known) {
        Object.assign(rcpt, { recipient: known })
        return reply() // a repeated recipient is an unproductive command
      }
      const start = performance.now()
      acceptRecipient(app, rcpt.address, { bytes: declaredSize(mailFrom), allowsUtf8: smtpUtf8 }).then((recipient) => {
        Object.assign(rcpt, { recipient })
        connection.recipients.set(rcpt.address, recipient)
        connection.recordProgress('recipient')
        reply()
      }, (error: unknown) => {
        const ms = performance.now() - start // without the delay of the reply
        const refused = () => {
          connection.describeRefused({ stage: 'recipient', bytes: declaredSize(mailFrom), ms })
          reply(refusal(app, error))
        }
        if (isUnknownRecipient(error)) connection.refuseUnknown(refused)
        else refused()
      })
    },

    onData(stream, session: LimitedSession, reply) {
      const mail = receive(app, stream as unknown as MailSource, session).then((refused) => {
        reply(refused, 'Accepted')
        session.connection.dismissIfClosing()
      })
      mails.add(mail)
      void mail.then(() => mails.delete(mail))
    },
  } satisfies SMTPServerOptions
}

/** Passes a mail to the domain. @returns null when it was accepted, else the reply */
async function receive(app: App, source: MailSource, session: LimitedSession) {
  const start = performance.now()
  const { connection } = session
  const envelope = envelopeOf(session)
  let error: unknown
  connection.beginMail(source)
  try {
    await acceptMessage(app, envelope, source)
  } catch (thrown) {
    error = thrown ?? new Error('undefined was thrown')
  }
  source.drop()
  connection.endMail(!error)
  if (error) {
    const part = { stage: 'mail' as const, addresses: addressesOf(envelope), bytes: source.receivedBytes, ms: performance.now() - start }
    if (source.isLost) connection.recordLost(part)
    else connection.describeRefused(part)
  }
  return error ? refusal(app, error, source.isLost) : null
}

function envelopeOf(session: LimitedSession): Envelope {
  const { mailFrom, rcptTo } = session.envelope
  const recipients = new Map<string, Recipient>()
  const bounces = new Set<string>()
  for (const { recipient } of rcptTo as AcceptedAddress[]) {
    if ('deliveryId' in recipient) bounces.add(recipient.deliveryId)
    else if (!recipients.has(recipient.addressId)) recipients.set(recipient.addressId, recipient)
  }
  return {
    sender: mailFrom ? mailFrom.address : '',
    recipients: [...recipients.values()],
    ...(bounces.size > 0 && { bounces: [...bounces] }),
    remoteAddress: session.remoteAddress,
    helo: session.hostNameAppearsAs,
    tls: session.secure,
  }
}

const addressesOf = ({ recipients }: Envelope) => recipients.map(({ address }) => address)

function refusal(app: App, error: unknown, isLost = false) {
  if (isInternalError(error) && !isLost) app.log.error({ err: error }, 'a mail could not be taken')
  return smtpError(replyTo(error))
}

/** Bytes that the client declared with MAIL, by which RCPT may be refused (RFC 1870, section 6.4); 0 when it did not. */
const declaredSize = (mailFrom: SMTPServerSession['envelope']['mailFrom']) =>
  Number(mailFrom && (mailFrom.args as { SIZE?: string } | false | undefined || {}).SIZE) || 0

/** Parameters of MAIL by the extensions that this server offers; RCPT has none. */
const mailParameters = ['SIZE', 'BODY', 'SMTPUTF8']

const hasUnknown = (given: SMTPServerAddress['args'], known: string[]) => Object.keys(given || {}).some((name) => !known.includes(name))

/** The reply as smtp-server takes it. */
const smtpError = ({ code, status, text }: SmtpReply) => Object.assign(new Error(`${status} ${text}`), { responseCode: code })
