import type { App } from '../context.ts'
import type { SmtpStage } from '../contract/types.gen.ts'
import { openRefusedTries } from '../domain/smtp-activity.ts'
import type { TriedAddress } from '../domain/smtp-activity.ts'
import { openFaults, SmtpFaultError, TooManyTriesError, triedReply } from '../domain/smtp-faults.ts'
import type { TakenFault } from '../domain/smtp-faults.ts'
import { AccountFullError } from '../errors.ts'
import type { LimitedConnection, LimitedSession } from './connection.ts'
import { replyTo } from './replies.ts'
import type { SmtpReply } from './replies.ts'

/** Maximum characters of a domain name. */
const maxHeloLength = 255
/** Maximum milliseconds of a delay, where several addresses of a mail ask for one. */
const maxDelayMs = 60_000

/** An address at a stage of a session; `sender` where it is not that of the session yet. */
interface Try {
  stage: SmtpStage
  addressId: string
  recipients: string[]
  sender?: string
}

/** The addresses that sessions concern: meets the faults that their owners have set, and records refused tries in their activity. */
export class TriedAddresses {
  readonly #record: ReturnType<typeof openRefusedTries>
  readonly #take: ReturnType<typeof openFaults>

  constructor(app: App) {
    this.#record = openRefusedTries(app)
    this.#take = openFaults(app)
  }

  /** Takes the fault of a stage, and carries it out. @throws SmtpFaultError, TooManyTriesError */
  async meetFault(session: LimitedSession, { stage, addressId, recipients: [recipient = ''], sender = senderOf(session) }: Try): Promise<void> {
    const { connection, user } = session
    const occasion = { stage, hasLogin: Boolean(user?.login) || stage === 'auth', network: connection.network, sender, recipient }
    const fault = await this.#take(addressId, occasion)
    if (fault) await carryOut(fault, connection)
    if (fault?.error) throw fault.error
  }

  /**
   * Takes the fault of a mail: at DATA, or of its end. A mail that goes to addresses of several accounts has none: the fault of one would
   * take the mail from the others.
   * @throws TooManyTriesError
   */
  async takeOfMail(session: LimitedSession, stage: 'data' | 'end'): Promise<TakenFault | undefined> {
    const { connection, user } = session
    const recipients = [...connection.recipients.values()]
    if (new Set(recipients.map((recipient) => 'deliveryId' in recipient ? '' : recipient.accountId)).size !== 1) return undefined
    const faulty = new Set(recipients.flatMap((recipient) => 'addressId' in recipient && recipient.hasFaults ? [recipient.addressId] : []))
    if (faulty.size === 0) return undefined
    const occasion = { stage, hasLogin: Boolean(user?.login), network: connection.network, sender: senderOf(session), recipient: '' }
    let delayMs = 0
    for (const addressId of faulty) {
      const fault = await this.#take(addressId, occasion)
      delayMs = Math.min(delayMs + (fault?.delayMs ?? 0), maxDelayMs)
      if (fault?.error) return { delayMs, error: fault.error }
    }
    return { delayMs, error: undefined }
  }

  /** Records a refused command. Does nothing for an error that concerns no address. */
  async recordRefused(session: LimitedSession, error: unknown, tried: Omit<Try, 'addressId'>) {
    const isOfAddress = error instanceof AccountFullError || error instanceof SmtpFaultError || error instanceof TooManyTriesError
    const addressId = session.user?.login?.id ?? (isOfAddress ? error.addressId : undefined)
    if (addressId !== undefined) await this.#recordAt(session, tried.stage, shownReply(error), [{ ...tried, addressId }], tried.sender)
  }

  /** Records a reply that refuses a command at an address. */
  recordReply(session: LimitedSession, reply: SmtpReply, tried: Try) {
    return this.#recordAt(session, tried.stage, ofReply(reply), [tried])
  }

  /** Records a refused mail at each of its addresses, or at the one whose fault refuses it. @param isLost whether the client went away */
  recordRefusedMail(session: LimitedSession, stage: 'data' | 'end', error: unknown, addresses: TriedAddress[], isLost = false) {
    const concerned = error instanceof SmtpFaultError ? addresses.filter(({ addressId }) => addressId === error.addressId) : addresses
    return this.#recordAt(session, stage, isLost ? lost : shownReply(error), concerned)
  }

  #recordAt(
    session: LimitedSession, stage: SmtpStage, reply: ReturnType<typeof triedReply>, addresses: TriedAddress[], from = senderOf(session),
  ) {
    const helo = String(session.hostNameAppearsAs).replace(/\p{Cc}/gu, '').slice(0, maxHeloLength)
    const { network, address } = session.connection
    return this.#record(network, { stage, client: { address, helo }, from, ...reply }, addresses)
  }
}

/** Delays, and drops the connection where the fault does. */
export async function carryOut({ delayMs, error }: TakenFault, connection: LimitedConnection): Promise<void> {
  if (delayMs > 0 && connection.isInSession) await connection.delay.wait(delayMs)
  if (!error) return
  if (error.reply) connection.describeRefused({ text: 'A fault that the owner of the address has set' })
  else connection.close()
}

const lost = { code: null, enhancedCode: null, text: 'The client went away before the end of the mail' }

const shownReply = (error: unknown) => error instanceof SmtpFaultError ? triedReply(error) : ofReply(replyTo(error))

const ofReply = ({ code, status, text }: SmtpReply) => ({ code, enhancedCode: status, text })

const senderOf = ({ envelope: { mailFrom } }: LimitedSession) => mailFrom ? mailFrom.address : ''
