import { expect } from 'chai'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { Cookies, signInAtProvider, startProvider } from '../support/open-id-provider.ts'
import type { TestProvider } from '../support/open-id-provider.ts'
import { invite } from '../support/members.ts'
import { signIn } from '../support/sessions.ts'
import { createAccount } from '../support/store/accounts.ts'
import { rowsOf } from '../support/store/rows.ts'

describe('Sign-in by a provider of OpenID Connect', () => {
  let provider: TestProvider
  let app: TestApp
  const redirectUri = () => `${app.app.baseUrl()}/sign-in/callback`
  const begin = (to = '') => `${app.app.baseUrl()}/sign-in/begin${to && `?${new URLSearchParams({ to })}`}`

  before(async () => {
    provider = await startProvider()
    app = await openTestApp({ env: { ...provider.env, MAYFLY_SIGN_UP: 'example.net' } })
    provider.open(redirectUri())
  })
  after(async () => {
    await app?.[Symbol.asyncDispose]()
    await provider?.[Symbol.asyncDispose]()
  })

  /** The way of a browser to the server and back, up to the answer of the provider. */
  const answerFor = (browser: Cookies, email: string, to?: string) =>
    signInAtProvider(browser, begin(to), { email, redirectUri: redirectUri() })

  async function signInAs(email: string, to?: string) {
    const browser = new Cookies()
    const response = await browser.fetch(await answerFor(browser, email, to))
    return { browser, response, account: async () => (await browser.fetch(`${app.app.baseUrl()}/api/v1/account`)).json() }
  }
  const pageOf = async (response: Response) => {
    const text = await response.text()
    return { status: response.status, title: /<h1>([^<]*)/.exec(text)?.[1], text }
  }

  it('begins with a request that has PKCE, state and nonce, and whose cookie scripts cannot read', async () => {
    const response = await fetch(begin(), { redirect: 'manual' })
    const url = new URL(response.headers.get('location')!)
    expect([response.status, url.origin]).to.deep.equal([303, provider.issuer])
    const { state, nonce, code_challenge: challenge, ...others } = Object.fromEntries(url.searchParams)
    expect(others).to.deep.equal({
      client_id: 'mayfly', redirect_uri: redirectUri(), scope: 'openid email', code_challenge_method: 'S256', response_type: 'code',
    })
    expect([state, nonce, challenge].map((secret) => secret!.length)).to.deep.equal([43, 43, 43])
    expect(response.headers.get('set-cookie')).to.match(/^mayfly-sign-in=[\w-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/)
  })

  it('signs in an address that the provider has verified, as a link by mail does', async () => {
    const { email } = await createAccount(app, 'ada@example.org')
    const { response, account } = await signInAs('Ada@Example.org', '/keys?from=mail')
    expect([response.status, response.headers.get('location')]).to.deep.equal([303, '/keys?from=mail'])
    expect((await account()).data).to.include({ email, userEmail: email, role: 'owner' })
    const [record] = (await rowsOf(app, 'audit_logs')).filter(({ action, member }) => action === 'sessions.create' && member === email)
    expect(record).to.include({ method: 'GET', path: '/sign-in/callback', status: 201 })
  })

  it('ends the session that the browser had, and begins a new one (session fixation)', async () => {
    await createAccount(app, 'fixed@example.org')
    const before = await signIn(app)
    const browser = new Cookies()
    const answer = await answerFor(browser, 'fixed@example.org')
    const response = await fetch(answer, { redirect: 'manual', headers: { cookie: `${before.cookie}; ${(await fetch(begin(), { redirect: 'manual' })).headers.get('set-cookie')!.split(';')[0]}` } })
    expect(response.status).to.equal(400) // with the state of another sign-in
    await browser.fetch(await answerFor(browser, 'fixed@example.org'))
    const first = (await browser.fetch(`${app.app.baseUrl()}/api/v1/sessions`)).json()
    expect((await first).data).to.have.length(1)
    await browser.fetch(await answerFor(browser, 'fixed@example.org'))
    expect(((await (await browser.fetch(`${app.app.baseUrl()}/api/v1/sessions`)).json())).data).to.have.length(1)
  })

  it('leads a member to the account, and proves the address', async () => {
    const owner = await signIn(app)
    await invite(owner, 'lin@example.org', 'viewer')
    const { account } = await signInAs('lin@example.org')
    expect((await account()).data).to.include({ email: owner.email, userEmail: 'lin@example.org', role: 'viewer' })
  })

  it('creates an account where the address may sign up, and else says what to do', async () => {
    const { account } = await signInAs('new@example.net')
    expect((await account()).data).to.include({ email: 'new@example.net', plan: 'free' })
    const { response } = await signInAs('stranger@example.org')
    const { status, title, text } = await pageOf(response)
    expect([status, title]).to.deep.equal([403, 'stranger@example.org has no account'])
    expect(text).to.include('Ask an owner of an account to invite this address').and.include(`href="${app.app.baseUrl()}/sign-in"`)
  })

  it('refuses an address that is not verified, and a person without one', async () => {
    await createAccount(app, 'unverified@example.org')
    for (const [name, title] of [['unverified@example.org', 'has not verified unverified@example.org'], ['ada', 'told no email address']]) {
      const { response, browser } = await signInAs(name!)
      expect(await pageOf(response)).to.include({ status: 403, title: `${new URL(provider.issuer).host} ${title}` })
      expect((await browser.fetch(`${app.app.baseUrl()}/api/v1/account`)).status).to.equal(401)
    }
  })

  it('refuses an address at the default domain, which users of the server issue', async () => {
    const { response, browser } = await signInAs('somebody@mail.localhost')
    expect(await pageOf(response)).to.include({ status: 403, title: `somebody@mail.localhost cannot sign in by ${new URL(provider.issuer).host}` })
    expect((await browser.fetch(`${app.app.baseUrl()}/api/v1/account`)).status).to.equal(401)
  })

  it('refuses an answer with another state, in another browser, and used a second time', async () => {
    await createAccount(app, 'state@example.org')
    const browser = new Cookies()
    const answer = await answerFor(browser, 'state@example.org')
    const other = new Cookies()
    await other.fetch(begin())
    for (const response of [
      await new Cookies().fetch(answer), // without a cookie
      await other.fetch(answer), // of a sign-in that another browser began (login CSRF)
    ]) expect(await pageOf(response)).to.include({ status: 400, title: 'This sign-in did not begin here' })

    const wrong = new URL(answer)
    wrong.searchParams.set('state', 'x'.repeat(43))
    const browserOfWrong = new Cookies()
    await answerFor(browserOfWrong, 'state@example.org')
    expect((await browserOfWrong.fetch(wrong.href)).status).to.equal(400)

    expect((await browser.fetch(answer)).status).to.equal(303)
    expect((await pageOf(await browser.fetch(answer))).status).to.equal(400)
  })

  it('refuses a code that was used, also with the cookie of its sign-in (replay)', async () => {
    await createAccount(app, 'replay@example.org')
    const browser = new Cookies()
    const begun = await browser.fetch(begin())
    const cookie = begun.headers.get('set-cookie')!.split(';')[0]!
    const answer = await signInAtProvider(browser, begun.headers.get('location')!, { email: 'replay@example.org', redirectUri: redirectUri() })
    const use = () => fetch(answer, { redirect: 'manual', headers: { cookie } })
    expect((await use()).status).to.equal(303)
    expect(await pageOf(await use())).to.include({ status: 502, title: `${new URL(provider.issuer).host} did not confirm the sign-in` })
  })

  it('refuses an ID token with the nonce of another sign-in', async () => {
    const browser = new Cookies()
    const begun = await browser.fetch(begin())
    const [name, value] = begun.headers.get('set-cookie')!.split(';')[0]!.split('=') as [string, string]
    const underWay = JSON.parse(Buffer.from(value, 'base64url').toString())
    const answer = await signInAtProvider(browser, begun.headers.get('location')!, { email: 'ada@example.org', redirectUri: redirectUri() })
    const changed = Buffer.from(JSON.stringify({ ...underWay, nonce: 'x'.repeat(43) })).toString('base64url')
    const response = await fetch(answer, { redirect: 'manual', headers: { cookie: `${name}=${changed}` } })
    expect(response.status).to.equal(502)
    expect(response.headers.getSetCookie().some((header) => /^mayfly=/.test(header))).to.equal(false)
  })

  it('shows a page when the person cancels at the provider', async () => {
    const browser = new Cookies()
    const { state } = Object.fromEntries(new URL((await browser.fetch(begin())).headers.get('location')!).searchParams)
    const response = await browser.fetch(`${redirectUri()}?${new URLSearchParams({ error: 'access_denied', state: state!, iss: provider.issuer })}`)
    expect(await pageOf(response)).to.include({ status: 403, title: `${new URL(provider.issuer).host} has not signed you in` })
  })

  for (const to of ['//evil.example/', '/\\evil.example', 'https://evil.example/', '/\n/evil.example']) {
    it(`does not lead to ${JSON.stringify(to)} (open redirect)`, async () => {
      await createAccount(app, 'to@example.org').catch(() => {}) // by an earlier test
      expect((await signInAs('to@example.org', to)).response.headers.get('location')).to.equal('/mail')
    })
  }

  it('takes no cookie that it did not make', async () => {
    for (const value of ['', 'x', Buffer.from('null').toString('base64url'), Buffer.from('{"state":"a"}').toString('base64url')]) {
      const response = await fetch(`${redirectUri()}?code=a&state=a`, { headers: { cookie: `mayfly-sign-in=${value}` } })
      expect(response.status).to.equal(400)
    }
  })

  it('is there only where it is configured', async () => {
    await using other = await openTestApp()
    expect((await fetch(`${other.url}/sign-in/begin`, { redirect: 'manual' })).status).to.equal(404)
  })

  it('says that the provider does not answer, at the begin and at the end', async () => {
    const away = await startProvider()
    const { host } = new URL(away.issuer)
    await using first = await openTestApp({ env: away.env })
    const uri = `${first.app.baseUrl()}/sign-in/callback`
    away.open(uri)
    const browser = new Cookies()
    const answer = await signInAtProvider(browser, `${first.app.baseUrl()}/sign-in/begin`, { email: 'ada@example.org', redirectUri: uri })
    await away.stopAnswering()
    expect(await pageOf(await browser.fetch(answer))).to.include({ status: 502, title: `${host} did not confirm the sign-in` })
    await using second = await openTestApp({ env: away.env })
    const refused = await fetch(`${second.url}/sign-in/begin`, { redirect: 'manual' })
    expect(await pageOf(refused)).to.include({ status: 502, title: `${host} does not answer` })
  })
})
