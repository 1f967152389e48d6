import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { openDashboard } from '../support/dashboard.ts'
import type { Dashboard } from '../support/dashboard.ts'
import { newToken, signIn } from '../support/sessions.ts'

describe('Dashboard: the end of a session', function () {
  let dashboard: Dashboard
  let email: string
  let page: Page

  before(async () => { dashboard = await openDashboard() })
  beforeEach(async () => {
    const session = await signIn(dashboard.app)
    email = session.email
    await session.api('POST', '/addresses', { body: {} })
    page = await dashboard.openPage({ account: email })
    page.setDefaultTimeout(15_000)
  })
  afterEach(() => page?.context().close())
  after(() => dashboard?.[Symbol.asyncDispose]())

  const subject = () => page.getByRole('textbox', { name: 'Subject' })

  /** Types a mail; then the session ends, which the stream of events tells. */
  async function writeUntilTheEnd() {
    await page.goto(`${dashboard.url}/send?from=mail`)
    await subject().fill('Minutes of Monday')
    await page.getByRole('textbox', { name: 'Text' }).fill('Nobody came.')
    await (await signIn(dashboard.app, { email })).api('DELETE', '/sessions')
    await page.waitForURL(({ pathname, searchParams }) => pathname === '/sign-in' && searchParams.get('to') === '/send?from=mail')
  }

  /** Signs in on the page to which the end of the session has led. */
  async function signInAgain(account: string) {
    await page.goto(`${page.url()}#${await newToken(dashboard.app, account)}`)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { level: 1, name: 'Send' }).waitFor()
  }

  it('leads back to the page, with the text that was typed', async () => {
    await writeUntilTheEnd()
    await signInAgain(email)
    expect(page.url()).to.equal(`${dashboard.url}/send?from=mail`)
    await subject().waitFor()
    expect([await subject().inputValue(), await page.getByRole('textbox', { name: 'Text' }).inputValue()]).to.deep.equal(['Minutes of Monday', 'Nobody came.'])
    await page.getByRole('link', { name: 'Account', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor()
    await page.getByRole('link', { name: 'Send', exact: true }).click()
    await subject().waitFor()
    expect(await subject().inputValue()).to.equal('')
  })

  it('shows no text to another account that signs in next', async () => {
    await writeUntilTheEnd()
    const other = await signIn(dashboard.app)
    await other.api('POST', '/addresses', { body: {} })
    await signInAgain(other.email)
    await subject().waitFor()
    expect(await subject().inputValue()).to.equal('')
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).to.not.include('Monday')
  })
})
