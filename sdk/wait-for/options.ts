import type { After } from '../core/ids.ts'
import type { Email } from '../generated/types.gen.ts'

/** Text that is contained, in any case; or an expression that matches. */
export type TextFilter = string | RegExp

/**
 * The options of `emails.waitFor`. It returns the oldest received email that matches, from a position that is fixed at the call.
 * Waits are independent: two may return the same email.
 *
 * The position, without `after`:
 * - At an address that this client issued, the address's first mail, so it does not matter whether the mail
 *   was triggered before or after the call. Once `waitFor`, `list` or `get` has returned mail of this address, the mail after the
 *   newest of it. A mail that the server was still reading when it returned a later one is returned by the next wait.
 * - Otherwise the time of the call: mail that was there before is not returned, and all mail that arrives later is. Mail that arrived
 *   shortly before, by at most the duration of the first request, counts as new.
 */
export interface WaitForOptions {
  /** Only mail of this address. Default: of all addresses of the account. */
  addressId?: string
  /**
   * Begin right after this email, email id or `cursor` of `emails.list`, or with this time on the server's clock.
   * Mail that was returned before may then be returned again.
   */
  after?: After
  /** Text in the sender's address or display name, in any case; or an expression that the address or the name matches. */
  from?: TextFilter
  /**
   * A recipient of the envelope, Cc and Bcc included, with its `+tag`, in any case: a whole address, `*@domain`, other text in the
   * address, or an expression that it matches.
   */
  to?: TextFilter
  /** Text in the subject, in any case; or an expression that it matches. */
  subject?: TextFilter
  /** Text in the plain-text body or in the source of the HTML body, in any case; or an expression that one of them matches. */
  body?: TextFilter
  /**
   * Only mail for which it returns true, or a promise of true. Called once for each email that matches the other options, with the whole
   * email. An error that it throws ends the wait.
   */
  match?: (email: Email) => boolean | Promise<boolean>
  /**
   * Milliseconds to wait. Default: `waitTimeoutMs` of the client, else 30,000; `Infinity` is allowed. The error lists the mail that arrived
   * instead, which takes up to a second more.
   */
  timeoutMs?: number
  /** Ends the wait at once; the promise rejects with the signal's reason. */
  signal?: AbortSignal
}

/** The query of `emails.wait`. */
export interface EmailWaitQuery extends Pick<WaitForOptions, 'addressId' | 'after'> {
  /** Part of the sender's address or name, in any case. */
  from?: string
  /** Part of the subject, in any case. */
  subject?: string
  /** A recipient of the envelope: a whole address, or `*@domain`. */
  to?: string
  /** The sender of the envelope, in the form of `to`. */
  envelopeFrom?: string
  /** Maximum seconds to wait, 0 to 60, default 30. */
  timeout?: number
}

export interface EmailWaitResult {
  /** Undefined when no email matched in time. */
  email: Email | undefined
  /** The `after` of the next wait: mail that the server is still reading comes after it. */
  cursor: string
}

/** The options of a wait, and those of `inbox.waitForCode` and `inbox.waitForLink`. */
export interface WaitInput extends WaitForOptions {
  /** Of the link. */
  text?: TextFilter
  url?: TextFilter
}
