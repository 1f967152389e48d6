import { test as base } from 'vitest'
import type { MayflyOptions } from './core/options.ts'
import type { Mayfly } from './mayfly.ts'
import type { Inbox } from './resources/inboxes.ts'
import { countDown, openClient, useInbox } from './runner.ts'

export { expect } from 'vitest'

/** The fixtures of each test. */
export interface MayflyFixtures {
  /** The client of this test. A wait without a `timeoutMs` ends before the test's own time limit, by default 5 seconds. */
  mayfly: Mayfly
  /** An inbox for this test alone, deleted after it. */
  inbox: Inbox
  /** The options of `mayfly`. Default: the variables `MAYFLY_API_KEY` and `MAYFLY_BASE_URL`. */
  mayflyOptions: MayflyOptions
}

/**
 * Vitest's `test` with the fixtures `inbox` and `mayfly`.
 * @example
 * import { expect, test } from '@mayfly-mail/sdk/vitest'
 * test('a new customer gets a code', async ({ inbox }) => {
 *   await signUp(inbox.address)
 *   expect(await inbox.waitForCode()).toMatch(/^\d{6}$/)
 * })
 */
export const test = base.extend<MayflyFixtures>({
  mayflyOptions: {},

  mayfly: async ({ task, mayflyOptions }, use) => {
    await use(openClient(mayflyOptions, countDown(() => task.timeout), "test.extend({ mayflyOptions: { apiKey: 'svc_test_…' } })"))
  },

  inbox: useInbox,
})

export { test as it }
