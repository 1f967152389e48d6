import { clock } from '../core/clock.ts'
import type { Connection } from '../core/connection.ts'
import { requireId, toCursor } from '../core/ids.ts'
import { load } from '../core/load.ts'
import { checkTimeout } from '../core/options.ts'
import type { WaitInput } from './options.ts'
import type { SeenMail } from './seen-mail.ts'
import type { AwaitedInbox, Wait, WaitFor } from './wait.ts'

/** Minimum time for loading the code of waits, also where a wait is shorter: the mail that is there is still found. */
const minLoadMs = 1_000

/**
 * Makes the function that waits. It fixes at the call where and when the wait begins, and then loads the code that waits, so mail that
 * arrives meanwhile is later than the start.
 */
export const openWaits = (connection: Connection, seen: SeenMail): WaitFor => async (options, inbox) => {
  const timeoutMs = checkTimeout(options.timeoutMs ?? connection.waitTimeoutMs())
  const start = chooseStart(seen, options, inbox)
  const wait: Wait = { connection, seen, options: { ...options }, inbox, timeoutMs, began: clock.now(), start }
  const { waitFor } = await load('waitFor', { timeoutMs: Math.max(timeoutMs, minLoadMs), signal: options.signal }, () => import('./wait-for.ts'))
  return waitFor(wait)
}

function chooseStart(seen: SeenMail, options: WaitInput, inbox?: AwaitedInbox): Wait['start'] {
  const { after } = options
  const addressId = inbox?.id ?? options.addressId
  // an id that is missing by mistake must not mean every address
  if (!inbox && Object.hasOwn(options, 'addressId')) requireId(addressId, 'emails.waitFor: addressId')
  if (after !== undefined) return { after: toCursor(after, 'emails.waitFor'), except: new Set() }
  return { after: addressId === undefined ? undefined : seen.newestOf(addressId), except: seen.recent() }
}
