import type { Refusal } from '../metrics/metrics.ts'
import type { Client } from './crowd.ts'
import type { SmtpLimits } from './limits.ts'
import type { MailMemory } from './mail-memory.ts'
import type { MailRate } from './mail-rate.ts'
import type { Turns } from './turns.ts'

/** What the sessions of a listener share. */
export interface SharedBySessions {
  readonly limits: SmtpLimits
  /** Every connection whose socket is open, those too that only wait for the client to hang up. */
  readonly open: Set<Client>
  readonly turns: Turns
  readonly memory: MailMemory
  readonly rate: MailRate
  /** Counts an unknown recipient of a network. Returns the delay of its reply in milliseconds. */
  readonly delayOfUnknown: (network: string) => number
  readonly noteRefusal: (reason: Refusal) => void
  /** Ends the session that has made no progress for longest, if there are too many. */
  makeRoom(): void
}
