import { expect } from 'chai'
import { pino } from 'pino'
import { openTestApp, shareTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { rawRequest } from '../support/raw-request.ts'

describe('Reverse proxies', () => {
  const newAccount = shareTestApp()

  describe('MAYFLY_TRUSTED_PROXIES: the address of a caller', () => {
    let app: TestApp
    const lines: string[] = []
    before(async () => {
      app = await openTestApp({
        env: { MAYFLY_TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8, fd00::/8', MAYFLY_RATE_LIMIT: '5' },
        log: pino({ level: 'info' }, { write: (line) => { lines.push(line) } }),
      })
    })
    after(() => app[Symbol.asyncDispose]())

    /** The address in the audit log of a call. */
    async function addressSeen(headers: Record<string, string>, { from = '127.0.0.1', at = app } = {}) {
      const key = await at.newKey()
      const call = await rawRequest(at.url, { path: '/api/v1/addresses', from, headers: { authorization: `Bearer ${key}`, ...headers } })
      expect(call.status).to.equal(200)
      const { body } = await at.api('GET', '/audit-logs', { key })
      return body.data[0].ipAddress
    }

    for (const [headers, address] of [
      [{}, '127.0.0.1'],
      [{ 'x-forwarded-for': '192.0.2.1' }, '192.0.2.1'],
      [{ 'x-forwarded-for': '192.0.2.1:4711' }, '192.0.2.1'],
      [{ 'x-forwarded-for': '::ffff:192.0.2.1' }, '192.0.2.1'],
      [{ 'x-forwarded-for': '2001:DB8::1' }, '2001:db8::1'],
      [{ 'x-forwarded-for': '[2001:db8::1]:4711' }, '2001:db8::1'],
      [{ 'x-forwarded-for': '192.0.2.9, 192.0.2.1' }, '192.0.2.1'],
      [{ 'x-forwarded-for': '192.0.2.9,192.0.2.1, 10.1.2.3 ,fd00::1' }, '192.0.2.1'],
      [{ 'x-forwarded-for': '10.0.0.9, 10.0.0.1' }, '10.0.0.9'],
      [{ 'x-forwarded-for': '192.0.2.1, unknown' }, '127.0.0.1'],
      [{ 'x-forwarded-for': '192.0.2.1, 1, 10.0.0.1' }, '10.0.0.1'],
      [{ 'x-forwarded-for': '' }, '127.0.0.1'],
      [{ 'x-forwarded-for': '192.0.2.1', forwarded: 'for=192.0.2.2', 'x-real-ip': '192.0.2.3' }, '192.0.2.1'],
      [{ 'x-forwarded-for': '192.0.2.1', forwarded: 'for=unknown' }, '192.0.2.1'],
      [{ 'x-forwarded-for': '192.0.2.1', forwarded: '' }, '192.0.2.1'],
      [{ forwarded: 'for=192.0.2.1', 'x-real-ip': '192.0.2.1' }, '127.0.0.1'],
    ] as [Record<string, string>, string][]) {
      it(`is ${address} by ${JSON.stringify(headers)}`, async () => {
        expect(await addressSeen(headers)).to.equal(address)
      })
    }

    it('is that of the connection when its peer is not a trusted proxy', async () => {
      for (const headers of [{ 'x-forwarded-for': '192.0.2.1' }, { forwarded: 'for=192.0.2.1' }] as Record<string, string>[]) {
        expect(await addressSeen(headers, { from: '127.0.0.2' })).to.equal('127.0.0.2')
      }
    })

    for (const [header, value, address] of [
      ['Forwarded', 'for=192.0.2.1;proto=https;by=203.0.113.4', '192.0.2.1'],
      ['Forwarded', 'for=192.0.2.9, proto=https;For="[2001:db8::1]:4711", for=10.0.0.1', '2001:db8::1'],
      ['Forwarded', 'for="192.0.2.9, for=192.0.2.8", for=192.0.2.1', '192.0.2.1'],
      ['Forwarded', 'for=192.0.2.9;x=", for="[2001:db8::1]"', '2001:db8::1'],
      ['Forwarded', 'for=192.0.2.9;x=", for=192.0.2.1;by="[::1]:80"', '192.0.2.1'],
      ['Forwarded', 'for=192.0.2.9;x="\\, for=192.0.2.1', '192.0.2.1'],
      ['Forwarded', 'for=192.0.2.1, for=_hidden', '127.0.0.1'],
      ['X-Real-IP', '192.0.2.1', '192.0.2.1'],
      ['cf-connecting-ip', '2001:db8::1', '2001:db8::1'],
    ] as const) {
      it(`is ${address} by ${header}: ${value}, with MAYFLY_CLIENT_HEADER=${header}`, async () => {
        await using at = await openTestApp({ env: { MAYFLY_TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8', MAYFLY_CLIENT_HEADER: header } })
        expect(await addressSeen({ [header]: value, 'x-forwarded-for': '192.0.2.7' }, { at })).to.equal(address)
        expect(await addressSeen({ 'x-forwarded-for': '192.0.2.7' }, { at })).to.equal('127.0.0.1')
        expect((await rawRequest(at.url, { path: '/metrics', headers: { [header]: value } })).status).to.equal(404)
      })
    }

    it('is in the request log', async () => {
      lines.length = 0
      await rawRequest(app.url, { path: '/nowhere', headers: { 'x-forwarded-for': '192.0.2.1' } })
      expect(lines.map((line) => JSON.parse(line)).find(({ path }) => path === '/nowhere').ip).to.equal('192.0.2.1')
    })

    it('is the address by which calls without a key are counted', async () => {
      const left = async (caller: string) => {
        const { headers } = await rawRequest(app.url, { path: '/api/v1/addresses', headers: { 'x-forwarded-for': caller } })
        return Number(headers['x-ratelimit-remaining'])
      }
      expect([await left('198.51.100.1'), await left('198.51.100.1'), await left('198.51.100.2')]).to.deep.equal([4, 3, 4])
      expect(await left('198.51.100.3, 198.51.100.1')).to.equal(2)
    })
  })

  it('are not trusted by default', async () => {
    const app = await newAccount()
    await app.api('GET', '/addresses', { headers: { 'x-forwarded-for': '192.0.2.1', forwarded: 'for=192.0.2.1' } })
    expect((await app.api('GET', '/audit-logs')).body.data[0].ipAddress).to.equal('127.0.0.1')
  })

  for (const header of ['forwarded', 'x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'via', 'x-real-ip']) {
    it(`get no /metrics by default, recognized by ${header}`, async () => {
      const app = await newAccount()
      expect((await rawRequest(app.url, { path: '/metrics', headers: { [header]: '127.0.0.1' } })).status).to.equal(404)
    })
  }

  it('get HSTS only with an https base URL, without subdomains', async () => {
    for (const [baseUrl, expected] of [['https://mail.example.org', 'max-age=31536000'], ['http://mail.example.org', undefined]] as const) {
      await using app = await openTestApp({ env: { MAYFLY_BASE_URL: baseUrl } })
      expect((await rawRequest(app.url, { path: '/healthz' })).headers['strict-transport-security']).to.equal(expected)
    }
  })
})
