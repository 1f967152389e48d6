import { clock } from '../core/clock.ts'
import type { Connection } from '../core/connection.ts'
import { TimeoutError } from '../core/errors.ts'
import { requireId, toCursor } from '../core/ids.ts'
import { load } from '../core/load.ts'
import { checkTimeout } from '../core/options.ts'
import type { Email } from '../generated/types.gen.ts'
import type { EmailRequests } from '../resources/email-requests.ts'
import type { WaitInput } from './options.ts'
import type { SeenMail, Start } from './seen-mail.ts'

/** The requests and the state of a client that a wait uses. */
export interface WaitClient extends EmailRequests {
  seen: SeenMail
  /** For one request. */
  timeoutMs: number
}

/** A wait as it was called. */
export interface Wait {
  options: WaitInput
  timeoutMs: number
  /** The value of `clock.now()` at the call. */
  began: number
  /** Without `after`, the wait begins with the call. */
  start: Omit<Start, 'after'> & { after?: string }
}

/** Minimum time for loading the code of waits, also where a wait is shorter: the mail that is there is still found. */
const minLoadMs = 1_000

/** The email that a wait has found, and the part of it that `options.part` names. */
export interface Awaited {
  email: Email
  part?: string
}

export type WaitFor = (options: WaitInput) => Promise<Awaited>

/**
 * Makes the function that waits. It fixes at the call where and when the wait begins, and then loads the code that waits, so mail that
 * arrives meanwhile is later than the start.
 */
export function openWaits({ timeoutMs, waitTimeoutMs }: Connection, requests: EmailRequests, seen: SeenMail): WaitFor {
  const client: WaitClient = { ...requests, seen, timeoutMs }
  return async (options) => {
    const limitMs = checkTimeout(options.timeoutMs ?? waitTimeoutMs())
    const wait: Wait = { options: { ...options }, timeoutMs: limitMs, began: clock.now(), start: chooseStart(seen, options) }
    const timeoutError = () => new TimeoutError(`The code of the wait was not loaded within ${limitMs} ms`)
    const { waitFor } = await load({ timeoutMs: Math.max(limitMs, minLoadMs), signal: options.signal, timeoutError }, () => import('./wait-for.ts'))
    return waitFor(client, wait)
  }
}

function chooseStart(seen: SeenMail, options: WaitInput): Wait['start'] {
  const { addressId, after } = options
  // an id that is missing by mistake must not mean every address
  if ('addressId' in options) requireId(addressId, 'emails.waitFor: addressId')
  if (after !== undefined) return { after: toCursor(after, 'emails.waitFor'), except: new Set() }
  return addressId !== undefined && seen.startOf(addressId) || { except: seen.recent() }
}
