import { test as base } from '@playwright/test'
import { MayflyError } from './core/errors.ts'
import type { MayflyOptions } from './core/options.ts'
import { Mayfly } from './mayfly.ts'
import type { Inbox } from './resources/inboxes.ts'

export { expect } from '@playwright/test'

/** The fixtures of each test. */
export interface MayflyTestArgs {
  /** An inbox for this test alone, deleted after it. */
  inbox: Inbox
}

/** The fixtures that the tests of a worker share, and the options for `use` in a configuration. */
export interface MayflyWorkerArgs {
  /** The client. */
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
 *   const { codes } = await inbox.waitFor()
 *   await page.getByLabel('Code').fill(codes[0]!)
 *   await page.getByRole('button', { name: 'Confirm' }).click()
 *   await expect(page.getByRole('heading')).toHaveText('Welcome')
 * })
 */
export const test = base.extend<MayflyTestArgs, MayflyWorkerArgs>({
  mayflyOptions: [{}, { scope: 'worker', option: true }],

  mayfly: [async ({ mayflyOptions }, use) => {
    if (!(mayflyOptions.apiKey ?? process.env['MAYFLY_API_KEY'])) {
      throw new MayflyError('The fixtures of Mayfly need an API key: set the variable MAYFLY_API_KEY, '
        + "or use: { mayflyOptions: { apiKey: 'svc_test_…' } } in playwright.config.ts")
    }
    await use(new Mayfly(mayflyOptions))
  }, { scope: 'worker' }],

  inbox: async ({ mayfly }, use) => {
    const inbox = await mayfly.inboxes.create()
    await use(inbox)
    await inbox.delete()
  },
})
