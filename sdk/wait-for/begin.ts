import { clock } from '../core/clock.ts'
import type { CallOptions } from '../core/connection.ts'
import { TimeoutError } from '../core/errors.ts'
import { requireId, toCursor } from '../core/ids.ts'
import { load } from '../core/load.ts'
import { checkTimeout } from '../core/options.ts'
import type { ListItems } from '../core/pages.ts'
import type { MayflyPromise } from '../core/promise.ts'
import type { Email, EmailSummary } from '../generated/types.gen.ts'
import type { EmailListQuery, EmailPage } from '../resources/email-list.ts'
import type { EmailWaitQuery, EmailWaitResult, WaitInput } from './options.ts'
import type { SeenMail, Start } from './seen-mail.ts'

/** The operations and the state of a client that a wait uses. */
export interface WaitClient {
  list: (query: EmailListQuery, options: CallOptions) => MayflyPromise<EmailPage & ListItems<EmailSummary>>
  get: (id: string, options: CallOptions) => Promise<Email>
  wait: (query: EmailWaitQuery, options: CallOptions) => Promise<EmailWaitResult>
  seen: SeenMail
  /** For one request. */
  timeoutMs: number
  /** For a wait without a `timeoutMs`. */
  waitTimeoutMs: () => number
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

/** Fixes where and when a wait begins, and then loads the code that waits: mail that arrives meanwhile is later than `start`. */
export async function beginWait(client: WaitClient, options: WaitInput): Promise<Email> {
  const timeoutMs = checkTimeout(options.timeoutMs ?? client.waitTimeoutMs())
  const wait: Wait = { options: { ...options }, timeoutMs, began: clock.now(), start: chooseStart(client.seen, options) }
  const timeoutError = () => new TimeoutError(`The code of the wait was not loaded within ${timeoutMs} ms`)
  const { waitFor } = await load({ timeoutMs: Math.max(timeoutMs, minLoadMs), signal: options.signal, timeoutError }, () => import('./wait-for.ts'))
  return waitFor(client, wait)
}

function chooseStart(seen: SeenMail, options: WaitInput): Wait['start'] {
  const { addressId, after } = options
  // an id that is missing by mistake must not mean every address
  if ('addressId' in options) requireId(addressId, 'emails.waitFor: addressId')
  if (after !== undefined) return { after: toCursor(after, 'emails.waitFor'), except: new Set() }
  return addressId !== undefined && seen.startOf(addressId) || { except: seen.recent() }
}
