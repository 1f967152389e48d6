import { test as base } from '@playwright/test'
import { MayflyError } from './errors.ts'
import type { Inbox } from './inboxes.ts'
import { Mayfly } from './mayfly.ts'
import type { MayflyOptions } from './options.ts'

export { expect } from '@playwright/test'

/** What each test may use. */
export interface MayflyTestArgs {
  /** An inbox of this test alone, deleted after it. */
  inbox: Inbox
}

/** What the tests of a worker share, and what `use` of a configuration may hold. */
export interface MayflyWorkerArgs {
  /** The client. */
  mayfly: Mayfly
  /** How `mayfly` is made. Default: by the variables `MAYFLY_API_KEY` and `MAYFLY_BASE_URL`. */
  mayflyOptions: MayflyOptions
}

/**
 * Playwright's `test`, with an inbox for each test that asks for one.
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
