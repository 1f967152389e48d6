import type { Email } from '../generated/types.gen.ts'
import type { After } from '../ids.ts'

/**
 * What `emails.waitFor` waits for: the oldest received email that matches, from a point that is fixed at the call.
 * Waits do not take mail from one another.
 *
 * Where it begins, without `after`:
 * - At an address that this client issued, with the address's first mail, so it does not matter whether the mail
 *   was triggered before or after the call. Once mail of this address was shown to you (by `waitFor`, `list` or
 *   `get`), with what follows the newest of it. A mail that a wait could not see yet, because the server took longer
 *   to read it than a later one, is not lost: the next wait returns it.
 * - Otherwise with the call: mail that was there before is not returned, mail that arrives from then on is not missed. Mail of the
 *   moment before, which is no longer than the first request takes, counts as new.
 */
export interface WaitForOptions {
  /** Only mail of this address. Omitted, of any address of the account. */
  addressId?: string
  /**
   * Begin right after this email, email id or `cursor` of `emails.list`, or with this time on the server's clock.
   * Nothing else counts then: mail that was shown before is returned again.
   */
  after?: After
  /** Text in the sender's address or display name, in any case; or what one of the two must match. */
  from?: string | RegExp
  /** Text in the subject, in any case; or what it must match. */
  subject?: string | RegExp
  /**
   * How long to wait, in milliseconds. Default 30,000. `Infinity` is allowed. To say what did arrive instead takes a moment more,
   * a second at most.
   */
  timeoutMs?: number
  /** Ends the wait at once; the promise rejects with the signal's reason. */
  signal?: AbortSignal
}

/** What `emails.wait` waits for. */
export interface EmailWaitQuery extends Pick<WaitForOptions, 'addressId' | 'after'> {
  /** Part of the sender's address or name, in any case. */
  from?: string
  /** Part of the subject, in any case. */
  subject?: string
  /** Seconds to wait at most, 0 to 60, default 30. */
  timeout?: number
}

export interface EmailWaitResult {
  /** Undefined when none came in time. */
  email: Email | undefined
  /** Give it as `after` to go on: what was still being read comes after it. */
  cursor: string
}
