import { expect } from 'chai'
import { openTestApp, shareTestApp } from '../support/app.ts'
import { newToken, sameOrigin, signIn, useToken } from '../support/sessions.ts'
import { rowsOf } from '../support/store/rows.ts'

describe('Session', () => {
  const newAccount = shareTestApp()

  it('begins with a sign-in link, as a cookie that scripts of pages cannot read', async () => {
    const app = await newAccount()
    const { session, setCookie, api } = await signIn(app, { headers: { 'user-agent': 'Firefox' } })
    expect(setCookie).to.match(/^mayfly=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/)
    const now = new Date(app.app.clock.now())
    expect(session).to.deep.include({
      createdAt: now.toISOString(), lastUsedAt: now.toISOString(), expiresAt: new Date(+now + 30 * 24 * 3_600_000).toISOString(),
      ipAddress: '127.0.0.1', userAgent: 'Firefox', isCurrent: true,
    })
    expect((await api('GET', '/sessions')).body).to.deep.equal({ data: [session] })
  })

  it('has a cookie of the host alone, over HTTPS alone, on a server with HTTPS', async () => {
    await using app = await openTestApp({ env: { MAYFLY_BASE_URL: 'https://mail.example.org' } })
    const { setCookie, api } = await signIn(app)
    expect(setCookie).to.match(/^__Host-mayfly=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; Secure; SameSite=Lax$/)
    expect((await api('GET', '/account')).status).to.equal(200)
  })

  it('is stored as a hash, as its link is', async () => {
    const app = await newAccount()
    const token = await newToken(app, (await signIn(app)).email)
    const { cookie, session } = await signIn(app)
    const stored = JSON.stringify([await rowsOf(app, 'sessions'), await rowsOf(app, 'sign_in_links'), await rowsOf(app, 'audit_logs')])
    expect(stored).to.include(session.id)
    expect(stored).to.not.include(token).and.not.include(cookie.split('=')[1])
  })

  it('begins anew with each sign-in, and ends the one that the browser had (session fixation)', async () => {
    const app = await newAccount()
    const planted = await signIn(app)
    const victim = await signIn(app, { headers: { cookie: planted.cookie } })
    expect(victim.cookie).to.not.equal(planted.cookie)
    expect((await planted.api('GET', '/account')).status).to.equal(401)
    expect((await victim.api('GET', '/account')).body.data.email).to.equal(victim.email)
  })

  it('is not taken from a cookie of the browser that no server made', async () => {
    const app = await newAccount()
    const chosen = `mayfly=${'a'.repeat(43)}`
    const { cookie } = await signIn(app, { headers: { cookie: chosen } })
    expect(cookie).to.not.equal(chosen)
    expect((await app.api('GET', '/account', { key: null, headers: { cookie: chosen } })).status).to.equal(401)
  })

  it('is extended by its use, and its cookie with the first use of an hour', async () => {
    const app = await newAccount()
    const { api, cookie, setCookie } = await signIn(app)
    expect((await api('GET', '/account')).headers.get('set-cookie')).to.equal(null)
    await app.advance({ days: 29 })
    const later = await api('GET', '/account')
    expect(later.headers.get('set-cookie')).to.equal(setCookie)
    await app.advance({ seconds: 5 })
    expect((await api('GET', '/account')).headers.get('set-cookie')).to.equal(null)
    await app.advance({ days: 29 })
    expect((await api('GET', '/account')).status).to.equal(200)
    expect(later.headers.get('set-cookie')).to.include(cookie)
  })

  it('expires 30 days after its last use, and its row is removed', async () => {
    await using app = await openTestApp()
    const { api, session } = await signIn(app)
    await app.advance({ days: 30 })
    const answer = await api('GET', '/account')
    expect([answer.status, answer.body]).to.deep.equal([401, {
      error: 'The session is missing, has expired or was ended. Sign in to the dashboard again.', code: 'INVALID_API_KEY',
    }])
    expect(answer.headers.get('www-authenticate')).to.equal('Bearer')
    await app.advance({ days: 1 })
    expect((await rowsOf(app, 'sessions')).map(({ id }) => id)).to.not.include(session.id)
  })

  it('ends at once when another one ends it', async () => {
    const app = await newAccount()
    const [first, other] = [await signIn(app), await signIn(app)]
    const second = await signIn(app, { email: first.email })
    const foreign = await second.api('DELETE', `/sessions/${other.session.id}`)
    expect([foreign.status, foreign.body.error]).to.deep.equal([404, 'There is no session with this id.'])
    const ended = await second.api('DELETE', `/sessions/${first.session.id}`)
    expect([ended.status, ended.body]).to.deep.equal([200, { message: 'The session has ended.' }])
    expect((await first.api('GET', '/account')).status).to.equal(401)
    expect((await second.api('DELETE', `/sessions/${first.session.id}`)).status).to.equal(404)
    for (const { api } of [second, other]) expect((await api('GET', '/account')).status).to.equal(200)
  })

  it('ends with all others of its account, and its cookie is removed', async () => {
    const app = await newAccount()
    const [first, other] = [await signIn(app), await signIn(app)]
    const second = await signIn(app, { email: first.email })
    const answer = await second.api('DELETE', '/sessions')
    expect([answer.status, answer.body]).to.deep.equal([200, { message: 'All sessions have ended.' }])
    expect(answer.headers.get('set-cookie')).to.equal('mayfly=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax')
    for (const { api } of [first, second]) expect((await api('GET', '/account')).status).to.equal(401)
    expect((await other.api('GET', '/account')).status).to.equal(200)
  })

  it('is listed with the others of its account, the last used first', async () => {
    await using app = await openTestApp()
    const first = await signIn(app)
    await app.advance({ minutes: 2 })
    const second = await signIn(app, { email: first.email })
    await signIn(app)
    const listed = async () => (await second.api('GET', '/sessions')).body.data.map(({ id, isCurrent }: any) => [id, isCurrent])
    expect(await listed()).to.deep.equal([[second.session.id, true], [first.session.id, false]])
    await app.advance({ minutes: 2 })
    await first.api('GET', '/account')
    await app.advance({ seconds: 2 })
    expect(await listed()).to.deep.equal([[first.session.id, false], [second.session.id, true]])
  })

  it('is one of 100 at most: a further one ends the one that was not used for the longest time', async () => {
    await using app = await openTestApp()
    const first = await signIn(app)
    await app.advance({ minutes: 1 })
    const second = await signIn(app, { email: first.email })
    await app.advance({ minutes: 2 })
    await first.api('GET', '/account')
    await app.advance({ minutes: 2 })
    for (let i = 0; i < 99; i++) await signIn(app, { email: first.email })
    expect((await first.api('GET', '/sessions')).body.data).to.have.length(100)
    expect((await second.api('GET', '/account')).status).to.equal(401)
  })

  it('of a stream of events ends the stream when it ends', async () => {
    const app = await newAccount()
    const first = await signIn(app)
    const second = await signIn(app, { email: first.email })
    const stream = await fetch(`${app.url}/api/v1/events`, { headers: { cookie: first.cookie } })
    const reader = stream.body!.getReader()
    await reader.read()
    await second.api('DELETE', `/sessions/${first.session.id}`)
    await app.advance({ seconds: 4 })
    let isOver = false
    while (!isOver) isOver = (await reader.read()).done
    expect(isOver).to.equal(true)
  })

  it('that ended during a wait gets no mail', async () => {
    const app = await newAccount()
    const { api, email } = await signIn(app)
    const { id, address } = (await api('POST', '/addresses', { body: {} })).body.data
    const cursor = (await api('GET', '/emails')).body.cursor
    const waited = api('GET', `/emails/wait?addressId=${id}&after=${cursor}&timeout=30`)
    const other = await signIn(app, { email })
    await other.api('DELETE', '/sessions')
    await app.send({ to: address, text: 'secret' })
    expect((await waited).status).to.equal(401)
  })

  it('that signs in is in the audit log, with the calls that it makes', async () => {
    const app = await newAccount()
    const { api, session } = await signIn(app)
    const created = await api('POST', '/addresses', { body: {} })
    const { data } = (await api('GET', '/audit-logs')).body
    const shown = data.map(({ action, status, resourceId, apiKeyId, sessionId }: any) => [action, status, resourceId, apiKeyId, sessionId])
    expect(shown).to.deep.equal([
      ['addresses.create', 201, created.body.data.id, null, session.id],
      ['sessions.create', 201, session.id, null, session.id],
    ])
  })

  it('selects live or test data by the header X-Mayfly-Mode', async () => {
    const app = await newAccount()
    const { api } = await signIn(app)
    const test = { 'x-mayfly-mode': 'test' }
    const { id } = (await api('POST', '/addresses', { body: {}, headers: test })).body.data
    const statuses = [{}, { 'x-mayfly-mode': 'live' }, test].map(async (headers) => (await api('GET', `/addresses/${id}`, { headers })).status)
    expect(await Promise.all(statuses)).to.deep.equal([404, 404, 200])
    const refused = await api('GET', `/addresses/${id}`, { headers: { 'x-mayfly-mode': 'Test' } })
    expect([refused.status, refused.body.error]).to.deep.equal([400, 'header.X-Mayfly-Mode: must be live or test.'])
    expect((await api('POST', '/test/emails', { body: { to: 'a@mail.localhost' }, headers: test })).status).to.equal(404)
  })

  it('gives way to an Authorization header', async () => {
    const app = await newAccount()
    const { cookie, email } = await signIn(app)
    const call = (authorization: string) => app.api('GET', '/analytics', { key: null, headers: { cookie, authorization } })
    expect((await call(`Bearer ${app.key}`)).status).to.equal(200)
    expect((await call('Bearer wrong')).body.error).to.match(/^The API key is missing/)
    const { data } = (await app.api('GET', '/audit-logs')).body
    expect(data[0]).to.deep.include({ action: 'analytics.get', sessionId: null })
    expect(email).to.not.equal('')
  })

  it('cannot be replaced by a key for what the dashboard alone does', async () => {
    const app = await newAccount()
    for (const path of ['/account', '/sessions', '/admin/accounts']) {
      const answer = await app.api('GET', path)
      expect([answer.status, answer.body.error], path).to.deep.equal([401, 'The session is missing, has expired or was ended. Sign in to the dashboard again.'])
    }
  })

  it('has a rate limit of its own, which is that of keys', async () => {
    await using app = await openTestApp({ env: { MAYFLY_RATE_LIMIT: '3' } })
    const { api, email } = await signIn(app)
    const key = await app.newKey({ account: email })
    for (let left = 2; left >= 0; left--) {
      const { status, headers } = await api('GET', '/account')
      expect([status, headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]).to.deep.equal([200, '3', String(left)])
    }
    const refused = await api('GET', '/account')
    expect([refused.status, refused.headers.get('x-ratelimit-remaining')]).to.deep.equal([429, '0'])
    const byKey = await app.api('GET', '/analytics', { key })
    expect([byKey.status, byKey.headers.get('x-ratelimit-limit'), byKey.headers.get('x-ratelimit-remaining')]).to.deep.equal([200, '3', '2'])
  })

  it('has no rate limit where keys have none', async () => {
    await using app = await openTestApp({ env: { MAYFLY_RATE_LIMIT: '0' } })
    const { headers } = await (await signIn(app)).api('GET', '/account')
    expect(headers.get('x-ratelimit-limit')).to.equal('2147483647')
  })

  it('begins with a link that works once', async () => {
    const app = await newAccount()
    const { email } = await signIn(app)
    const token = await newToken(app, email)
    const answers = await Promise.all([useToken(app, token), useToken(app, token)])
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([201, 404])
    const again = await useToken(app, token)
    expect([again.status, again.body]).to.deep.equal([404, {
      error: 'This link is unknown, was used, or has expired: a sign-in link holds for 15 minutes, an invitation for 7 days. Request a new one.',
      code: 'NOT_FOUND',
    }])
    expect(again.headers.get('set-cookie')).to.equal(null)
  })

  it('begins with a link that is younger than 15 minutes', async () => {
    const app = await newAccount()
    const { email } = await signIn(app)
    const [young, old] = [await newToken(app, email), await newToken(app, email)]
    await app.advance({ minutes: 14, seconds: 59 })
    expect((await useToken(app, young)).status).to.equal(201)
    await app.advance({ seconds: 1 })
    expect((await useToken(app, old)).status).to.equal(404)
    expect((await useToken(app, 'x'.repeat(43))).status).to.equal(404)
    expect((await useToken(app, 'x')).status).to.equal(400)
  })

  it('does not begin with a body of more than 4 KiB', async () => {
    const app = await newAccount()
    const answer = await app.api('POST', '/sessions', { key: null, body: { token: 'x'.repeat(5000) }, headers: sameOrigin })
    expect([answer.status, answer.body.error]).to.deep.equal([413, 'The body is larger than 4 KiB, or its length is not known.'])
  })
})
