import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { openDashboard } from '../support/dashboard.ts'
import type { Dashboard } from '../support/dashboard.ts'
import { mailRow, openAddress } from './mail-page.ts'

describe('Dashboard: search and filter of mail', function () {
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
  const searchBox = () => page.getByRole('textbox', { name: 'Search' })
  const show = () => page.getByRole('combobox', { name: 'Show' })
  const query = () => new URL(page.url()).search

  it('keeps the search and the filter in the URL, which a reload, a link and the way back follow', async () => {
    const { id } = await openAddress(dashboard, page, 'Invoice 482913', 'Welcome')
    await searchBox().fill('482913')
    await row('Welcome').waitFor({ state: 'detached' })
    expect(query()).to.equal('?q=482913')
    await show().selectOption('unread')
    await page.waitForURL('**/mail/*?q=482913&show=unread')
    await page.reload()
    await row('Invoice 482913').waitFor()
    expect(await searchBox().inputValue()).to.equal('482913')
    expect(await show().inputValue()).to.equal('unread')
    await row('Invoice 482913').getByRole('link').click()
    await page.getByRole('heading', { name: 'Invoice 482913', level: 2 }).waitFor()
    expect(query()).to.equal('?q=482913&show=unread')
    await page.keyboard.press('u')
    await page.waitForURL(`**/mail/${id}?q=482913&show=unread`)

    await page.goto(`${dashboard.url}/mail/${id}?q=welcome`)
    await row('Welcome').waitFor()
    expect(await searchBox().inputValue()).to.equal('welcome')
    await searchBox().press('Escape')
    await row('Invoice 482913').waitFor()
    expect(query()).to.equal('')
  })

  it('filters by several buttons at once, which are operators of the search', async () => {
    const { address } = await openAddress(dashboard, page, 'Plain')
    await dashboard.app.send({ to: address, subject: 'Sign in', text: 'Your code is 482913.' })
    await row('Sign in').waitFor()
    const chip = (name: string) => page.getByRole('group', { name: 'Only mails that are, or have' }).getByRole('button', { name, exact: true })
    await searchBox().focus()
    await chip('Code').click()
    await row('Plain').waitFor({ state: 'detached' })
    await chip('File').click()
    await row('Sign in').waitFor({ state: 'detached' })
    expect(query()).to.equal('?q=has%3Acode+has%3Aattachment')
    expect(await searchBox().inputValue()).to.equal('has:code has:attachment')
    expect(await chip('Code').getAttribute('aria-pressed')).to.equal('true')
    await chip('File').click()
    await row('Sign in').waitFor()
    await chip('Code').click()
    await row('Plain').waitFor()
    expect(query()).to.equal('')
  })

  it('keeps searches under a name, in this browser', async () => {
    const { id } = await openAddress(dashboard, page, 'Invoice of May', 'Greetings')
    await searchBox().fill('invoice')
    await row('Greetings').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Save this search' }).click()
    await searchBox().press('Escape')
    await row('Greetings').waitFor()
    await page.reload()
    await page.getByRole('link', { name: 'invoice', exact: true }).click()
    await page.waitForURL(`**/mail/all?q=invoice`)
    await row('Invoice of May').waitFor()
    await page.getByRole('button', { name: 'Remove the search invoice' }).click()
    await page.getByRole('link', { name: 'invoice', exact: true }).waitFor({ state: 'detached' })
    expect(id).to.be.a('string')
  })
})
