import { clock } from './core/clock.ts'
import { MayflyError } from './core/errors.ts'
import { checkClientOptions } from './core/options.ts'
import type { MayflyOptions } from './core/options.ts'
import { Mayfly } from './mayfly.ts'
import type { Inbox } from './resources/inboxes.ts'

/** Maximum milliseconds of a wait without a `timeoutMs`. */
const maxWaitMs = 30_000
/** Time that is kept for the end of a wait, which lists the mail that arrived instead for up to a second. */
const endMs = 1_250

/**
 * The client of the fixtures of a test runner. Its waits end before the runner ends the test.
 * @param remainingMs milliseconds until the runner ends the test; `Infinity` without a limit
 * @param place of the options, for the error
 */
export function openClient(options: MayflyOptions, remainingMs: () => number, place: string): Mayfly {
  checkClientOptions(options, 'mayflyOptions')
  if (!(options.apiKey ?? process.env['MAYFLY_API_KEY'])) {
    throw new MayflyError(`The fixtures of Mayfly need an API key: set the variable MAYFLY_API_KEY, or ${place}`)
  }
  const waitTimeoutMs = () => {
    const leftMs = remainingMs()
    return Math.min(maxWaitMs, Math.max(1, leftMs / 2, leftMs - endMs))
  }
  return new Mayfly({ waitTimeoutMs, ...options })
}

/** @returns the milliseconds that are left of a limit, which is read at each call and is 0 where there is none */
export function countDown(limitMs: () => number): () => number {
  const began = clock.now()
  return () => (limitMs() || Infinity) - (clock.now() - began)
}

/** The fixture `inbox`. Runners read the names of the fixtures that it needs from the text of its first parameter. */
export async function useInbox({ mayfly }: { mayfly: Mayfly }, use: (inbox: Inbox) => Promise<void>): Promise<void> {
  const inbox = await mayfly.inboxes.create()
  await use(inbox)
  await inbox.delete()
}
