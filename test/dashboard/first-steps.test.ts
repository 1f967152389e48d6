import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { findViolations } from '../support/accessibility.ts'
import { createAccount } from '../support/store/accounts.ts'
import { openDashboard } from '../support/dashboard.ts'
import type { Dashboard } from '../support/dashboard.ts'
import { mailRow } from './mail-page.ts'

describe('Dashboard: first steps', function () {
  let dashboard: Dashboard

  before(async () => { dashboard = await openDashboard() })
  after(() => dashboard?.[Symbol.asyncDispose]())

  /** A page of a new account, with its sign-in link open. */
  async function openLink(email: string): Promise<Page> {
    const { app, browser } = dashboard
    const { id } = await createAccount(app, email)
    const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'], viewport: { width: 1280, height: 800 } })
    const page = await context.newPage()
    page.setDefaultTimeout(20_000)
    await page.goto(await dashboard.linkOf(id))
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    return page
  }

  const readClipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())
  const copied = (page: Page) => page.getByRole('alert').filter({ hasText: 'Its code 482913 is copied.' }).waitFor()

  it('copies the first code after two clicks from the sign-in link', async () => {
    const page = await openLink('clicks@example.org')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Send a test mail' }).click()
    await copied(page)
    expect(await readClipboard(page)).to.equal('482913')
    await mailRow(page, 'Your code is 482913').getByRole('button', { name: 'Copy code 482913' }).waitFor()
    expect(await page.locator('[data-mail]').count()).to.equal(1)
    const tasks = page.getByRole('region', { name: 'First steps' })
    expect(await tasks.getByRole('img', { name: 'Done' }).count()).to.equal(2)
    await tasks.getByRole('listitem').filter({ hasText: 'An API key made' }).getByRole('img', { name: 'To do' }).waitFor()
    expect(await findViolations(page)).to.deep.equal([])
    await tasks.getByRole('button', { name: 'Hide the first steps' }).click()
    await tasks.waitFor({ state: 'detached' })
    await page.context().close()
  })

  it('copies the first code after two keys', async () => {
    const page = await openLink('keys@example.org')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Send a test mail' }).waitFor()
    await page.keyboard.press('c')
    await copied(page)
    expect(await readClipboard(page)).to.equal('482913')
    await page.context().close()
  })

  it('shows the ways to send and read mail, with the values of the address', async () => {
    const page = await openLink('ways@example.org')
    await page.getByRole('button', { name: 'Sign in' }).click()
    const address = await page.locator('[aria-current="page"][data-address]').getAttribute('title')
    const texts: Record<string, string[]> = {
      'SMTP': ['Host', 'Port', address!], 'curl': [`--mail-rcpt ${address}`], 'PowerShell': ['Send-MailMessage', address!],
      'Frameworks': ['createTransport', address!], 'TypeScript': ['mayfly.emails.waitFor', dashboard.url], 'Python': ['wait_for(address_id=', dashboard.url],
      'Playwright': ['@mayfly-mail/sdk/playwright', dashboard.url], 'pytest': ['def test_sign_up(inbox)', dashboard.url],
    }
    for (const [name, parts] of Object.entries(texts)) {
      await page.getByRole('tab', { name, exact: true }).click()
      const panel = page.getByRole('tabpanel', { name })
      for (const part of parts) await panel.getByText(part).first().waitFor()
    }
    expect(await findViolations(page)).to.deep.equal([])
    await page.reload()
    await page.getByRole('tab', { name: 'pytest', selected: true }).waitFor()
    await page.context().close()
  })
})
