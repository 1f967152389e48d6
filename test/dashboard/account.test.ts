import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { findViolations } from '../support/accessibility.ts'
import { openDashboard } from '../support/dashboard.ts'
import type { Dashboard } from '../support/dashboard.ts'
import { signIn } from '../support/sessions.ts'

describe('Dashboard: account', function () {
  let dashboard: Dashboard

  before(async () => { dashboard = await openDashboard() })
  after(() => dashboard?.[Symbol.asyncDispose]())

  async function openAccount(account: string, userAgent?: string): Promise<Page> {
    const page = await dashboard.openPage({ account, ...userAgent && { userAgent } })
    await page.getByRole('link', { name: 'Account' }).click()
    await page.getByText('This browser').waitFor()
    return page
  }

  const newAccount = async (plan: 'free' | 'business' = 'business') => (await signIn(dashboard.app, { plan })).email
  const sessionsOf = (page: Page) => page.getByRole('list', { name: 'Sessions' }).getByRole('listitem')
  const macSafari = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15'

  it('shows the address, the plan and what it includes', async () => {
    const email = await newAccount('free')
    const page = await openAccount(email)
    const shown = await page.getByRole('main').textContent()
    for (const text of [email, 'PlanFree', '1 d', 'Not included: they need the Business plan', '@mail.localhost', `mayfly account delete ${email}`]) {
      expect(shown).to.include(text)
    }
    expect(await findViolations(page)).to.deep.equal([])
    await page.context().close()
  })

  it('ends the session of another browser, which is signed out with its next request', async () => {
    const email = await newAccount()
    const other = await openAccount(email, macSafari)
    const page = await openAccount(email)
    await sessionsOf(page).filter({ hasText: 'Safari on macOS' }).getByRole('button', { name: 'End session' }).click()
    await page.getByText('The session has ended').waitFor()
    expect(await sessionsOf(page).filter({ hasText: 'Safari on macOS' }).count()).to.equal(0)

    await Promise.race([other.waitForURL('**/sign-in**'), other.getByRole('link', { name: 'API keys' }).click()])
    await other.waitForURL('**/sign-in**')
    await other.getByRole('textbox', { name: 'Email address' }).waitFor()
    expect(await other.content()).to.not.include(email)
    await page.reload()
    await page.getByText('This browser').waitFor()
    await other.context().close()
    await page.context().close()
  })

  it('carries out a change beyond the rate limit when the limit allows it again', async () => {
    const email = await newAccount()
    const other = await openAccount(email, macSafari)
    const page = await openAccount(email)
    let requests = 0
    await page.route('**/api/v1/sessions/*', async (route) => {
      if (++requests > 1) return route.continue()
      const error = 'More than 100 requests in a minute. Try again in 1 seconds.'
      await route.fulfill({ status: 429, headers: { 'retry-after': '1' }, json: { error, code: 'RATE_LIMITED' } })
    })
    await sessionsOf(page).filter({ hasText: 'Safari on macOS' }).getByRole('button', { name: 'End session' }).click()
    await page.getByText('The session has ended').waitFor()
    expect([requests, await page.getByText('More than 100 requests').count()]).to.deep.equal([2, 0])
    await other.context().close()
    await page.context().close()
  })

  it('signs out this browser alone', async () => {
    const email = await newAccount()
    const other = await openAccount(email)
    const page = await openAccount(email)
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.getByRole('textbox', { name: 'Email address' }).waitFor()
    await page.goto(`${dashboard.url}/account`)
    await page.waitForURL('**/sign-in?to=%2Faccount')
    await other.reload()
    await other.getByText('This browser').waitFor()
    await other.context().close()
    await page.context().close()
  })

  it('signs out everywhere', async () => {
    const email = await newAccount()
    const other = await openAccount(email)
    const page = await openAccount(email)
    await page.getByRole('button', { name: 'Sign out everywhere' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click()
    await page.getByRole('textbox', { name: 'Email address' }).waitFor()
    const signedOut = other.getByRole('textbox', { name: 'Email address' }).waitFor()
    await Promise.race([signedOut, other.getByRole('link', { name: 'API keys' }).click()])
    await signedOut
    await other.context().close()
    await page.context().close()
  })
})
