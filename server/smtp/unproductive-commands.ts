import type { SmtpLimits } from './limits.ts'

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
