import type { SmtpLimits } from './limits.ts'

/** Commands that bring a mail nearer, each as often between two mails as a mail needs it. */
export type Progress = 'sender' | 'recipient' | 'excessRecipient'

type JunkLimits = Pick<SmtpLimits, 'junkCommands' | 'recipients' | 'excessRecipients'>

/** Counts the commands of a session that bring no mail nearer. */
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
   * Takes the command off the count. A repetition beyond what one mail needs stays counted: RSET begins no new allowance.
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
