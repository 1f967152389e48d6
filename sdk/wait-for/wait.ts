import type { Connection } from '../core/connection.ts'
import type { Email } from '../generated/types.gen.ts'
import type { WaitInput } from './options.ts'
import type { SeenMail, Start } from './seen-mail.ts'

/** A wait as it was called. */
export interface Wait {
  connection: Connection
  seen: SeenMail
  options: WaitInput
  inbox?: AwaitedInbox
  timeoutMs: number
  /** The value of `clock.now()` at the call. */
  began: number
  /** Without `after`, the wait begins with the call. */
  start: Omit<Start, 'after'> & { after?: string | undefined }
}

/** The inbox of a wait at an inbox. */
export interface AwaitedInbox {
  id: string
  address: string
  /** Skips mail without this part. */
  part?: 'Code' | 'Link'
}

/** The email that a wait has found, and the part of it that `inbox.part` names. */
export interface Awaited {
  email: Email
  part?: string
}

export type WaitFor = (options: WaitInput, inbox?: AwaitedInbox) => Promise<Awaited>

/** The part of a mail that a wait returns, such as its first code. */
export interface Wanted {
  /** For the TimeoutError: `a code`. */
  name: string
  /** For the mails without it: `a code`, or `such a link`. */
  missing: string
  /** @returns undefined for a mail without it */
  find: (email: Email) => string | undefined
}
