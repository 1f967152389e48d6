import type { ClientNetwork } from '../network.ts'
import type { SmtpLimits } from './limits.ts'

/** A connection, as the limits of its networks count it. */
export interface SmtpClient {
  /** Normalized by `clientAddress`. */
  address: string
  /** Those of `clientNetworks`. */
  networks: ClientNetwork[]
  /** False after the end of its session; the socket may stay open until the client closes it. */
  isInSession: boolean
}

/**
 * Whether a new client exceeds a limit of one of its networks: the maximum of sessions, or twice that number of sockets, which clients may
 * leave open after a session.
 * @param open the other connections
 * @param max sessions of the smallest network
 */
export function exceedsClientLimits({ networks }: Pick<SmtpClient, 'networks'>, open: Iterable<SmtpClient>, max: number): boolean {
  const counts = networks.map(({ factor }) => ({ max: max * factor, sessions: 0, sockets: 0 }))
  for (const client of open) {
    for (const [i, count] of counts.entries()) {
      if (client.networks[i]?.name !== networks[i]!.name) continue
      count.sockets++
      if (client.isInSession) count.sessions++
    }
  }
  return counts.some(({ max, sessions, sockets }) => sessions >= max || sockets >= 2 * max)
}

/** Kinds of commands that advance a mail. Between two mails, each is allowed as often as one mail needs it. */
export type MailProgress = 'sender' | 'recipient' | 'excessRecipient'

type CommandLimits = Pick<SmtpLimits, 'unproductiveCommands' | 'recipients' | 'excessRecipients'>

/** Counts the commands of a session that do not advance a mail. */
export class UnproductiveCommands {
  private readonly limits: CommandLimits
  private counted = 0
  private allowed: Record<MailProgress, number>

  constructor(limits: CommandLimits) {
    this.limits = limits
    this.allowed = allowance(limits)
  }

  /** Counts a command. @returns whether it may run */
  countCommand(): boolean {
    return this.counted++ < this.limits.unproductiveCommands
  }

  /**
   * Takes the command off the count, up to the number that one mail needs. RSET does not reset that number.
   * @returns whether it was taken off
   */
  recordProgress(kind: MailProgress): boolean {
    if (this.allowed[kind] === 0) return false
    this.allowed[kind]--
    this.counted--
    return true
  }

  /** A mail was received to its end. */
  endMail(isAccepted: boolean) {
    this.allowed = allowance(this.limits)
    if (isAccepted) this.counted = 0
  }
}

const allowance = ({ recipients, excessRecipients }: CommandLimits): Record<MailProgress, number> =>
  ({ sender: 1, recipient: recipients, excessRecipient: excessRecipients })
