import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { openDashboard } from '../support/dashboard.ts'
import type { Dashboard } from '../support/dashboard.ts'
import { newToken, signIn } from '../support/sessions.ts'
import { mailRow } from './mail-page.ts'

const host = 'lan.example'

/** A name of a local network over plain HTTP is no secure context, other than localhost. */
describe('Dashboard: over plain HTTP at a name of the local network', function () {
  let dashboard: Dashboard

  before(async () => {
    dashboard = await openDashboard({ launch: { args: ['--no-sandbox', `--host-resolver-rules=MAP ${host} 127.0.0.1`] } })
  })
  after(() => dashboard?.[Symbol.asyncDispose]())

  const urlOf = ({ url }: TestApp) => `http://${host}:${new URL(url).port}`

  /** Opens the page of a sign-in link of a new account. */
  async function openLink(app = dashboard.app, prepare?: (page: Page) => Promise<unknown>): Promise<Page> {
    const { email } = await signIn(app)
    const page = await (await dashboard.browser.newContext()).newPage()
    page.setDefaultTimeout(15_000)
    await prepare?.(page)
    await page.goto(`${urlOf(app)}/sign-in#${await newToken(app, email)}`)
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    return page
  }

  async function signInWithLink(): Promise<Page> {
    const page = await openLink()
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(({ pathname }) => pathname.startsWith('/mail/'))
    return page
  }

  /** Reads the clipboard by pasting. */
  async function paste(page: Page): Promise<string> {
    const pasted = await page.evaluateHandle(() => ({
      text: new Promise<string>((resolve) => {
        document.addEventListener('paste', ({ clipboardData }) => resolve(clipboardData!.getData('text')), { once: true })
      }),
    }))
    await page.keyboard.press('Control+v')
    return pasted.evaluate(({ text }) => text)
  }

  it('signs in, makes an address, shows mail as it arrives, copies, and writes', async () => {
    const page = await signInWithLink()
    expect(await page.evaluate(() => isSecureContext)).to.equal(false)
    await page.getByRole('button', { name: 'New address' }).click()
    await page.getByText(/@mail\.localhost is copied\./).waitFor()
    const address = await paste(page)
    await page.getByRole('heading', { level: 2, name: address }).waitFor()

    await dashboard.app.send({ to: address, subject: 'Welcome', text: 'Your code is 482913.' })
    await mailRow(page, 'Welcome').click()
    await page.getByRole('button', { name: 'Copy code 482913' }).click()
    expect(await paste(page)).to.equal('482913')

    const changed = (method: string) => page.waitForResponse((response) => response.request().method() === method && response.ok())
    await Promise.all([changed('PATCH'), page.getByRole('button', { name: 'Star Welcome' }).click()])
    await Promise.all([changed('DELETE'), page.getByRole('region', { name: 'Mail' }).getByRole('button', { name: 'Delete', exact: true }).click()])
    await page.getByRole('link', { name: 'API keys' }).click()

    await page.getByRole('button', { name: 'Create key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name' }).fill('CI')
    await dialog.getByRole('checkbox', { name: 'emails:read', exact: true }).check()
    await dialog.getByRole('button', { name: 'Create key' }).click()
    await dialog.getByRole('button', { name: 'Copy the key', exact: true }).click()
    await dialog.getByTitle('Copied').waitFor()
    await page.context().close()
  })

  it('tries an operation of the reference', async () => {
    const page = await signInWithLink()
    await page.goto(`${urlOf(dashboard.app)}/docs#/Addresses/addresses.create`)
    const operation = page.getByRole('article', { name: 'Create an address' })
    await operation.getByText('Run this operation').click()
    await operation.getByRole('button', { name: 'Run' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Run' }).click()
    await operation.getByRole('status').getByText('201').waitFor()
    await operation.getByRole('group', { name: 'Samples' }).getByRole('button', { name: 'Copy' }).click()
    const body = operation.getByRole('textbox', { name: 'Body' })
    await body.fill('')
    await body.press('Control+v')
    expect(await body.inputValue()).to.include(`curl "${urlOf(dashboard.app)}/api/v1/addresses"`)
    await page.context().close()
  })

  // without locks each tab has one, and browsers open six connections to a host
  it('reads the stream of events while the tab is shown', async () => {
    const page = await signInWithLink()
    const streams: string[] = []
    const isStream = (url: string) => new URL(url).pathname === '/api/v1/events'
    page.on('request', (request) => { if (isStream(request.url())) streams.push('opened') })
    page.on('requestfailed', (request) => { if (isStream(request.url())) streams.push('closed') })
    const show = (state: string) => page.evaluate((value) => {
      Object.defineProperty(document, 'visibilityState', { value, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    }, state)
    await Promise.all([page.waitForEvent('requestfailed', (request) => isStream(request.url())), show('hidden')])
    const address = (await page.getByRole('heading', { level: 2, name: '@mail.localhost' }).textContent())!
    await dashboard.app.send({ to: address, subject: 'While hidden', text: 'Hello' })
    await show('visible')
    await mailRow(page, 'While hidden').waitFor()
    expect(streams).to.deep.equal(['closed', 'opened'])
    await page.context().close()
  })

  it('tells a fault of the page from a server that does not answer', async () => {
    const removeRandom = () => { delete (Crypto.prototype as Partial<Crypto>).getRandomValues }
    const page = await openLink(dashboard.app, (opened) => opened.addInitScript(removeRandom))
    await page.getByRole('button', { name: 'Sign in' }).click()
    expect(await page.getByRole('alert').textContent()).to.match(/^This page has a fault: .*getRandomValues is not a function\. Reload it\.$/)
    await page.context().close()

    const offline = await openLink(dashboard.app, (opened) => opened.route('**/api/v1/sessions', (route) => route.abort()))
    await offline.getByRole('button', { name: 'Sign in' }).click()
    expect(await offline.getByRole('alert').textContent()).to.equal('The server does not answer. Check that it runs, then try again.')
    await offline.context().close()
  })

  it('names MAYFLY_BASE_URL where it is another URL', async () => {
    await using app = await openTestApp({ isRealTime: true, env: { MAYFLY_BASE_URL: 'https://mail.example' } })
    const page = await openLink(app)
    await page.getByRole('button', { name: 'Sign in' }).click()
    expect(await page.getByRole('alert').textContent())
      .to.include('Open the dashboard at https://mail.example, or set MAYFLY_BASE_URL to the URL in the address bar.')
    await page.context().close()
  })

  it('says that the browser did not keep the session', async () => {
    const signedOut = { status: 401, json: { error: 'The session is missing.', code: 'INVALID_API_KEY' } }
    const page = await openLink(dashboard.app, (opened) => opened.route('**/api/v1/account', (route) => route.fulfill(signedOut)))
    await page.getByRole('button', { name: 'Sign in' }).click()
    expect(await page.getByRole('alert').textContent()).to.match(/^The browser did not keep the session\..*MAYFLY_BASE_URL.*https/)
    await page.context().close()
  })
})
