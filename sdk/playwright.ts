import { test as base } from '@playwright/test'
import type { MayflyOptions } from './core/options.ts'
import type { Mayfly } from './mayfly.ts'
import type { Inbox } from './resources/inboxes.ts'
import { countDown, openClient, useInbox } from './runner.ts'

export { expect } from '@playwright/test'

/** The fixtures of each test. */
export interface MayflyTestArgs {
  /** An inbox for this test alone, deleted after it. */
  inbox: Inbox
}

/**
 * Starts the countdown of a test's time limit, before all hooks and other fixtures of the test, because their duration counts toward the
 * limit. One countdown is enough: a worker runs one test at a time.
 */
interface TestClock {
  mayflyClock: void
}

const unlimited = () => Infinity
let remainingMs = unlimited

/** The fixtures that the tests of a worker share, and the options for `use` in a configuration. */
export interface MayflyWorkerArgs {
  /** The client. A wait without a `timeoutMs` ends before the time limit of the test. */
  mayfly: Mayfly
  /** The options of `mayfly`. Default: the variables `MAYFLY_API_KEY` and `MAYFLY_BASE_URL`. */
  mayflyOptions: MayflyOptions
}

/**
 * Playwright's `test` with the fixtures `inbox` and `mayfly`.
 * @example
 * test('a new customer confirms the address', async ({ page, inbox }) => {
 *   await page.goto('/sign-up')
 *   await page.getByLabel('Email').fill(inbox.address)
 *   await page.getByRole('button', { name: 'Sign up' }).click()
 *   await page.getByLabel('Code').fill(await inbox.waitForCode())
 *   await page.getByRole('button', { name: 'Confirm' }).click()
 *   await expect(page.getByRole('heading')).toHaveText('Welcome')
 * })
 */
export const test = base.extend<MayflyTestArgs & TestClock, MayflyWorkerArgs>({
  mayflyOptions: [{}, { scope: 'worker', option: true }],

  mayfly: [async ({ mayflyOptions }, use) => {
    await use(openClient(mayflyOptions, () => remainingMs(), "use: { mayflyOptions: { apiKey: 'svc_test_…' } } in playwright.config.ts"))
  }, { scope: 'worker' }],

  // Playwright reads the fixtures that a fixture needs from its first parameter
  mayflyClock: [async ({}, use, testInfo) => {
    remainingMs = countDown(() => testInfo.timeout) // test.setTimeout changes it
    await use()
    remainingMs = unlimited
  }, { auto: true }],

  inbox: useInbox,
})
