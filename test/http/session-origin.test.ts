import { expect } from 'chai'
import { shareTestApp, openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { rawRequest } from '../support/raw-request.ts'
import { newToken, signIn } from '../support/sessions.ts'

const foreign = 'A session is valid for pages of this server only, and this request does not come from one.'

const firstSentence = (error?: string) => error?.replace(/(?<=\.) .*/, '')

/** Creates an address with a session, as a page would. @returns the status, and the first sentence of the error of the answer */
async function write(app: TestApp, headers: Record<string, string>, path = '/api/v1/addresses'): Promise<[number, string | undefined]> {
  const { status, json } = await rawRequest(app.url, { method: 'POST', path, headers: { 'content-type': 'application/json', ...headers }, body: '{}' })
  return [status, firstSentence(json.error)]
}

describe('Session: requests of pages of other origins (CSRF)', () => {
  const newAccount = shareTestApp()

  for (const [title, headers] of [
    ['of another site', { 'sec-fetch-site': 'cross-site' }],
    ['of another origin of the same site', { 'sec-fetch-site': 'same-site' }],
    ['of another site, although its Origin is right', { 'sec-fetch-site': 'cross-site', 'origin': 'http://localhost:3000' }],
    ['without a page', { 'sec-fetch-site': 'none' }],
    ['with a foreign Origin', { origin: 'https://evil.example' }],
    ['with the Origin null', { origin: 'null' }],
    ['with an Origin whose host begins with ours', { origin: 'http://127.0.0.1.evil.example' }],
    ['with neither header', {}],
  ] as const) {
    it(`a write ${title} is refused`, async () => {
      const app = await newAccount()
      const { cookie, api } = await signIn(app)
      expect(await write(app, { cookie, ...headers })).to.deep.equal([401, foreign])
      for (const method of ['PATCH', 'DELETE']) {
        const { status, json } = await rawRequest(app.url, { method, path: '/api/v1/sessions', headers: { cookie, ...headers } })
        expect([status, json.code]).to.be.deep.oneOf([[401, 'INVALID_API_KEY'], [405, 'METHOD_NOT_ALLOWED']])
      }
      expect((await api('GET', '/addresses')).body.data.total).to.equal(0)
      expect((await api('GET', '/sessions')).body.data).to.have.length(1)
    })
  }

  it('the refusal names the base URL, for a page that is open at another', async () => {
    await using app = await openTestApp({ env: { MAYFLY_BASE_URL: 'https://mail.example.org' } })
    const { cookie } = await signIn(app)
    const { json } = await rawRequest(app.url, { method: 'POST', path: '/api/v1/addresses', headers: { cookie, origin: 'http://mail.example.org' } })
    expect(json.error).to.equal(`${foreign} Open the dashboard at https://mail.example.org, or set MAYFLY_BASE_URL to the URL in the address bar.`)
  })

  it('a write of a page of the server is accepted, by either header', async () => {
    const app = await newAccount()
    const { cookie } = await signIn(app)
    const host = new URL(app.url).host
    const accepted: Record<string, string>[] = [
      { 'sec-fetch-site': 'same-origin' }, { origin: app.url }, { origin: 'http://other.localhost:1', host: 'other.localhost:1' },
    ]
    for (const headers of accepted) {
      expect(await write(app, { cookie, ...headers }), JSON.stringify(headers)).to.deep.equal([201, undefined])
    }
    expect(await write(app, { cookie, origin: `https://${host}` })).to.deep.equal([401, foreign])
  })

  it('a write is accepted from the base URL, behind a proxy that changes the host', async () => {
    await using app = await openTestApp({ env: { MAYFLY_BASE_URL: 'https://mail.example.org/mayfly' } })
    const { cookie } = await signIn(app)
    expect(await write(app, { cookie, origin: 'https://mail.example.org' })).to.deep.equal([201, undefined])
    const overHttp = { cookie, origin: 'http://mail.example.org', host: 'mail.example.org' }
    expect(await write(app, overHttp)).to.deep.equal([401, foreign])
  })

  it('a read is answered, without the permission for other origins to see it', async () => {
    for (const origins of ['', 'https://evil.example', '*']) {
      await using app = await openTestApp({ env: { MAYFLY_CORS_ORIGINS: origins } })
      const { cookie } = await signIn(app)
      const headers = { cookie, 'origin': 'https://evil.example', 'sec-fetch-site': 'cross-site' }
      const answer = await rawRequest(app.url, { path: '/api/v1/account', headers })
      expect(answer.status).to.equal(200)
      expect(answer.headers).to.not.have.property('access-control-allow-credentials')
      expect(answer.headers['cross-origin-resource-policy']).to.equal('same-origin')
      const preflight = await rawRequest(app.url, {
        method: 'OPTIONS', path: '/api/v1/addresses', headers: { ...headers, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
      })
      expect(preflight.headers).to.not.have.property('access-control-allow-credentials')
    }
  })

  it('a page of another origin cannot sign its visitor in (login CSRF)', async () => {
    const app = await newAccount()
    const { email } = await signIn(app)
    const token = await newToken(app, email)
    const post = (headers: Record<string, string>) =>
      rawRequest(app.url, { method: 'POST', path: '/api/v1/sessions', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify({ token }) })
    for (const [name, value] of [['sec-fetch-site', 'cross-site'], ['origin', 'https://evil.example']] as const) {
      const answer = await post({ [name]: value })
      expect([answer.status, firstSentence(answer.json.error)]).to.deep.equal([401, foreign])
    }
    const form = await post({ 'content-type': 'text/plain' })
    expect([form.status, form.headers['set-cookie']]).to.deep.equal([415, undefined])
    expect((await post({})).status).to.equal(201) // a program, which has no cookies of others
  })
})
