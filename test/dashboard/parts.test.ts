import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { openDashboard } from '../support/dashboard.ts'
import type { Dashboard } from '../support/dashboard.ts'
import { rawRequest } from '../support/raw-request.ts'
import { mailRow, openAddress } from './mail-page.ts'

const reload = 'Mayfly was updated. Reload the page.'
const failed = 'The server does not answer.'
const broken = 'A part of this page did not load.'

describe('Dashboard: parts that do not load', function () {
  let dashboard: Dashboard
  let page: Page

  before(async () => {
    dashboard = await openDashboard({ messages: ['Failed to load resource', 'PartError', '%o'] })
    await dashboard.app.newAddress() // the first visit would make one, and go to it
  })
  beforeEach(async () => {
    page = await dashboard.openPage()
    page.setDefaultTimeout(15_000)
  })
  afterEach(() => page?.context().close())
  after(() => dashboard?.[Symbol.asyncDispose]())

  const link = (name: string) => page.getByRole('link', { name, exact: true })
  const heading = (name: string) => page.getByRole('heading', { level: 1, name })
  const alert = (text: string) => page.getByRole('alert').filter({ hasText: text })
  const abort = (pattern: string, times: number) => page.route(pattern, (route) => route.abort(), { times })

  it('loads a page again whose file failed once', async () => {
    await abort('**/assets/send-*.js', 1)
    await link('Send').click()
    await heading('Send').waitFor()
    expect(await page.getByRole('alert').count()).to.equal(0)
  })

  it('keeps the navigation beside a page that failed, and tries again', async () => {
    await page.route('**/assets/domains-*.js', (route) => route.abort())
    await link('Domains').click()
    await alert(failed).waitFor()
    await link('Account').click()
    await heading('Account').waitFor()
    await link('Domains').click()
    await alert(failed).waitFor()
    await page.unroute('**/assets/domains-*.js')
    await alert(failed).getByRole('button', { name: 'Try again' }).click()
    await heading('Domains').waitFor()
  })

  it('loads a style sheet again that failed once', async () => {
    await abort('**/assets/domains-*.css', 1)
    await link('Domains').click()
    await heading('Domains').waitFor()
    const sheets = await page.evaluate(() => [...document.styleSheets].flatMap(({ href }) => href ?? []))
    expect(sheets.findIndex((href) => href.includes('/domains-'))).to.be.above(sheets.findIndex((href) => href.includes('/shell-')))
  })

  it('asks for a reload where the server has other files since an upgrade', async () => {
    await page.route('**/assets/forwarding-*.js', (route) => route.fulfill({ status: 404, body: 'Not found' }))
    await link('Forwarding').click()
    await alert(reload).waitFor()
    await link('Account').waitFor()
    await page.unroute('**/assets/forwarding-*.js')
    await alert(reload).getByRole('button', { name: 'Reload' }).click()
    await heading('Forwarding').waitFor()
  })

  it('tells a server that fails from one that does not answer', async () => {
    await page.route('**/assets/send-*.js', (route) => route.fulfill({ status: 503 }))
    await link('Send').click()
    await alert(broken).waitFor()
    await page.unroute('**/assets/send-*.js')
    await alert(broken).getByRole('button', { name: 'Try again' }).click()
    await heading('Send').waitFor()
  })

  it('keeps the page beside a dialog that failed, and closes it', async () => {
    await link('API keys').click()
    await abort('**/assets/create-dialog-*.js', 3)
    await page.getByRole('button', { name: 'Create key' }).click()
    await alert(failed).getByRole('button', { name: 'Close' }).click()
    await heading('API keys').waitFor()
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).waitFor()
  })

  it('keeps the list of mails beside a mail that failed', async () => {
    await openAddress(dashboard, page, 'First', 'Second')
    await abort('**/assets/reader-*.js', 3)
    await mailRow(page, 'First').click()
    await alert(failed).waitFor()
    await mailRow(page, 'Second').waitFor()
    await alert(failed).getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('region', { name: 'Mail', exact: true }).getByText('The text of First.').waitFor()
  })

  it('gets 404 for a file that is gone, never the page', async () => {
    for (const accept of ['*/*', 'text/html,*/*']) {
      const { status, headers } = await rawRequest(dashboard.url, { path: '/assets/shell-00000000.js', headers: { accept } })
      expect([status, headers['content-type'], headers['cache-control']]).to.deep.equal([404, 'application/json; charset=utf-8', 'no-store'])
    }
  })
})
