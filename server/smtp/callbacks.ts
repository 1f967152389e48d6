import type { SMTPServerAddress, SMTPServerOptions, SMTPServerSession } from 'smtp-server'
import type { App } from '../context.ts'
import type { SmtpStage } from '../contract/types.gen.ts'
import { acceptMessage } from '../domain/receiving.ts'
import { acceptForAll, acceptForLogin, acceptRecipient } from '../domain/recipients.ts'
import { openRefusedTries } from '../domain/smtp-activity.ts'
import type { TriedAddress } from '../domain/smtp-activity.ts'
import { logIn, refuseEndedLogin } from '../domain/smtp-logins.ts'
import type { Envelope, Recipient, ReturnPath } from '../envelope.ts'
import { AccountFullError } from '../errors.ts'
import { faultOfSender } from '../mailbox.ts'
import { addressMatcher } from '../network.ts'
import type { LimitedSession } from './connection.ts'
import type { MailSource } from './mail-source.ts'
import { isInternalError, isUnknownRecipient, replyTo, senderReplies, unknownParameter, wrongLogin } from './replies.ts'
import type { SmtpReply } from './replies.ts'

/** Mails between DATA and their reply. A listener that closes waits for them. */
export type MailsInProgress = Set<Promise<void>>

interface AcceptedAddress extends SMTPServerAddress {
  recipient: Recipient | ReturnPath
}

/** The callbacks of smtp-server, which call the domain. */
export function sessionCallbacks(app: App, mails: MailsInProgress) {
  const { catchAll, catchAllNetworks } = app.config
  const isCaught = catchAll === null ? () => false : addressMatcher(catchAllNetworks)
  const recordTry = tryRecorder(app)
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
      logIn(app, username ?? '', password ?? '').then((found) => {
        const login = found?.isRight ? found.login : undefined
        if (login || isCaught(connection.address)) return reply(null, { user: { login } })
        connection.refuseUnknown(() => {
          reply(smtpError(wrongLogin))
          // after the reply, whose time must not tell whether there is such a login (enumeration of addresses)
          if (found) void recordTry(session, 'auth', wrongLogin, [{ addressId: found.login.id, recipients: [] }])
        })
      }, (error: unknown) => reply(refusal(app, error)))
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
        connection.recordProgress('sender')
        reply()
      }
      if (!user?.login) return accept()
      const { login } = user
      refuseEndedLogin(app, login).then(accept, async (error: unknown) => {
        await recordTry(session, 'mail', replyTo(error), [{ addressId: login.id, recipients: [] }], address)
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
      accepted.then((recipient) => {
        Object.assign(rcpt, { recipient })
        connection.recipients.set(rcpt.address, recipient)
        connection.recordProgress('recipient')
        reply()
      }, async (error: unknown) => {
        const ms = performance.now() - start // without the delay of the reply
        const addressId = user?.login?.id ?? (error instanceof AccountFullError ? error.addressId : undefined)
        if (addressId !== undefined) await recordTry(session, 'rcpt', replyTo(error), [{ addressId, recipients: [rcpt.address] }])
        const refused = () => {
          connection.describeRefused({ stage: 'recipient', bytes: declaredSize(mailFrom), ms })
          reply(refusal(app, error))
        }
        if (isUnknownRecipient(error)) connection.refuseUnknown(refused)
        else refused()
      })
    },

    onData(stream, session: LimitedSession, reply) {
      const mail = receive(app, stream as unknown as MailSource, session, recordTry).then((refused) => {
        reply(refused, 'Accepted')
        session.connection.dismissIfClosing()
      })
      mails.add(mail)
      void mail.then(() => mails.delete(mail))
    },
  } satisfies SMTPServerOptions
}

/** Passes a mail to the domain. @returns null when it was accepted, else the reply */
async function receive(app: App, source: MailSource, session: LimitedSession, recordTry: TryRecorder) {
  const start = performance.now()
  const { connection } = session
  const envelope = envelopeOf(session)
  let error: unknown
  connection.beginMail(source)
  try {
    if (session.user?.login) await refuseEndedLogin(app, session.user.login)
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
    await recordTry(session, 'end', source.isLost ? null : replyTo(error), envelope.recipients.map(({ addressId, address, recipients }) =>
      ({ addressId, recipients: recipients ?? [address] })))
  }
  return error ? refusal(app, error, source.isLost) : null
}

type TryRecorder = ReturnType<typeof tryRecorder>

/** @returns a function that records a refusal at the addresses that it concerns; without a reply, that of a client that went away */
function tryRecorder(app: App) {
  const record = openRefusedTries(app)
  return (session: LimitedSession, stage: SmtpStage, reply: SmtpReply | null, addresses: TriedAddress[], sender?: string) => {
    const { connection, hostNameAppearsAs, envelope: { mailFrom } } = session
    const from = sender ?? (mailFrom ? mailFrom.address : '')
    const client = { address: connection.address, helo: String(hostNameAppearsAs).replace(/\p{Cc}/gu, '').slice(0, maxHeloLength) }
    const { code = null, status = null, text = 'The client went away before the end of the mail' } = reply ?? {}
    return record(connection.network, { stage, client, from, code, enhancedCode: status, text }, addresses)
  }
}

/** Maximum characters of a domain name. */
const maxHeloLength = 255

function envelopeOf(session: LimitedSession): Envelope {
  const { mailFrom, rcptTo } = session.envelope
  const recipients = new Map<string, Recipient>()
  const bounces = new Set<string>()
  for (const { recipient } of rcptTo as AcceptedAddress[]) {
    if ('deliveryId' in recipient) bounces.add(recipient.deliveryId)
    else if (!recipients.has(recipient.addressId)) recipients.set(recipient.addressId, recipient)
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

const addressesOf = ({ recipients }: Envelope) => recipients.map(({ address }) => address)

function refusal(app: App, error: unknown, isLost = false) {
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
