import type { SMTPServer, SMTPServerSession } from 'smtp-server'
import type { MailRate, SmtpClient, TurnBudget } from './client-limits.ts'
import type { SmtpLimits } from './limits.ts'
import type { MailMemory } from './mail-memory.ts'
import type { SmtpRefusal } from './refusals.ts'
import type { RefusedCommand } from './replies.ts'

/** The state and the limits that the sessions of all ports share. */
export interface SharedBySessions {
  readonly limits: SmtpLimits
  /** Whether a login needs no TLS, wherever its client is. */
  readonly allowsInsecureAuth: boolean
  /** Those in session, also during a TLS handshake. */
  readonly connections: SMTPServer['connections']
  /** Every connection whose socket is open, also after the end of its session. */
  readonly openConnections: Set<SmtpClient>
  readonly turnBudget: TurnBudget
  readonly mailMemory: MailMemory
  readonly mailRate: MailRate
  /** Counts an unknown recipient or a wrong password of a network. @returns the delay of its reply in milliseconds */
  readonly delayOfGuess: (network: string) => number
  /** Counts a TLS handshake of a network. @returns its delay in milliseconds */
  readonly delayOfHandshake: (network: string) => number
  readonly recordRefusal: (refusal: SmtpRefusal) => void
  /** Asked before DATA. @returns the error of a refusal */
  beforeData(session: SMTPServerSession): Promise<RefusedCommand | undefined>
  /** Undefined where there is one cell. */
  readonly cells: { isSecret(text: string): boolean } | undefined
  /** Ends the session that has made no progress for longest, if there are too many. */
  makeRoom(): void
}
