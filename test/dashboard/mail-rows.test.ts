import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { findViolations } from '../support/accessibility.ts'
import { openDashboard } from '../support/dashboard.ts'
import type { Dashboard } from '../support/dashboard.ts'
import { repeatEmail } from '../support/store/mails.ts'
import { mailRow, openAddress } from './mail-page.ts'

describe('Dashboard: rows of mails', function () {
  let dashboard: Dashboard
  let page: Page

  before(async () => {
    dashboard = await openDashboard()
    await dashboard.app.newAddress()
    page = await dashboard.openPage({ viewport: { width: 1280, height: 800 } })
    page.setDefaultTimeout(20_000)
  })
  after(() => dashboard?.[Symbol.asyncDispose]())

  const row = (subject: string) => mailRow(page, subject)
  const readClipboard = () => page.evaluate(() => navigator.clipboard.readText())
  const toast = (text: string) => page.getByRole('alert').filter({ hasText: text }).first().waitFor()
  const copyButton = (subject: string, code: string) => row(subject).getByRole('button', { name: `Copy code ${code}` })

  async function openMailWith(subject: string, text: string) {
    const { id, address } = await openAddress(dashboard, page)
    await dashboard.app.send({ to: address, from: 'Shop <shop@example.org>', subject, text })
    await row(subject).waitFor()
    return id
  }

  it('shows 17 whole mails in 800 pixels, and fewer in comfortable rows, which the browser remembers', async () => {
    const { id } = await openAddress(dashboard, page, 'Repeated')
    await repeatEmail(dashboard.app, id, 40)
    for (const path of [id, 'all']) {
      await page.goto(`${dashboard.url}/mail/${path}`)
      await row('Repeated').first().waitFor()
      await page.waitForFunction(() => document.querySelectorAll('[data-mail]').length > 16)
      expect(await row('Repeated').first().evaluate((each) => each.getBoundingClientRect().height)).to.equal(44)
      const top = await page.locator('[data-mail-scroller]').evaluate((each) => each.getBoundingClientRect().top)
      expect(Math.floor((800 - top) / 44), path).to.equal(17)
    }
    const comfortable = page.getByRole('button', { name: 'Comfortable' })
    await comfortable.click()
    await page.reload()
    await page.getByRole('button', { name: 'Comfortable', pressed: true }).waitFor()
    expect(await row('Repeated').first().evaluate((each) => each.getBoundingClientRect().height)).to.equal(78)
    expect(await findViolations(page)).to.deep.equal([])
    await comfortable.click()
  })

  it('copies a code from the row without opening the mail', async () => {
    const id = await openMailWith('Sign in to the shop', 'Your code is 482913.')
    await copyButton('Sign in to the shop', '482913').click()
    await toast('482913 is copied.')
    expect(await readClipboard()).to.equal('482913')
    expect(new URL(page.url()).pathname).to.equal(`/mail/${id}`)
    await page.locator('[data-unread]').filter({ hasText: 'Sign in to the shop' }).waitFor()
    expect(await findViolations(page)).to.deep.equal([])
  })

  it('copies the code, and opens and copies the first link, by keys, of the newest mail or the open one', async () => {
    await openMailWith('With a link', 'Your code is 771204. Or confirm: https://shop.example/confirm?t=1')
    await page.context().route('https://shop.example/**', (route) => route.fulfill({ body: 'Confirmed' }))
    await page.keyboard.press('c')
    await toast('771204 is copied.')
    expect(await readClipboard()).to.equal('771204')
    await page.keyboard.press('Shift+L')
    await toast('https://shop.example/confirm?t=1 is copied.')
    expect(await readClipboard()).to.equal('https://shop.example/confirm?t=1')
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'With a link', level: 2 }).waitFor()
    const opened = page.context().waitForEvent('page')
    await page.keyboard.press('l')
    const tab = await opened
    await tab.waitForURL('https://shop.example/confirm?t=1')
    expect(await tab.evaluate(() => window.opener as unknown)).to.equal(null)
    await tab.close()
    await page.keyboard.press('u')
  })

  it('opens the link of a mail without a code by the button with its host, in a new tab without a way back', async () => {
    await page.context().route('https://portal.shop.example/**', (route) => route.fulfill({ body: 'confirmed' }))
    await openMailWith('Confirm by link', 'Please confirm your address: https://portal.shop.example/confirm?t=2')
    const button = row('Confirm by link').getByRole('button', { name: 'Open the link to portal.shop.example' })
    const opened = page.context().waitForEvent('page')
    await button.click()
    const tab = await opened
    await tab.waitForURL('https://portal.shop.example/confirm?t=2')
    expect(await tab.evaluate(() => window.opener as unknown)).to.equal(null)
    await tab.close()
    expect(await row('With a link').getByRole('button', { name: /Open the link/ }).count()).to.equal(0) // it has a code
  })

  it('says that a mail has no code', async () => {
    await openMailWith('Without a code', 'Hello.')
    await page.keyboard.press('c')
    await toast('This mail has no code.')
    expect(await row('Without a code').getByRole('button', { name: /Copy code/ }).count()).to.equal(0)
  })
})
