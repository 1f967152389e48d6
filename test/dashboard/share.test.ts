import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { findViolations } from '../support/accessibility.ts'
import { frameOf, openDashboard } from '../support/dashboard.ts'
import type { Dashboard } from '../support/dashboard.ts'
import { emailOfAccount } from '../support/store/accounts.ts'

/** A black pixel. */
const pixel = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==', 'base64')

describe('Dashboard: shared inbox', function () {
  let dashboard: Dashboard
  let page: Page

  before(async () => {
    dashboard = await openDashboard()
    page = await dashboard.openPage()
    page.setDefaultTimeout(8_000)
  })
  after(() => dashboard?.[Symbol.asyncDispose]())

  const button = (name: string, on = page) => on.getByRole('button', { name, exact: true })
  const copied = async (name: string, on = page) => {
    await button(name, on).click()
    return on.evaluate(() => navigator.clipboard.readText())
  }

  /** Chooses from the menu of the address. */
  const choose = async (item: string) => {
    await button('More').click()
    await page.getByRole('menuitem', { name: item }).click()
  }

  /** A page of a browser that has no session. @returns the page, and the messages of its console */
  async function openAsStranger(url: string) {
    const context = await dashboard.browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] })
    const stranger = await context.newPage()
    stranger.setDefaultTimeout(8_000)
    const problems: string[] = []
    stranger.on('console', (message) => {
      if (message.type() === 'error' && !/^Failed to load resource|^Blocked script execution/.test(message.text())) problems.push(message.text())
    })
    await stranger.goto(url)
    return { stranger, problems }
  }

  it('is read by a link without a session, until the link is ended', async () => {
    const { id, address } = await dashboard.app.newAddress()
    await dashboard.app.send({
      to: address, subject: 'Confirm', html: '<p>Your code is <b>482913</b>.</p><img src="cid:pixel" alt="A pixel">',
      attachments: [{ filename: 'terms.txt', content: 'the terms' }, { filename: 'pixel.png', content: pixel, cid: 'pixel' }],
    })
    await page.goto(`${dashboard.url}/mail/${id}`)
    await choose('Share inbox')
    await page.getByText('No active link').waitFor()
    await page.getByRole('radio', { name: '1 hour' }).check()
    await button('Make a link').click()
    await page.getByRole('img', { name: 'QR code of the link' }).waitFor()
    expect(await findViolations(page)).to.deep.equal([])
    const link = await copied('Copy the link')
    expect(link).to.match(new RegExp(`^${dashboard.url}/shared#[\\w-]{43}$`))

    const { stranger, problems } = await openAsStranger(link)
    await stranger.getByRole('heading', { level: 1, name: address }).waitFor()
    expect(await copied('Copy code 482913', stranger)).to.equal('482913')
    await stranger.getByRole('button', { name: /Confirm/ }).click()
    await stranger.getByRole('heading', { level: 2, name: 'Confirm' }).waitFor()
    await frameOf(stranger).getByText('Your code is 482913.').waitFor()
    await frameOf(stranger).locator('img[src^="blob:"]').waitFor()
    const download = stranger.waitForEvent('download')
    await stranger.getByRole('button', { name: /Download terms\.txt/ }).click()
    expect((await download).suggestedFilename()).to.equal('terms.txt')
    expect(await findViolations(stranger)).to.deep.equal([])
    expect(await stranger.context().cookies()).to.deep.equal([])
    expect(await stranger.content()).to.not.include(await emailOfAccount(dashboard.app, dashboard.app.account))
    await dashboard.app.send({ to: address, subject: 'Later', text: 'text' })
    await stranger.getByRole('button', { name: /Later/ }).waitFor({ timeout: 15_000 })

    await page.keyboard.press('Escape')
    await choose('Share inbox')
    await button('End').click()
    await page.getByText('No active link').waitFor()
    await stranger.getByRole('button', { name: /Later/ }).click()
    await stranger.getByText('This link is unknown, was ended, or has expired. Ask for a new one.').waitFor()
    expect(await stranger.getByText('Confirm').count()).to.equal(0)
    expect(problems).to.deep.equal([])
    await stranger.context().close()
  })

  it('does not end the session of a browser that has one', async () => {
    const other = await page.context().newPage()
    await other.goto(`${dashboard.url}/shared#${'x'.repeat(43)}`)
    await other.getByRole('heading', { name: 'This link does not work' }).waitFor()
    await other.goto(`${dashboard.url}/account`)
    await other.getByRole('heading', { level: 1, name: 'Account' }).waitFor()
    await other.close()
  })

  it('has a QR code of the address beside it', async () => {
    const { id, address } = await dashboard.app.newAddress()
    await page.goto(`${dashboard.url}/mail/${id}`)
    await choose('QR code')
    await page.getByRole('img', { name: `QR code of ${address}` }).waitFor()
    expect(await findViolations(page)).to.deep.equal([])
  })
})
