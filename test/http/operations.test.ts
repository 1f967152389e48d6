import { expect } from 'chai'
import pino from 'pino'
import { parse } from 'yaml'
import { readDocument } from '../../openapi/document.ts'
import { openTestApp, shareTestApp } from '../support/app.ts'
import { rawRequest } from '../support/raw-request.ts'
import type { RawRequest } from '../support/raw-request.ts'
import { loseTable } from '../support/store/faults.ts'
import { rowsOf } from '../support/store/rows.ts'

const addresses = '/api/v1/addresses'
const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

describe('Operation of a server', () => {
  const newAccount = shareTestApp()

  describe('health', () => {
    it('is ok, without a key', async () => {
      const app = await newAccount()
      for (const [path, status] of [['/healthz', 'ok'], ['/readyz', 'ready']] as const) {
        const answer = await rawRequest(app.url, { path })
        expect(answer).to.deep.include({ status: 200, json: { status } })
        expect(await rawRequest(app.url, { method: 'HEAD', path })).to.include({ status: 200, text: '' })
      }
    })

    it('is not ready while the disk is nearly full', async () => {
      let free = 999
      await using app = await openTestApp({ env: { MAYFLY_MIN_FREE_BYTES: '1000' }, freeBytes: async () => free })
      const answer = await rawRequest(app.url, { path: '/readyz' })
      expect(answer).to.deep.include({ status: 503, json: { status: 'unavailable', reason: 'low on disk space: mail is answered 452' } })
      expect((await rawRequest(app.url, { path: '/healthz' })).status).to.equal(200)
      free = 1000
      expect((await rawRequest(app.url, { path: '/readyz' })).status).to.equal(200)
    })

    it('is not ready while the database does not answer', async () => {
      const app = await newAccount()
      const restore = await loseTable(app, 'accounts')
      const [answer, health] = [await rawRequest(app.url, { path: '/readyz' }), await rawRequest(app.url, { path: '/healthz' })]
      await restore()
      expect(answer).to.deep.include({ status: 503, json: { status: 'unavailable', reason: 'the database does not answer' } })
      expect(health.status).to.equal(200)
    })

    it('is not ready while the free space cannot be read', async () => {
      await using app = await openTestApp({ freeBytes: async () => { throw new Error('secret path') } })
      const answer = await rawRequest(app.url, { path: '/readyz' })
      expect(answer.status).to.equal(503)
      expect(answer.text).to.not.include('secret')
    })
  })

  it('serves the OpenAPI document as JSON and YAML, with the URL of this server', async () => {
    await using app = await openTestApp({ env: { MAYFLY_BASE_URL: 'https://mail.example.org/' } })
    const expected = JSON.parse(JSON.stringify({ ...readDocument(), servers: [{ url: 'https://mail.example.org' }] }))
    const json = await rawRequest(app.url, { path: '/openapi.json' })
    expect(json.headers['content-type']).to.equal('application/json; charset=utf-8')
    expect(json.json).to.deep.equal(expected)
    const yaml = await rawRequest(app.url, { path: '/openapi.yaml' })
    expect(yaml.headers['content-type']).to.match(/^application\/yaml/)
    expect(parse(yaml.text, { maxAliasCount: -1 })).to.deep.equal(expected)
    for (const { headers } of [json, yaml]) {
      const head = await rawRequest(app.url, { method: 'HEAD', path: headers === json.headers ? '/openapi.json' : '/openapi.yaml' })
      expect([head.status, head.text, head.headers['content-length']]).to.deep.equal([200, '', headers['content-length']])
    }
    expect((await rawRequest(app.url, { method: 'POST', path: '/openapi.json' })).status).to.equal(404)
  })

  it('sets security headers on every answer', async () => {
    const app = await newAccount()
    for (const request of [
      { path: '/healthz' }, { path: '/openapi.json' }, { path: '/nowhere' }, { path: addresses }, { path: addresses, headers: bearer(app.key) },
      { path: addresses, method: 'POST', headers: { ...bearer(app.key), 'content-type': 'text/plain' }, body: 'x' },
    ] satisfies RawRequest[]) {
      const { headers } = await rawRequest(app.url, request)
      expect(headers).to.include({
        'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY', 'referrer-policy': 'no-referrer',
        'cross-origin-resource-policy': 'same-origin',
      })
      expect(headers['content-security-policy']).to.match(/^default-src 'none'(;|$)/)
      expect(headers).to.not.have.any.keys('x-powered-by', 'server')
      expect(headers['x-request-id']).to.match(/^[0-9a-f-]{36}$/)
    }
  })

  describe('CORS', () => {
    const origin = 'https://app.example.org'
    const preflight = (of = origin): RawRequest => ({
      method: 'OPTIONS', path: addresses,
      headers: { 'origin': of, 'access-control-request-method': 'DELETE', 'access-control-request-headers': 'authorization,content-type' },
    })
    const corsHeaders = (headers: object) => Object.keys(headers).filter((name) => name.startsWith('access-control-'))

    it('is closed unless configured', async () => {
      const app = await newAccount()
      const answer = await rawRequest(app.url, { path: addresses, headers: { ...bearer(app.key), origin } })
      expect(answer.status).to.equal(200)
      expect(corsHeaders(answer.headers)).to.deep.equal([])
      const refused = await rawRequest(app.url, preflight())
      expect([refused.status, corsHeaders(refused.headers)]).to.deep.equal([405, []])
    })

    it('tells which setting refuses a page, in the answer and in the log', async () => {
      for (const [origins, of] of [['', origin], ['https://other.example.org', origin], ['', 'null']] as const) {
        const lines: string[] = []
        await using app = await openTestApp({ env: { MAYFLY_CORS_ORIGINS: origins }, log: pino({ level: 'info' }, { write: (line) => { lines.push(line) } }) })
        const refused = await rawRequest(app.url, preflight(of))
        expect(refused.status).to.equal(405)
        expect(refused.json).to.deep.equal({
          error: 'MAYFLY_CORS_ORIGINS of this server does not name the origin of the page that asks.', code: 'METHOD_NOT_ALLOWED',
        })
        await app.settled()
        expect(lines.join('')).to.include(`"a page of the origin ${of} was refused: MAYFLY_CORS_ORIGINS does not name this origin"`)
      }
    })

    it('tells it for tools over MCP and the APIs of other servers, too', async () => {
      const lines: string[] = []
      await using app = await openTestApp({
        env: { MAYFLY_COMPATIBLE_APIS: 'mailpit' }, log: pino({ level: 'info' }, { write: (line) => { lines.push(line) } }),
      })
      const { body: { data: { address, smtp } } } = await app.api('POST', '/addresses', { body: { smtpLogin: true } })
      const login = `Basic ${Buffer.from(`${address}:${smtp.password}`).toString('base64')}`
      for (const { path, method, authorization } of [
        { path: '/mcp', method: 'POST', ...bearer(app.key) }, { path: '/compatible/mailpit/api/v1/messages', method: 'DELETE', authorization: login },
      ]) {
        lines.length = 0
        const refused = await rawRequest(app.url, { path, method, headers: { authorization, origin } })
        expect(refused.status).to.equal(403)
        expect(refused.text).to.include('MAYFLY_CORS_ORIGINS')
        await app.settled()
        expect(lines.join('')).to.include(`"a page of the origin ${origin} was refused: `)
      }
    })

    it('is open for the origins that are configured, on errors too', async () => {
      await using app = await openTestApp({ env: { MAYFLY_CORS_ORIGINS: `https://other.example.org, ${origin}` } })
      const allowed = await rawRequest(app.url, preflight())
      expect(allowed.status).to.equal(204)
      expect(allowed.headers).to.include({
        'access-control-allow-origin': origin, 'access-control-allow-headers': 'authorization,content-type', 'access-control-max-age': '600', 'vary': 'Origin',
      })
      expect(allowed.headers['access-control-allow-methods']!.split(',')).to.include.members(['GET', 'POST', 'PATCH', 'DELETE'])
      expect(allowed.headers).to.not.have.property('access-control-allow-credentials')
      for (const [request, status] of [
        [{ path: addresses, headers: bearer(app.key) }, 200], [{ path: addresses }, 401], [{ path: '/nowhere' }, 404],
        [{ path: addresses, method: 'PUT' }, 405], [{ path: `${addresses}?limit=0`, headers: bearer(app.key) }, 400],
      ] as const) {
        const answer = await rawRequest(app.url, { ...request, headers: { ...('headers' in request ? request.headers : {}), origin } })
        expect(answer.status).to.equal(status)
        expect(answer.headers).to.include({ 'access-control-allow-origin': origin, 'vary': 'Origin' })
        expect(answer.headers['access-control-expose-headers']!.split(',')).to.have.members([
          'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'Retry-After', 'X-Request-Id', 'Content-Disposition', 'X-Mayfly-Cursor', 'Idempotency-Replayed',
        ])
      }
    })

    it('stays closed for other origins', async () => {
      await using app = await openTestApp({ env: { MAYFLY_CORS_ORIGINS: origin } })
      for (const other of ['https://evil.example.org', 'http://app.example.org', `${origin}.evil.example`, 'null', 'https://app.example.org:444']) {
        for (const request of [preflight(other), { path: addresses, headers: { ...bearer(app.key), origin: other } }]) {
          expect(corsHeaders((await rawRequest(app.url, request)).headers), other).to.deep.equal([])
        }
      }
    })

    it('is open for all with *', async () => {
      await using app = await openTestApp({ env: { MAYFLY_CORS_ORIGINS: '*' } })
      const { headers } = await rawRequest(app.url, { path: addresses, headers: { ...bearer(app.key), origin } })
      expect(headers['access-control-allow-origin']).to.be.oneOf(['*', origin])
      expect(headers).to.not.have.property('access-control-allow-credentials')
    })
  })

  describe('the log', () => {
    it('has one line per request, with the request id of the answer, and no secret', async () => {
      const lines: string[] = []
      await using app = await openTestApp({ log: pino({ level: 'trace' }, { write: (line) => { lines.push(line) } }) })
      const { id, address } = await app.newAddress({ alias: 'private-alias' })
      await app.send({ to: address, from: 'private-sender@example.org', subject: 'private subject', text: 'private text', attachments: [{ filename: 'private.txt', content: 'private' }] })
      const email = await app.onlyEmail(id)
      await rawRequest(app.url, { path: `/api/v1/emails/${email.id}/attachments/${email.attachments[0]!.id}`, headers: bearer(app.key) })
      lines.length = 0

      const answers = [
        await rawRequest(app.url, { path: `${addresses}?limit=7&status=active`, headers: bearer(app.key) }),
        await rawRequest(app.url, { path: `/api/v1/emails/${email.id}`, headers: bearer(app.key) }),
        await rawRequest(app.url, { path: `${addresses}?key=${app.key}`, headers: bearer('wrong-private-key') }),
        await rawRequest(app.url, { method: 'POST', path: addresses, headers: { ...bearer(app.key), 'content-type': 'application/json' }, body: '{"alias":"private alias"}' }),
        await rawRequest(app.url, { path: '/nowhere' }),
        await rawRequest(app.url, { path: '/healthz' }),
      ]
      const requests = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request')
      expect(requests.map(({ requestId }) => requestId)).to.deep.equal(answers.map(({ headers }) => headers['x-request-id']))
      expect(new Set(requests.map(({ requestId }) => requestId)).size).to.equal(6)
      expect(requests.map(({ method, path, operation, status }) => [method, path, operation, status])).to.deep.equal([
        ['GET', addresses, 'addresses.list', 200],
        ['GET', `/api/v1/emails/${email.id}`, 'emails.get', 200],
        ['GET', addresses, 'addresses.list', 401],
        ['POST', addresses, 'addresses.create', 400],
        ['GET', '/nowhere', undefined, 404],
        ['GET', '/healthz', undefined, 200],
      ])
      for (const { ms } of requests) expect(ms).to.be.a('number')
    })

    it('has no content of a mail, from its arrival to its removal', async () => {
      const lines: string[] = []
      {
        await using app = await openTestApp({ log: pino({ level: 'trace' }, { write: (line) => { lines.push(line) } }) })
        const { id, address } = await app.newAddress({ alias: 'private-alias' })
        await app.send({ to: address, from: 'private-sender@example.org', subject: 'private subject', text: 'private text 482913' })
        const email = await app.onlyEmail(id)
        await app.api('DELETE', `/emails/${email.id}`)
        await app.api('DELETE', `/addresses/${id}`)
        await app.settled()
        expect(lines.join('')).to.not.include(app.key)
      }
      expect(lines.length).to.be.at.least(6)
      expect(lines.join('')).to.not.match(/private|482913|svc_live/)
    })
  })

  it('writes an audit record for every call with a valid key, also refused calls', async () => {
    await using app = await openTestApp({ env: { MAYFLY_RATE_LIMIT: '12' } })
    const created = await app.api('POST', '/addresses', { body: { alias: 'audited' }, headers: { 'user-agent': 'auditor/1.0' } })
    const { id } = created.body.data
    const key = await app.newKey({ plan: 'free' })
    const calls: [string, string, object, number, string | null][] = [
      ['GET', `/addresses?limit=5`, {}, 200, null],
      ['GET', `/addresses/${id}`, {}, 200, id],
      ['GET', `/addresses/${id.toUpperCase()}`, {}, 200, id],
      ['GET', '/addresses?limit=0', {}, 400, null],
      ['GET', '/addresses/not-an-id', {}, 400, null],
      ['GET', '/emails/019c0000-0000-7000-8000-000000000000', {}, 404, '019c0000-0000-7000-8000-000000000000'],
      ['POST', '/addresses', { body: { alias: 'audited' } }, 409, null],
      ['POST', '/addresses', { body: 'x', headers: { 'content-type': 'text/plain' } }, 415, null],
      ['POST', '/addresses', { body: ' '.repeat(1024 * 1024 + 1) }, 413, null],
      ['GET', '/analytics', {}, 200, null],
      ['DELETE', `/addresses/${id}`, {}, 200, id],
      ['GET', '/addresses', { key }, 403, null],
      ['GET', '/addresses', {}, 429, null],
    ]
    const unrecorded: [string, string, object, number][] = [
      ['GET', '/addresses', { key: null }, 401], ['GET', '/addresses', { key: 'nonsense' }, 401], ['GET', '/nowhere', { key: null }, 404],
    ]
    for (const [method, path, options, status] of [...calls, ...unrecorded]) {
      expect((await app.api(method, path, options)).status, `${method} ${path}`).to.equal(status)
    }
    await app.app.http.close() // writes what waits
    const rows = await rowsOf(app, 'audit_logs')
    expect(rows.map(({ method, path, status, resourceId }) => [method, path, status, resourceId])).to.deep.equal([
      ['POST', '/api/v1/addresses', 201, id],
      ...calls.map(([method, path, , status, resource]) => [method, `/api/v1${path.split('?')[0]}`, status, resource]),
    ])
    const [{ id: rowId, accountId: account, apiKeyId: apiKey, sessionId, member, ...first }, ...others] =
      rows as [(typeof rows)[number], ...typeof rows]
    expect(first).to.deep.equal({
      mode: 'live', action: 'addresses.create', method: 'POST', path: '/api/v1/addresses', status: 201, resourceId: id,
      ipAddress: '127.0.0.1', userAgent: 'auditor/1.0', createdAt: app.app.clock.now(), callCount: 1,
    })
    expect(rowId).to.match(/^[0-9a-f-]{36}$/)
    const owners = await rowsOf(app, 'api_keys')
    expect([account, apiKey, sessionId, member]).to.deep.equal([owners[0]!.accountId, owners[0]!.id, null, null])
    expect(others.at(-2)).to.include({ accountId: owners[1]!.accountId, apiKeyId: owners[1]!.id, status: 403 })
    expect(others.map(({ action }) => action).slice(-3)).to.deep.equal(['addresses.delete', 'addresses.list', 'addresses.list'])
  })
})
