import type { SMTPServerAddress, SMTPServerOptions, SMTPServerSession } from 'smtp-server'
import type { App } from '../context.ts'
import { acceptMessage } from '../domain/receiving.ts'
import { acceptForAll, acceptForLogin, acceptRecipient } from '../domain/recipients.ts'
import type { TakenFault } from '../domain/smtp-faults.ts'
import { logIn, refuseEndedLogin } from '../domain/smtp-logins.ts'
import type { Envelope, Recipient, ReturnPath } from '../envelope.ts'
import { faultOfSender } from '../mailbox.ts'
import { addressMatcher } from '../network.ts'
import type { LimitedSession } from './connection.ts'
import type { MailSource } from './mail-source.ts'
import { isInternalError, isUnknownRecipient, replyTo, senderReplies, unknownParameter, wrongLogin } from './replies.ts'
import type { RefusedCommand, SmtpReply } from './replies.ts'
import { carryOut, TriedAddresses } from './tried-addresses.ts'

/** Mails between DATA and their reply. A listener that closes waits for them. */
export type MailsInProgress = Set<Promise<void>>

interface AcceptedAddress extends SMTPServerAddress {
  recipient: Recipient | ReturnPath
}

/** The callbacks of smtp-server, which call the domain. */
export function sessionCallbacks(app: App, mails: MailsInProgress) {
  const { catchAll, catchAllNetworks } = app.config
  const isCaught = catchAll === null ? () => false : addressMatcher(catchAllNetworks)
  const tried = new TriedAddresses(app)
  return {
    onConnect(_session, reply) {
      app.intake.prepare()
      reply() // in the same turn: smtp-server's default replies in a later one, and loses bytes that arrive before
    },

    onSecure(_socket, _session, reply) {
      reply() // in the same turn, as above
    },

    onAuth({ username, password }, session: LimitedSession, reply) {
      const { connection } = session
      logIn(app, username ?? '', password ?? '').then(async (found) => {
        if (found?.isRight && found.login.hasFaults) await tried.meetFault(session, { stage: 'auth', addressId: found.login.id, recipients: [] })
        return found
      }).then((found) => {
        const login = found?.isRight ? found.login : undefined
        if (login || isCaught(connection.address)) return reply(null, { user: { login } })
        connection.refuseGuess(() => {
          reply(smtpError(wrongLogin))
          // recorded after the reply: its time must be the same for an address without a login (enumeration of addresses)
          if (found) void tried.recordReply(session, wrongLogin, { stage: 'auth', addressId: found.login.id, recipients: [] })
        })
      }, async (error: unknown) => {
        await tried.recordRefused(session, error, { stage: 'auth', recipients: [] })
        reply(refusal(app, error))
      })
    },

    onMailFrom(path, session: LimitedSession, reply) {
      const { address, args } = path
      const { connection, user } = session
      if (hasUnknown(args, mailParameters)) return reply(smtpError(unknownParameter))
      // empty is the null sender, as bounces have (RFC 5321, section 4.5.5)
      const fault = address === '' ? undefined : faultOfSender(address)
      if (fault) {
        connection.describeRefused({ stage: 'sender' })
        return reply(smtpError(senderReplies[fault]))
      }
      const accept = () => {
        connection.recipients.clear()
        connection.beforeData = undefined
        connection.recordProgress('sender')
        reply()
      }
      if (!user?.login) return accept()
      refuseEndedLogin(app, user.login).then(async ({ id, hasFaults }) => {
        if (hasFaults) await tried.meetFault(session, { stage: 'mail', addressId: id, recipients: [], sender: address })
      }).then(accept, async (error: unknown) => {
        await tried.recordRefused(session, error, { stage: 'mail', recipients: [], sender: address })
        reply(refusal(app, error))
      })
    },

    onRcptTo(rcpt, session: LimitedSession, reply) {
      const { connection, user, envelope: { mailFrom, smtpUtf8 } } = session
      if (hasUnknown(rcpt.args, [])) return reply(smtpError(unknownParameter))
      const known = connection.recipients.get(rcpt.address)
      if (known) {
        Object.assign(rcpt, { recipient: known })
        return reply() // a repeated recipient is an unproductive command
      }
      const start = performance.now()
      const options = { bytes: declaredSize(mailFrom), allowsUtf8: smtpUtf8 }
      const accepted = user?.login ? acceptForLogin(app, user.login, rcpt.address, options)
        : acceptRecipient(app, rcpt.address, options).catch((error: unknown) => {
          if (isUnknownRecipient(error) && isCaught(connection.address)) return acceptForAll(app, rcpt.address, options)
          throw error
        })
      accepted.then(async (recipient) => {
        if (!('addressId' in recipient) || !recipient.hasFaults) return recipient
        await tried.meetFault(session, { stage: 'rcpt', addressId: recipient.addressId, recipients: [rcpt.address] })
        connection.beforeData = () => refusalAtData(app, session, tried)
        return recipient
      }).then((recipient) => {
        Object.assign(rcpt, { recipient })
        connection.recipients.set(rcpt.address, recipient)
        connection.recordProgress('recipient')
        reply()
      }, async (error: unknown) => {
        const ms = performance.now() - start // without the delay of the reply
        await tried.recordRefused(session, error, { stage: 'rcpt', recipients: [rcpt.address] })
        const refused = () => {
          connection.describeRefused({ stage: 'recipient', bytes: declaredSize(mailFrom), ms })
          reply(refusal(app, error))
        }
        if (isUnknownRecipient(error)) connection.refuseGuess(refused)
        else refused()
      })
    },

    onData(stream, session: LimitedSession, reply) {
      const mail = receive(app, stream as unknown as MailSource, session, tried).then((refused) => {
        reply(refused, 'Accepted')
        session.connection.dismissIfClosing()
      })
      mails.add(mail)
      void mail.then(() => mails.delete(mail))
    },
  } satisfies SMTPServerOptions
}

/** Meets the fault of a mail at DATA. @returns undefined where the mail may come */
async function refusalAtData(app: App, session: LimitedSession, tried: TriedAddresses): Promise<RefusedCommand | undefined> {
  const { connection } = session
  const envelope = envelopeOf(session)
  try {
    const fault = await tried.takeOfMail(session, 'data')
    if (fault) await carryOut(fault, connection)
    if (!fault?.error) return undefined
    throw fault.error
  } catch (error) {
    await tried.recordRefusedMail(session, 'data', error, recipientsOf(envelope))
    connection.describeRefused({ stage: 'mail', addresses: addressesOf(envelope) })
    return refusal(app, error)
  }
}

/** Passes a mail to the domain. @returns null when it was accepted, else the reply */
async function receive(app: App, source: MailSource, session: LimitedSession, tried: TriedAddresses) {
  const start = performance.now()
  const { connection } = session
  const envelope = envelopeOf(session)
  let error: unknown
  let fault: TakenFault | undefined
  connection.beginMail(source)
  try {
    if (session.user?.login) await refuseEndedLogin(app, session.user.login)
    if (connection.beforeData) fault = await tried.takeOfMail(session, 'end')
    if (fault?.error) {
      for await (const { length } of source) source.recordStored(length) // so that it needs no memory
      throw fault.error
    }
    await acceptMessage(app, envelope, source)
  } catch (thrown) {
    error = thrown ?? new Error('undefined was thrown')
  }
  source.drop()
  connection.endMail(!error)
  if (fault) await carryOut(fault, connection)
  if (error) {
    const part = { stage: 'mail' as const, addresses: addressesOf(envelope), bytes: source.receivedBytes, ms: performance.now() - start }
    if (source.isLost) connection.recordLost(part)
    else connection.describeRefused(part)
    await tried.recordRefusedMail(session, 'end', error, recipientsOf(envelope), source.isLost)
  }
  return error ? refusal(app, error, source.isLost) : null
}

function envelopeOf(session: LimitedSession): Envelope {
  const { mailFrom, rcptTo } = session.envelope
  const recipients = new Map<string, Recipient>()
  const bounces = new Set<string>()
  for (const { recipient } of rcptTo as AcceptedAddress[]) {
    if ('deliveryId' in recipient) bounces.add(recipient.deliveryId)
    else if (!recipients.has(recipient.addressId)) recipients.set(recipient.addressId, { ...recipient })
  }
  for (const recipient of recipients.values()) {
    // those of other addresses, which may be of other accounts, are not shown
    const all = (rcptTo as AcceptedAddress[]).flatMap(({ recipient: other }) =>
      'addressId' in other && other.addressId === recipient.addressId ? [other.address] : [])
    if (!recipient.via && all.length === 1) continue
    recipient.recipients = all.slice(0, maxShownRecipients)
    recipient.recipientsTotal = all.length
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

/** Maximum recipients of the envelope that an email shows. */
const maxShownRecipients = 100

/** The addresses of an envelope, each with its own recipients. */
const recipientsOf = ({ recipients }: Envelope) =>
  recipients.map(({ addressId, address, recipients: all }) => ({ addressId, recipients: all ?? [address] }))

const addressesOf = ({ recipients }: Envelope) => recipients.map(({ address }) => address)

function refusal(app: App, error: unknown, isLost = false): RefusedCommand {
  if (isInternalError(error) && !isLost) app.log.error({ err: error }, 'a mail could not be taken')
  return smtpError(replyTo(error))
}

/** Bytes that the client declared with MAIL, by which RCPT may be refused (RFC 1870, section 6.4); 0 when it did not. */
const declaredSize = (mailFrom: SMTPServerSession['envelope']['mailFrom']) =>
  Number(mailFrom && (mailFrom.args as { SIZE?: string } | false | undefined || {}).SIZE) || 0

/** Parameters of MAIL by the extensions that this server offers; RCPT has none. AUTH has no effect (RFC 4954, section 5). */
const mailParameters = ['SIZE', 'BODY', 'SMTPUTF8', 'AUTH']

const hasUnknown = (given: SMTPServerAddress['args'], known: string[]) => Object.keys(given || {}).some((name) => !known.includes(name))

/** The reply as smtp-server takes it. */
const smtpError = ({ code, status, text }: SmtpReply) => Object.assign(new Error(`${status} ${text}`), { responseCode: code })
