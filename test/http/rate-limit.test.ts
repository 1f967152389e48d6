import { expect } from 'chai'
import { openTestApp, shareTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { rawRequest } from '../support/raw-request.ts'
import type { RawAnswer, RawRequest } from '../support/raw-request.ts'
import { createAccount } from '../support/store/accounts.ts'
import { loseTable } from '../support/store/faults.ts'

const path = '/api/v1/addresses'
const nowhere = '019c0000-0000-7000-8000-000000000000'

/** The status and the rate limit headers of an answer. */
const limits = ({ status, headers }: RawAnswer) => [
  status, Number(headers['x-ratelimit-limit']), Number(headers['x-ratelimit-remaining']), Number(headers['x-ratelimit-reset']),
]

describe('Rate limit', () => {
  let app: TestApp
  /** The next window of the test's clock, in seconds since 1970. */
  let reset: number

  const newAccount = shareTestApp({ env: { MAYFLY_RATE_LIMIT: '3' } })
  let minutes = 0

  beforeEach(async () => {
    app = await newAccount()
    minutes += 10 // windows of its own, as calls without a key are counted by IP address
    await app.advance({ minutes, seconds: 18 })
    reset = app.app.clock.now() / 1000 + 42
  })

  const ask = (key: string | null, request: Partial<RawRequest> = {}) => rawRequest(app.url, {
    path, ...request, headers: { ...(key ? { authorization: `Bearer ${key}` } : {}), ...request.headers },
  })

  it('429 RATE_LIMITED: counts down, refuses, and starts again with the next window', async () => {
    expect(limits(await ask(app.key))).to.deep.equal([200, 3, 2, reset])
    expect(limits(await ask(app.key))).to.deep.equal([200, 3, 1, reset])
    expect(limits(await ask(app.key))).to.deep.equal([200, 3, 0, reset])
    for (const wait of [42, 41]) {
      const refused = await ask(app.key)
      expect(limits(refused)).to.deep.equal([429, 3, 0, reset])
      expect(refused.headers['retry-after']).to.equal(String(wait))
      expect(refused.json).to.deep.equal({
        error: `More than 3 requests in a minute. Try again in ${wait} seconds.`, code: 'RATE_LIMITED',
      })
      await app.advance({ seconds: 1 })
    }
    await app.advance({ seconds: 39 })
    expect((await ask(app.key)).headers['retry-after']).to.equal('1')
    await app.advance({ seconds: 1 })
    expect(limits(await ask(app.key))).to.deep.equal([200, 3, 2, reset + 60])
    await app.advance({ minutes: 1 })
    expect(limits(await ask(app.key))).to.deep.equal([200, 3, 2, reset + 120])
  })

  it('of a network does not count requests whose key the database cannot look up', async () => {
    const key = await app.newKey()
    const restore = await loseTable(app, 'api_keys')
    for (let i = 0; i < 5; i++) expect(limits(await ask(key))).to.deep.equal([500, 3, 0, reset])
    await restore()
    expect(limits(await ask(null))).to.deep.equal([401, 3, 2, reset])
  })

  it('is shared by the live and test keys of an account, and not with other accounts', async () => {
    const { id } = await createAccount(app, 'shared-limit@example.org')
    const keys = [await app.newKey({ account: id }), await app.newKey({ account: id }), await app.newKey({ account: id, isTest: true })]
    const remaining = []
    for (const key of [...keys, ...keys]) remaining.push(limits(await ask(key))[2])
    expect(remaining).to.deep.equal([2, 1, 0, 0, 0, 0])
    expect((await ask(keys[2]!)).status).to.equal(429)
    expect(limits(await ask(app.key)).slice(0, 3)).to.deep.equal([200, 3, 2])
    expect(limits(await ask(null)).slice(0, 3)).to.deep.equal([401, 3, 2])
  })

  it('counts requests that are refused for other reasons too', async () => {
    const id = `${path}/${nowhere}`
    expect(limits(await ask(app.key, { path: id }))).to.deep.equal([404, 3, 2, reset])
    expect(limits(await ask(app.key, { path: '/nowhere' }))).to.deep.equal([404, 3, 1, reset])
    expect(limits(await ask(app.key, { method: 'PUT' }))).to.deep.equal([405, 3, 0, reset])
    expect((await ask(app.key, { method: 'PUT' })).status).to.equal(429)
    expect((await ask(app.key, { path: '/nowhere' })).status).to.equal(429)
  })

  it('counts callers without a valid key by IP address', async () => {
    for (const [key, remaining] of [[null, 2], ['nonsense', 1], [`${app.key}x`, 0]] as const) {
      expect(limits(await ask(key))).to.deep.equal([401, 3, remaining, reset])
    }
    for (const key of [null, 'nonsense']) {
      const refused = await ask(key)
      expect(limits(refused)).to.deep.equal([429, 3, 0, reset])
      expect(refused.headers['retry-after']).to.equal('42')
      expect(refused.headers).to.not.have.property('www-authenticate')
    }
    expect(limits(await ask(null, { from: '127.0.0.2' }))).to.deep.equal([401, 3, 2, reset])
    expect(limits(await ask(app.key))).to.deep.equal([200, 3, 2, reset])
    await app.advance({ minutes: 1 })
    expect((await ask(null)).status).to.equal(401)
  })

  it('cannot be bypassed with a header that names another address', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.7', 'x-real-ip': '203.0.113.7', 'forwarded': 'for=203.0.113.7' }
    const statuses = []
    for (let i = 0; i < 4; i++) statuses.push((await ask(null, { headers })).status)
    expect(statuses).to.deep.equal([401, 401, 401, 429])
  })

  it('refuses a request before it changes anything', async () => {
    const create = () => ask(app.key, { method: 'POST' })
    const statuses = []
    for (let i = 0; i < 5; i++) statuses.push((await create()).status)
    expect(statuses).to.deep.equal([201, 201, 201, 429, 429])
    await app.advance({ minutes: 1 })
    expect((await app.api('GET', '/addresses')).body.data.total).to.equal(3)
  })

  it('holds for concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask(app.key)))
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 200, 200, 429, 429, 429, 429, 429, 429, 429])
  })

  it('does not count requests for /healthz and the OpenAPI document', async () => {
    for (let i = 0; i < 5; i++) {
      expect((await ask(null, { path: '/healthz' })).status).to.equal(200)
      expect((await ask(null, { path: '/openapi.json' })).status).to.equal(200)
    }
  })
})

describe('Rate limit: MAYFLY_RATE_LIMIT=0', () => {
  it('disables the limit; the headers show the largest 32-bit integer', async () => {
    await using app = await openTestApp({ env: { MAYFLY_RATE_LIMIT: '0' } })
    const reset = app.app.clock.now() / 1000 + 60
    for (const key of [app.key, null]) {
      const status = key === null ? 401 : 200
      for (let i = 1; i <= 3; i++) {
        const answer = await rawRequest(app.url, { path, headers: key === null ? {} : { authorization: `Bearer ${key}` } })
        expect(limits(answer)).to.deep.equal([status, 2_147_483_647, 2_147_483_647 - i, reset])
      }
    }
  })
})
