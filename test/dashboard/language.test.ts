import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { findViolations } from '../support/accessibility.ts'
import { openDashboard } from '../support/dashboard.ts'
import type { Dashboard } from '../support/dashboard.ts'

describe('Dashboard: language', function () {
  let dashboard: Dashboard

  before(async () => {
    dashboard = await openDashboard({ messages: ['Failed to load resource'] })
    const { address } = await dashboard.app.newAddress()
    await dashboard.app.send({ to: address, subject: 'Hallo', text: 'Ihr Code lautet 482913.' })
  })
  after(() => dashboard?.[Symbol.asyncDispose]())

  const languageOf = (page: Page) => page.evaluate(() => document.documentElement.lang)
  const germanFiles = (page: Page) => page.evaluate(() => performance.getEntriesByType('resource').filter(({ name }) => name.includes('/german-')).length)
  /** Signs in with the words of English, which the browser does not have. */
  async function openGerman(options: { viewport?: { width: number, height: number } } = {}): Promise<Page> {
    const page = await (await dashboard.browser.newContext({ locale: 'de-AT', ...options })).newPage()
    await page.goto(await dashboard.linkOf(dashboard.app.account))
    await page.getByRole('button', { name: 'Anmelden' }).click()
    await page.waitForURL(({ pathname }) => pathname.startsWith('/mail'))
    return page
  }

  it('is that of the browser, with its numbers and dates, and loads no German where it is English', async () => {
    const page = await openGerman()
    expect([await languageOf(page), await germanFiles(page)]).to.deep.equal(['de', 1])
    await page.getByText('1 Mail, 1 ungelesen').first().waitFor()
    await page.goto(`${dashboard.url}/analytics`)
    await page.getByText('Tabelle', { exact: true }).click()
    const today = new Date().toLocaleDateString('de-AT', { dateStyle: 'full', timeZone: 'UTC' })
    await page.getByRole('table', { name: 'Die letzten 30 Tage' }).getByText(today).waitFor()
    await page.context().close()

    const english = await dashboard.openPage({ locale: 'fr-FR' })
    await english.getByRole('link', { name: 'Account', exact: true }).waitFor()
    expect([await languageOf(english), await germanFiles(english)]).to.deep.equal(['en', 0])
    await english.context().close()
  })

  it('is chosen on the page Account, and kept', async () => {
    const page = await dashboard.openPage()
    await page.goto(`${dashboard.url}/account`)
    await page.getByRole('combobox', { name: 'Language' }).selectOption({ label: 'Deutsch' })
    await page.getByRole('heading', { name: 'Konto', level: 1 }).waitFor()
    await page.goto(`${dashboard.url}/webhooks`)
    await page.getByRole('heading', { name: 'Noch keine Webhooks' }).waitFor()
    await page.goto(`${dashboard.url}/account`)
    await page.getByRole('combobox', { name: 'Sprache' }).selectOption({ label: 'Wie im Browser' })
    await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor()
    expect(await languageOf(page)).to.equal('en')
    await page.context().close()
  })

  it('is English while the German texts do not load', async () => {
    const page = await openGerman()
    await page.route('**/assets/german-*.js', (route) => route.abort())
    await page.goto(`${dashboard.url}/account`)
    await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor()
    expect(await languageOf(page)).to.equal('en')
    await page.context().close()
  })

  for (const width of [390, 1280]) {
    it(`cuts no German text and has no problem of accessibility that axe finds at ${width} px`, async () => {
      const page = await openGerman({ viewport: { width, height: 900 } })
      for (const path of ['/mail/all', '/send', '/domains', '/forwarding', '/webhooks', '/keys', '/analytics', '/audit', '/account', '/members', '/admin']) {
        await page.goto(dashboard.url + path)
        await page.locator('main h1').waitFor({ state: 'attached' })
        await page.waitForTimeout(500) // for the data of the page
        const cut = await page.locator('main :is(button, label, h1, h2, th, [role=tab])').evaluateAll((elements) => elements
          .filter(({ scrollWidth, clientWidth }) => clientWidth > 1 && scrollWidth > clientWidth + 1)
          .map(({ outerHTML }) => outerHTML.slice(0, 300)))
        expect(cut, path).to.deep.equal([])
        expect(await page.evaluate(() => document.documentElement.scrollWidth), path).to.be.at.most(width)
        expect(await findViolations(page), path).to.deep.equal([])
      }
      await page.context().close()
    })
  }
})
