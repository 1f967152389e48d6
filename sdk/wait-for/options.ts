import { needId, toCursor } from '../ids.ts'
import type { After } from '../ids.ts'
import type { Shown, Start } from './shown.ts'

/**
 * What `emails.waitFor` waits for: the oldest received email that matches, from a point that is fixed at the call.
 * Waits do not take mail from one another.
 *
 * Where it begins, without `after`:
 * - At an address that this client issued, with the address's first mail, so it does not matter whether the mail
 *   was triggered before or after the call. Once mail of this address was shown to you (by `waitFor`, `list` or
 *   `get`), with what follows the newest of it. A mail that a wait could not see yet, because the server took longer
 *   to read it than a later one, is not lost: the next wait returns it.
 * - Otherwise with the call: mail that was there before is not returned, mail that arrives from then on is not missed.
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
  /** How long to wait, in milliseconds. Default 30,000. `Infinity` is allowed. */
  timeoutMs?: number
  /** Ends the wait at once; the promise rejects with the signal's reason. */
  signal?: AbortSignal
}

/** @returns undefined for the moment of the call */
export function chooseStart(shown: Shown, options: WaitForOptions): Start | undefined {
  const { addressId, after } = options
  // an id that is missing by mistake must not mean every address
  if ('addressId' in options) needId(addressId!, 'emails.waitFor', 'addressId to be an address id')
  if (after !== undefined) return { after: toCursor(after, 'emails.waitFor'), except: new Set() }
  return addressId === undefined ? undefined : shown.startOf(addressId)
}
