import type { App } from '../context.ts'
import type { SmtpStage } from '../contract/types.gen.ts'
import { limitedTries, shownReply } from '../domain/smtp-activity.ts'
import { limitedFaults, SmtpFaultError } from '../domain/smtp-faults.ts'
import type { FaultResult } from '../domain/smtp-faults.ts'
import { MailRefusedError } from '../errors.ts'
import type { SmtpReply } from '../errors.ts'
import type { TriedAddress } from '../store/addresses/smtp-activity.ts'
import type { LimitedConnection, LimitedSession } from './connection.ts'
import { replyTo } from './replies.ts'

/** Maximum characters of a domain name. */
const maxHeloLength = 255
/** Maximum milliseconds of a delay, where several addresses of a mail ask for one. */
const maxDelayMs = 60_000

/** A command at an address; `sender` where it is not that of the session yet. */
export interface TriedCommand {
  stage: SmtpStage
  addressId: string
  recipients: string[]
  sender?: string
}

/** The outcomes of commands and mails at addresses: the faults that their owners have set, and the records of refused tries. */
export class SmtpOutcomes {
  readonly #recordTry: ReturnType<typeof limitedTries>
  readonly #takeFault: ReturnType<typeof limitedFaults>

  constructor(app: App) {
    this.#recordTry = limitedTries(app)
    this.#takeFault = limitedFaults(app)
  }

  /** Takes the fault of a stage, and delays the reply by it. @throws MailRefusedError */
  async applyFault(
    session: LimitedSession, { stage, addressId, recipients: [recipient = ''], sender = senderOf(session) }: TriedCommand,
  ): Promise<void> {
    const { connection, user } = session
    const occasion = { stage, hasLogin: Boolean(user?.login) || stage === 'auth', network: connection.network, sender, recipient }
    const fault = await this.#takeFault(addressId, occasion)
    if (fault) await delayByFault(fault, connection)
    if (fault?.error) throw fault.error
  }

  /**
   * Takes the fault of a mail to an address that has faults: at DATA, or of its end. A mail that goes to addresses of several accounts
   * has none: the fault of one would take the mail from the others.
   * @throws MailRefusedError beyond the rate of an address
   */
  async mailFault(session: LimitedSession, stage: 'data' | 'end'): Promise<FaultResult | undefined> {
    const { connection, user } = session
    const recipients = [...connection.recipients.values()]
    if (new Set(recipients.map((recipient) => 'deliveryId' in recipient ? '' : recipient.accountId)).size !== 1) return undefined
    const faulty = new Set(recipients.flatMap((recipient) => 'addressId' in recipient && recipient.hasFaults ? [recipient.addressId] : []))
    const occasion = { stage, hasLogin: Boolean(user?.login), network: connection.network, sender: senderOf(session), recipient: '' }
    let delayMs = 0
    for (const addressId of faulty) {
      const fault = await this.#takeFault(addressId, occasion)
      delayMs = Math.min(delayMs + (fault?.delayMs ?? 0), maxDelayMs)
      if (fault?.error) return { delayMs, error: fault.error }
    }
    return { delayMs, error: undefined }
  }

  /** Records a refused command. Does nothing for an error that concerns no address. */
  async recordRefusedCommand(session: LimitedSession, error: unknown, command: Omit<TriedCommand, 'addressId'>) {
    const addressId = session.user?.login?.id ?? (error instanceof MailRefusedError ? error.addressId : undefined)
    if (addressId === undefined) return
    await this.#recordAt(session, command.stage, shownReply(replyOf(error)), [{ ...command, addressId }], command.sender)
  }

  /** Records a reply that refuses a command at an address. */
  recordReply(session: LimitedSession, reply: SmtpReply, command: TriedCommand) {
    return this.#recordAt(session, command.stage, shownReply(reply), [command])
  }

  /** Records a refused mail at each of its addresses, or at the one whose fault refuses it. @param isLost its client went away */
  async recordRefusedMail(
    session: LimitedSession, stage: 'data' | 'end', error: unknown, addresses: TriedAddress[], isLost = false,
  ): Promise<void> {
    const concerned = error instanceof SmtpFaultError ? addresses.filter(({ addressId }) => addressId === error.addressId) : addresses
    await this.#recordAt(session, stage, isLost ? lost : shownReply(replyOf(error)), concerned)
  }

  #recordAt(
    session: LimitedSession, stage: SmtpStage, reply: ReturnType<typeof shownReply>, addresses: TriedAddress[], from = senderOf(session),
  ) {
    const helo = String(session.hostNameAppearsAs).replace(/\p{Cc}/gu, '').slice(0, maxHeloLength)
    const { network, address } = session.connection
    return this.#recordTry(network, { stage, client: { address, helo }, from, ...reply }, addresses)
  }
}

export async function delayByFault({ delayMs, error }: FaultResult, connection: LimitedConnection): Promise<void> {
  if (delayMs > 0 && connection.isInSession) await connection.delay.wait(delayMs)
  if (error?.reply) connection.describeRefused({ text: 'A fault that the owner of the address has set' })
}

/** Drops the connection where a fault does. After the record, so that a client which sees the end of its connection finds it. */
export function dropByFault({ connection }: LimitedSession, error: unknown): void {
  if (error instanceof MailRefusedError && !error.reply) connection.close()
}

const lost = { code: null, enhancedCode: null, text: 'The client went away before the end of the mail' }

const replyOf = (error: unknown) => error instanceof MailRefusedError ? error.reply : replyTo(error)

const senderOf = ({ envelope: { mailFrom } }: LimitedSession) => mailFrom ? mailFrom.address : ''
