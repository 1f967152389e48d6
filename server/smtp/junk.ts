import type { SmtpLimits } from './limits.ts'

/** Kinds of commands that advance a mail. Between two mails, each is allowed as often as one mail needs it. */
export type Progress = 'sender' | 'recipient' | 'excessRecipient'

type JunkLimits = Pick<SmtpLimits, 'junkCommands' | 'recipients' | 'excessRecipients'>

/** Counts the commands of a session that do not advance a mail. */
export class JunkCounter {
  private readonly limits: JunkLimits
  private junk = 0
  private allowed: Record<Progress, number>

  constructor(limits: JunkLimits) {
    this.limits = limits
    this.allowed = allowance(limits)
  }

  /** Counts a command. @returns whether it may run */
  count(): boolean {
    return this.junk++ < this.limits.junkCommands
  }

  /**
   * Takes the command off the count, up to the number that one mail needs. RSET does not reset that number.
   * @returns whether it was taken off
   */
  progress(kind: Progress): boolean {
    if (this.allowed[kind] === 0) return false
    this.allowed[kind]--
    this.junk--
    return true
  }

  /** A mail was received to its end. */
  endMail(isAccepted: boolean) {
    this.allowed = allowance(this.limits)
    if (isAccepted) this.junk = 0
  }
}

const allowance = ({ recipients, excessRecipients }: JunkLimits): Record<Progress, number> =>
  ({ sender: 1, recipient: recipients, excessRecipient: excessRecipients })
