import { expect } from 'chai'
import { openTestApp, shareTestApp } from '../support/app.ts'
import type { TestApp, TestOptions } from '../support/app.ts'
import { newToken, signIn, useToken } from '../support/sessions.ts'
import { createAccount } from '../support/store/accounts.ts'
import { sourcesOf } from '../support/store/sources.ts'
import { countRows, rowsOf } from '../support/store/rows.ts'

const open = (env: Record<string, string> = {}, options: TestOptions = {}) => openTestApp({ ...options, env })

const request = (app: TestApp, email: string, headers: Record<string, string> = {}) =>
  app.api('POST', '/sign-in-links', { key: null, body: { email }, headers })

/** The tokens of the mails to an address. */
async function tokensTo(app: TestApp, email: string): Promise<string[]> {
  await app.settled()
  const sources = await sourcesOf(app, email)
  return sources.map((source) => /\/sign-in#([\w-]{43})/.exec(source)![1]!)
}

describe('Sign-in link', () => {
  const newAccount = shareTestApp()

  it('comes by mail to the address of an account, and signs in', async () => {
    await using app = await open()
    const { email } = await signIn(app)
    const answer = await request(app, email.toUpperCase())
    expect([answer.status, answer.body]).to.deep.equal([202, {
      message: 'If this address has an account, a mail with a link is on its way. The link works once and for 15 minutes.',
    }])
    const [token, ...others] = await tokensTo(app, email)
    expect(others).to.deep.equal([])
    const signedIn = await useToken(app, token!)
    expect(signedIn.status).to.equal(201)
    const [source] = await sourcesOf(app, email)
    expect(source).to.include(`To: ${email}`).and.include('Subject: Your link for signing in').and.include(`${app.app.baseUrl()}/sign-in#`)
  })

  it('is mail of the server, which no account sees', async () => {
    await using app = await open()
    const { email, api } = await signIn(app)
    await request(app, email)
    await app.settled()
    expect((await rowsOf(app, 'deliveries')).map(({ accountId, kind, status }) => [accountId, kind, status]))
      .to.deep.equal([['', 'verification', 'captured']])
    expect((await api('GET', '/emails')).body.total).to.equal(0)
    await app.advance({ days: 8 })
    expect(await countRows(app, 'deliveries')).to.equal(0)
    expect(await countRows(app, 'sign_in_links')).to.equal(0)
  })

  it('is requested alike for known and unknown addresses (account enumeration)', async () => {
    await using app = await open()
    const { email } = await signIn(app)
    await app.app.worker.close() // the job decides later whether a mail is sent
    const answers = []
    for (const address of [email, 'unknown@example.org']) {
      let commits = 0
      const count = () => { commits++ }
      app.app.db.commits.on('committed', count)
      const { status, body, headers } = await request(app, address)
      app.app.db.commits.off('committed', count)
      const shown = [...headers].filter(([name]) => !['x-request-id', 'date', 'x-ratelimit-remaining'].includes(name))
      answers.push({ status, body, headers: shown, commits })
    }
    expect(answers[0]).to.deep.equal(answers[1]).and.include({ status: 202, commits: 1 })
    expect((await rowsOf(app, 'sign_in_links')).map((row) => row.isRequested)).to.deep.equal([0, 1, 1])
  })

  it('is sent five times an hour to an address, and the answer does not tell that it is not', async () => {
    await using app = await open()
    const { email } = await signIn(app)
    const statuses = []
    for (let i = 0; i < 7; i++) statuses.push((await request(app, email)).status)
    expect(statuses).to.deep.equal(Array.from({ length: 7 }, () => 202))
    expect(await tokensTo(app, email)).to.have.length(5)
    await app.advance({ hours: 1 })
    await request(app, email)
    expect(await tokensTo(app, email)).to.have.length(6)
    expect((await rowsOf(app, 'sign_in_links')).map((row) => row.email)).to.deep.equal([email])
  })

  it('of the operator does not count for the address', async () => {
    await using app = await open()
    const { email } = await signIn(app)
    for (let i = 0; i < 6; i++) await newToken(app, email)
    await request(app, email)
    expect(await tokensTo(app, email)).to.have.length(1)
  })

  it('is requested 20 times an hour by a network at most', async () => {
    await using app = await open({ MAYFLY_TRUSTED_PROXIES: '127.0.0.1' })
    await app.advance({ minutes: 20 })
    const from = (ip: string) => request(app, 'a@example.org', { 'x-forwarded-for': ip })
    for (let i = 0; i < 20; i++) expect((await from(`2001:db8::${i}`)).status).to.equal(202)
    const refused = await from('2001:db8::ffff')
    expect([refused.status, refused.body, refused.headers.get('retry-after')]).to.deep.equal([
      429, { error: 'More than 20 sign-in links in an hour. Try again in 40 minutes.', code: 'RATE_LIMITED' }, '2400',
    ])
    expect((await from('203.0.113.9')).status).to.equal(202)
    await app.advance({ minutes: 40 })
    expect((await from('2001:db8::ffff')).status).to.equal(202)
  })

  for (const [block, max, addressOf] of [
    ['an IPv6 /56', 40, (i: number) => `2001:db8:0:${i.toString(16)}::1`],
    ['an IPv6 /48', 60, (i: number) => `2001:db8:0:${(i * 256).toString(16)}::1`],
    ['an IPv4 /24', 40, (i: number) => `198.51.101.${i}`],
  ] as const) {
    it(`is requested ${max} times an hour by the networks of ${block} together`, async () => {
      await using app = await open({ MAYFLY_TRUSTED_PROXIES: '127.0.0.1' })
      const statuses = []
      for (let i = 0; i < max + 5; i++) statuses.push((await request(app, 'a@example.org', { 'x-forwarded-for': addressOf(i) })).status)
      expect(statuses).to.deep.equal([...Array.from({ length: max }, () => 202), ...Array.from({ length: 5 }, () => 429)])
    })
  }

  it('is not sent to a domain of this server, where others could issue the address', async () => {
    await using app = await open({ MAYFLY_SIGN_UP: 'open' })
    const { email } = await signIn(app, { email: (await createAccount(app, 'captain@mail.localhost')).email })
    const { address } = await app.newAddress({ alias: 'captain' })
    expect(address).to.equal(email)
    expect((await request(app, address)).status).to.equal(202)
    await app.settled()
    expect(await countRows(app, 'deliveries')).to.equal(0)
  })

  it('to no address is refused', async () => {
    const app = await newAccount()
    for (const email of ['nobody', 'a@example.org, b@example.org', 'a@b@']) {
      const answer = await request(app, email)
      expect([answer.status, answer.body.error], email).to.deep.equal([400, 'body.email: must be exactly one email address, such as ada@example.com.'])
    }
  })

  describe('of an address without an account', () => {
    it('creates a Free account where MAYFLY_SIGN_UP is open, when it is used', async () => {
      await using app = await open({ MAYFLY_SIGN_UP: 'open' })
      await request(app, 'Grace@Example.net')
      const [token] = await tokensTo(app, 'grace@example.net')
      const emails = async () => (await rowsOf(app, 'accounts')).map(({ email }) => email)
      expect(await emails()).to.not.include('grace@example.net')
      expect((await useToken(app, token!)).status).to.equal(201)
      const created = (await rowsOf(app, 'accounts')).find(({ email }) => email === 'grace@example.net')!
      expect(created).to.include({ plan: 'free', isAdmin: 0 })
      expect((await sourcesOf(app, 'grace@example.net'))[0]).to.include('Subject: Your link for a new account')
    })

    it('creates one where MAYFLY_SIGN_UP names the mail domain', async () => {
      await using app = await open({ MAYFLY_SIGN_UP: 'example.net, Example.com' })
      for (const email of ['a@example.com', 'b@sub.example.com', 'c@example.org']) await request(app, email)
      expect(await tokensTo(app, 'a@example.com')).to.have.length(1)
      for (const email of ['b@sub.example.com', 'c@example.org']) expect(await tokensTo(app, email)).to.deep.equal([])
    })

    it('is not sent by default', async () => {
      await using app = await open()
      await request(app, 'grace@example.net')
      expect(await tokensTo(app, 'grace@example.net')).to.deep.equal([])
    })
  })
})
