import type { SMTPServerAddress, SMTPServerAuthentication, SMTPServerOptions, SMTPServerSession } from 'smtp-server'
import type { App } from '../context.ts'
import { acceptMessage } from '../domain/receiving.ts'
import { acceptForAll, acceptForLogin, acceptRecipient } from '../domain/recipients.ts'
import { SenderRefusedError } from '../domain/sender-lists.ts'
import type { FaultResult } from '../domain/smtp-faults.ts'
import { logIn, refuseEndedLogin } from '../domain/smtp-logins.ts'
import { refuseWhenSourcesWait } from '../domain/source-moves.ts'
import type { Envelope, Recipient, ReturnPath } from '../envelope.ts'
import type { SmtpReply } from '../errors.ts'
import { faultOfSender } from '../mailbox.ts'
import { addressMatcher } from '../network.ts'
import type { CellSessions } from './cells.ts'
import type { LimitedSession } from './connection.ts'
import type { MailSource } from './mail-source.ts'
import type { RefusedPart } from './refusals.ts'
import { isInternalError, isUnknownRecipient, replyTo, senderReplies, unknownParameter, wrongLogin } from './replies.ts'
import type { RefusedCommand } from './replies.ts'
import { delayByFault, dropByFault, SmtpOutcomes } from './outcomes.ts'
import type { TriedCommand } from './outcomes.ts'

/** Mails between DATA and their reply. A listener that closes waits for them. */
export type MailsInProgress = Set<Promise<void>>

/** `recipient` is missing where the recipient was passed on. */
interface AcceptedAddress extends SMTPServerAddress {
  recipient: Recipient | ReturnPath
}

/**
 * The callbacks of smtp-server, which call the domain, and the one of `LimitedConnection` before DATA.
 * @param cells passes on the mail of other cells; undefined where there are none
 */
export function sessionCallbacks(app: App, mails: MailsInProgress, cells: CellSessions | undefined) {
  const { catchAll, catchAllNetworks } = app.config
  const isCaught = catchAll === null ? () => false : addressMatcher(catchAllNetworks)
  const outcomes = new SmtpOutcomes(app)

  /** Answers a command by the result of its work. An error is recorded where it concerns an address. */
  function answer<Result>(
    session: LimitedSession, command: Omit<TriedCommand, 'addressId'>, work: Promise<Result>,
    accept: (result: Result) => void, refuse: (error: unknown) => void,
  ) {
    work.then(accept, async (error: unknown) => {
      await outcomes.recordRefusedCommand(session, error, command)
      dropByFault(session, error)
      refuse(error)
    })
  }

  async function authenticate(session: LimitedSession, { username = '', password, authzid = '' }: SMTPServerAuthentication) {
    if (authzid !== '' && authzid.toLowerCase() !== username.toLowerCase()) return undefined // a login acts for itself alone (RFC 4616, section 2)
    const found = await logIn(app, username, password ?? '')
    if (found?.isRight && found.login.hasFaults) await outcomes.applyFault(session, { stage: 'auth', addressId: found.login.id, recipients: [] })
    return found ?? (await cells?.logIn(session, username, password ?? '') ? 'elsewhere' : undefined)
  }

  async function acceptSender(session: LimitedSession, sender: string, parameters: object) {
    await cells?.beginMail(session, sender, parameters)
    if (cells?.isLoggedIn(session)) return
    if (app.db.engine.sources) await refuseWhenSourcesWait(app)
    if (!session.user?.login) return
    const { id, hasFaults } = await refuseEndedLogin(app, session.user.login)
    if (hasFaults) await outcomes.applyFault(session, { stage: 'mail', addressId: id, recipients: [], sender })
  }

  /** @returns undefined for a recipient that is passed on */
  async function acceptRcpt(session: LimitedSession, address: string) {
    const recipient = await (cells ? findAnywhere(session, address, cells) : findRecipient(session, address))
    if (!recipient) return undefined
    if ('addressId' in recipient && recipient.hasFaults) {
      await outcomes.applyFault(session, { stage: 'rcpt', addressId: recipient.addressId, recipients: [address] })
    }
    return recipient
  }

  async function findAnywhere(session: LimitedSession, address: string, cells: CellSessions) {
    const own = session.user?.login || cells.isLoggedIn(session) ? undefined
      : await acceptRecipient(app, address, optionsOf(session)).catch(unlessUnknown)
    if (!own && !session.user?.login && await cells.recipient(session, address)) return undefined
    const found = own ?? await findRecipient(session, address)
    cells.refuseOwn(session)
    return found
  }

  async function findRecipient(session: LimitedSession, address: string) {
    const { connection, user } = session
    const options = optionsOf(session)
    if (user?.login) return acceptForLogin(app, user.login, address, options)
    try {
      return await acceptRecipient(app, address, options)
    } catch (error) {
      if (isUnknownRecipient(error) && isCaught(connection.address)) return acceptForAll(app, address, options)
      throw error
    }
  }

  const callbacks = {
    onConnect(_session, reply) {
      app.intake.prepare()
      reply() // in the same turn: smtp-server's default replies in a later one, and loses bytes that arrive before
    },

    onSecure(_socket, session: LimitedSession, reply) {
      cells?.end(session.connection) // STARTTLS begins a session anew (RFC 3207, section 4.2)
      reply() // in the same turn, as above
    },

    onAuth(given, session: LimitedSession, reply) {
      const { connection } = session
      answer(session, { stage: 'auth', recipients: [] }, authenticate(session, given), (found) => {
        if (found === 'elsewhere') return reply(null, { user: { login: undefined } })
        const login = found?.isRight ? found.login : undefined
        if (login || isCaught(connection.address)) return reply(null, { user: { login } })
        connection.refuseGuess(() => {
          reply(smtpError(wrongLogin))
          // recorded after the reply: its time must be the same for an address without a login (enumeration of addresses)
          if (found) void outcomes.recordReply(session, wrongLogin, { stage: 'auth', addressId: found.login.id, recipients: [] })
        })
      }, (error) => reply(refusal(app, error)))
    },

    onMailFrom({ address, args }, session: LimitedSession, reply) {
      const { connection } = session
      if (hasUnknown(args, mailParameters)) return reply(smtpError(unknownParameter))
      // empty is the null sender, as bounces have (RFC 5321, section 4.5.5)
      const problem = address === '' ? undefined : faultOfSender(address)
      if (problem) {
        connection.describeRefused({ stage: 'sender' })
        return reply(smtpError(senderReplies[problem]))
      }
      answer(session, { stage: 'mail', recipients: [], sender: address }, acceptSender(session, address, args || {}), () => {
        connection.recipients.clear()
        connection.recordProgress('sender')
        reply()
      }, (error) => reply(refusal(app, error)))
    },

    onRcptTo(rcpt, session: LimitedSession, reply) {
      const { address, args } = rcpt
      const { connection, envelope: { mailFrom } } = session
      if (hasUnknown(args, [])) return reply(smtpError(unknownParameter))
      const known = connection.recipients.get(address)
      if (known) {
        Object.assign(rcpt, { recipient: known })
        return reply() // a repeated recipient is an unproductive command
      }
      const start = performance.now()
      answer(session, { stage: 'rcpt', recipients: [address] }, acceptRcpt(session, address), (recipient) => {
        if (recipient) {
          Object.assign(rcpt, { recipient })
          connection.recipients.set(address, recipient)
        }
        connection.recordProgress('recipient')
        reply()
      }, (error) => {
        const ms = performance.now() - start // without the delay of the reply
        const refuse = () => {
          connection.describeRefused({ stage: 'recipient', bytes: declaredSize(mailFrom), ms, ...reasonOfError(error) })
          reply(refusal(app, error))
        }
        if (isUnknownRecipient(error)) connection.refuseGuess(refuse)
        else refuse()
      })
    },

    onData(stream, session: LimitedSession, reply) {
      const mail = receive(app, stream as unknown as MailSource, session, { outcomes, cells }).then((refused) => {
        reply(refused, 'Accepted')
        session.connection.dismissIfClosing()
      })
      mails.add(mail)
      void mail.then(() => mails.delete(mail))
    },
  } satisfies SMTPServerOptions
  return { callbacks, beforeData: (session: LimitedSession) => refusalAtData(app, session, { outcomes, cells }) }
}

/** The parts that receive mail. */
interface Receiving {
  outcomes: SmtpOutcomes
  cells: CellSessions | undefined
}

const optionsOf = ({ envelope: { mailFrom, smtpUtf8 } }: LimitedSession) =>
  ({ bytes: declaredSize(mailFrom), sender: mailFrom ? mailFrom.address : '', allowsUtf8: smtpUtf8 })

function unlessUnknown(error: unknown): undefined {
  if (!isUnknownRecipient(error)) throw error
}

/** Meets the fault of a mail at DATA. @returns undefined where the mail may come */
async function refusalAtData(app: App, session: LimitedSession, { outcomes, cells }: Receiving): Promise<RefusedCommand | undefined> {
  const { connection } = session
  try {
    if (cells?.has(session)) await cells.beginData(session)
    const fault = await mailFault(session, 'data', outcomes)
    if (fault) await delayByFault(fault, connection)
    if (fault?.error) throw fault.error
    return undefined
  } catch (error) {
    const envelope = envelopeOf(session)
    await outcomes.recordRefusedMail(session, 'data', error, recipientsOf(envelope.recipients))
    dropByFault(session, error)
    connection.describeRefused({ stage: 'mail', addresses: addressesOf(envelope), ...reasonOfError(error) })
    return refusal(app, error)
  }
}

/** The reason of a refusal that its code does not say. */
const reasonOfError = (error: unknown): Pick<RefusedPart, 'reason'> => error instanceof SenderRefusedError ? { reason: 'refused_sender' } : {}

const mailFault = async (session: LimitedSession, stage: 'data' | 'end', outcomes: SmtpOutcomes) => {
  const mayFail = [...session.connection.recipients.values()].some((recipient) => 'hasFaults' in recipient && recipient.hasFaults)
  return mayFail ? outcomes.mailFault(session, stage) : undefined
}

/** Passes a mail to the domain. @returns null when it was accepted, else the reply */
async function receive(app: App, source: MailSource, session: LimitedSession, { outcomes, cells }: Receiving) {
  const start = performance.now()
  const { connection } = session
  const envelope = envelopeOf(session)
  let fault: FaultResult | undefined
  const accept = async () => {
    if (cells?.has(session)) return cells.send(session, source)
    if (session.user?.login) await refuseEndedLogin(app, session.user.login)
    fault = await mailFault(session, 'end', outcomes)
    if (fault?.error) {
      for await (const { length } of source) source.recordStored(length) // so that it needs no memory
      throw fault.error
    }
    const { refusal } = await acceptMessage(app, envelope, source)
    if (refusal) await outcomes.recordRefusedMail(session, 'end', refusal.error, recipientsOf(refusal.recipients))
  }
  connection.beginMail(source)
  const refused = await accept().then(() => undefined, (error: unknown) => ({ error }))
  source.drop()
  connection.endMail(!refused)
  if (fault) await delayByFault(fault, connection)
  if (!refused) return null
  const part = { stage: 'mail' as const, addresses: addressesOf(envelope), bytes: source.receivedBytes, ms: performance.now() - start }
  if (source.isLost) connection.recordLost(part)
  else connection.describeRefused({ ...part, ...reasonOfError(refused.error) })
  await outcomes.recordRefusedMail(session, 'end', refused.error, recipientsOf(envelope.recipients), source.isLost)
  dropByFault(session, refused.error)
  return refusal(app, refused.error, source.isLost)
}

function envelopeOf(session: LimitedSession): Envelope {
  const { mailFrom } = session.envelope
  const rcptTo = (session.envelope.rcptTo as Partial<AcceptedAddress>[]).filter((each) => each.recipient) as AcceptedAddress[]
  const recipients = new Map<string, Recipient>()
  const bounces = new Set<string>()
  for (const { recipient } of rcptTo) {
    if ('deliveryId' in recipient) bounces.add(recipient.deliveryId)
    else if (!recipients.has(recipient.addressId)) recipients.set(recipient.addressId, { ...recipient })
  }
  for (const recipient of recipients.values()) {
    // those of other addresses, which may be of other accounts, are not shown
    const all = rcptTo.flatMap(({ recipient: other }) =>
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
const recipientsOf = (recipients: Recipient[]) =>
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
