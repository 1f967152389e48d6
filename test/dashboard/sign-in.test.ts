import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { ownPath } from '../../dashboard/src/features/sign-in/own-path.ts'
import { findViolations } from '../support/accessibility.ts'
import { openDashboard } from '../support/dashboard.ts'
import type { Dashboard } from '../support/dashboard.ts'
import { newToken, signIn } from '../support/sessions.ts'

describe('Dashboard: sign-in', function () {
  let dashboard: Dashboard
  let email: string

  before(async () => {
    dashboard = await openDashboard()
    email = (await signIn(dashboard.app)).email
  })
  after(() => dashboard?.[Symbol.asyncDispose]())

  async function openLink(to = '') {
    const page = await (await dashboard.browser.newContext()).newPage()
    const link = `${dashboard.url}/sign-in${to && `?${new URLSearchParams({ to })}`}#${await newToken(dashboard.app, email)}`
    await page.goto(link)
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    return { page, link }
  }

  /** Waits for the page of the mail, which goes on to the path of an address at once. */
  const untilMail = (page: Page) => page.waitForURL(({ href }) => href.startsWith(`${dashboard.url}/mail`))

  it('with a link needs a press of the button, and leaves no token in the history', async () => {
    const { page, link } = await openLink()
    expect(await findViolations(page)).to.deep.equal([])
    expect(await page.getByRole('button', { name: 'Sign in' }).evaluate((button) => button === document.activeElement)).to.equal(true)
    await page.keyboard.press('Enter')
    await untilMail(page)
    await page.goBack()
    expect(page.url()).to.not.include(link.split('#')[1]).and.not.include('sign-in')
    await page.context().close()
  })

  it('leads to the page that was asked for', async () => {
    const page = await (await dashboard.browser.newContext()).newPage()
    await page.goto(`${dashboard.url}/account?from=mail`)
    await page.waitForURL((url) => url.pathname === '/sign-in' && url.searchParams.get('to') === '/account?from=mail')
    await page.context().close()

    const { page: signedIn } = await openLink('/account?from=mail')
    await signedIn.getByRole('button', { name: 'Sign in' }).click()
    await signedIn.getByRole('heading', { level: 1, name: 'Account' }).waitFor()
    await signedIn.context().close()
  })

  for (const to of ['//example.org/', '/\\example.org', '/\t/example.org', 'https://example.org/', 'javascript:alert(1)', '/sign-in']) {
    it(`does not lead to ${JSON.stringify(to)} (open redirect)`, async () => {
      const { page } = await openLink(to)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await untilMail(page)
      await page.context().close()
    })
  }

  for (const to of [
    '/.//example.org/x', '/..//example.org', '/././/example.org', '/a/..//example.org', '/%2e//example.org', '/%2e%2e//example.org', '/.\\/example.org',
    '/\n/example.org', '/\\/example.org', '///example.org', '/.///example.org', '/.\t.//example.org', 'http:/\\example.org', '', ' /mail', null, ['/mail'],
  ]) {
    it(`takes ${JSON.stringify(to)} for no page of its own, also when its path is parsed again`, () => {
      expect(ownPath(to, new URL('http://mail.example') as unknown as Location)).to.equal(undefined)
    })
  }

  it('takes a path with search and fragment for a page of its own, in the form of the parser', () => {
    const own = (to: string) => ownPath(to, new URL('http://mail.example') as unknown as Location)
    expect(own('/account?from=//example.org#x')).to.equal('/account?from=//example.org#x')
    expect(own('/a/../mail//all')).to.equal('/mail//all')
  })

  it('goes on at once in a browser that has a session', async () => {
    const page = await dashboard.openPage({ account: email })
    await page.goto(`${dashboard.url}/sign-in?to=%2Faccount`)
    await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor()
    await page.context().close()
  })

  it('with a link that a stranger may have sent names the account that is signed in', async () => {
    const page = await dashboard.openPage({ account: email })
    const other = (await signIn(dashboard.app)).email
    await page.goto(`${dashboard.url}/sign-in#${await newToken(dashboard.app, other)}`)
    await page.getByText(`You are signed in as ${email}. The link may be of another account`).waitFor()
    expect(await findViolations(page)).to.deep.equal([])
    await page.getByRole('button', { name: `Continue as ${email}` }).click()
    await untilMail(page)
    await page.context().close()
  })

  it('with a used link offers another one, and goes on where there is a session', async () => {
    const { page, link } = await openLink()
    await page.getByRole('button', { name: 'Sign in' }).click()
    await untilMail(page)
    await page.goto(link)
    await page.getByRole('button', { name: 'Sign in' }).click()
    expect(await page.getByRole('alert').textContent()).to.equal('This link is unknown, was used, or has expired: a sign-in link holds for 15 minutes, ' +
      'an invitation for 7 days. Request a new one.')
    await page.getByRole('button', { name: `Continue as ${email}` }).click()
    await untilMail(page)
    await page.context().close()

    const signedOut = await (await dashboard.browser.newContext()).newPage()
    await signedOut.goto(link)
    await signedOut.getByRole('button', { name: 'Sign in' }).click()
    await signedOut.getByRole('button', { name: 'Request another link' }).click()
    await signedOut.getByRole('textbox', { name: 'Email address' }).waitFor()
    expect(new URL(signedOut.url()).hash).to.equal('')
    await signedOut.context().close()
  })

  it('requests a link by mail, up to a limit that it names', async () => {
    const page = await (await dashboard.browser.newContext()).newPage()
    await page.goto(`${dashboard.url}/sign-in`)
    const request = async () => {
      await page.getByRole('textbox', { name: 'Email address' }).fill('nobody@example.org')
      await page.getByRole('button', { name: 'Send a link' }).click()
    }
    await request()
    await page.getByText('If nobody@example.org has an account').waitFor()
    await page.getByText('the command “mayfly account sign-in EMAIL” prints a link').waitFor()
    for (let sent = 1; sent < 20; sent++) {
      expect((await dashboard.app.api('POST', '/sign-in-links', { key: null, body: { email: 'nobody@example.org' } })).status).to.equal(202)
    }
    await page.reload()
    await request()
    await page.getByText(/More than 20 sign-in links in an hour\. Try again in \d+ minutes\./).waitFor()
    await page.context().close()
  })
})
