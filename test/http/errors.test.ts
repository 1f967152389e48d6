import { expect } from 'chai'
import { Agent } from 'node:http'
import { gzipSync } from 'node:zlib'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { rawRequest } from '../support/raw-request.ts'
import type { RawAnswer, RawRequest } from '../support/raw-request.ts'

const addresses = '/api/v1/addresses'
const nowhere = '019c0000-0000-7000-8000-000000000000'
const json = { 'content-type': 'application/json' }
const limitHeaders = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']

describe('Errors: refused requests', () => {
  let app: TestApp
  before(async () => { app = await openTestApp() })
  after(() => app[Symbol.asyncDispose]())

  const ask = (request: RawRequest) =>
    rawRequest(app.url, { ...request, headers: { authorization: `Bearer ${app.key}`, ...request.headers } })
  const post = (body: string | Uint8Array, headers: Record<string, string> = {}) =>
    ask({ method: 'POST', path: addresses, headers: { ...json, ...headers }, body })

  describe('404 for unknown paths:', () => {
    for (const path of [
      '/', '/api', '/api/v1', '/api/v2/addresses', '/api/v1/nothing', '/addresses', '//api/v1/addresses', '/api/v1//addresses',
      '/API/V1/ADDRESSES', `/api/v1/Addresses/${nowhere}`, '/api/v1/%61ddresses', '/%', '/%00', '/favicon.ico', '/..', '/api/v1/../../etc/passwd',
      `${addresses}/${nowhere}/forwarding/more`, '/openapi.yml', '/healthz/',
    ]) {
      it(`${path}`, async () => {
        const answer = await ask({ path })
        expect(answer.status).to.equal(404)
        expect(answer.json).to.deep.equal({
          error: 'There is nothing at this path. /docs describes what there is.', code: 'NOT_FOUND',
        })
        for (const name of limitHeaders) expect(answer.headers[name]).to.match(/^\d+$/)
      })
    }
  })

  describe('405 for unknown methods:', () => {
    for (const [method, path, allow] of [
      ['PUT', addresses, 'GET, POST'], ['PATCH', addresses, 'GET, POST'], ['DELETE', addresses, 'GET, POST'],
      ['OPTIONS', addresses, 'GET, POST'], ['TRACE', addresses, 'GET, POST'], ['PROPFIND', addresses, 'GET, POST'],
      ['POST', `${addresses}/${nowhere}`, 'GET, DELETE'], ['PUT', `/api/v1/emails/${nowhere}`, 'GET, PATCH, DELETE'],
      ['DELETE', `/api/v1/emails/${nowhere}/raw`, 'GET'], ['POST', '/api/v1/analytics', 'GET'],
      ['GET', `/api/v1/domains/${nowhere}/verify`, 'POST'], ['POST', `${addresses}/${nowhere}/forwarding`, 'GET, PATCH'],
    ] as const) {
      it(`${method} ${path.replace(nowhere, '{id}')}`, async () => {
        const answer = await ask({ method, path })
        expect(answer.status).to.equal(405)
        expect(answer.headers.allow).to.equal(allow)
        expect(answer.json).to.deep.equal({ error: `This path takes ${allow}.`, code: 'METHOD_NOT_ALLOWED' })
        for (const name of limitHeaders) expect(answer.headers[name]).to.match(/^\d+$/)
      })
    }

    it('HEAD, without a body', async () => {
      const answer = await ask({ method: 'HEAD', path: addresses })
      expect(answer).to.include({ status: 405, text: '' })
      expect(answer.headers.allow).to.equal('GET, POST')
    })
  })

  describe('413 for large bodies:', () => {
    const mebibyte = 1024 * 1024
    const padded = (length: number) => `{}${' '.repeat(length - 2)}`

    it('not for 1 MiB', async () => {
      expect((await post(padded(mebibyte))).status).to.equal(201)
    })

    for (const [name, request] of Object.entries<RawRequest>({
      '1 MiB and a byte': { path: addresses, body: padded(mebibyte + 1) },
      '10 MiB': { path: addresses, body: padded(10 * mebibyte) },
      'more than 1 MiB in chunks': { path: addresses, chunks: Array.from({ length: 5 }, () => ' '.repeat(mebibyte / 4)) },
      'more than 1 MiB after decompression': { path: addresses, body: gzipSync(padded(10 * mebibyte)), headers: { 'content-encoding': 'gzip' } },
    })) {
      it(`for ${name}`, async () => {
        const answer = await ask({ method: 'POST', ...request, headers: { ...json, ...request.headers } })
        expect(answer.status).to.equal(413)
        expect(answer.json).to.deep.equal({ error: 'The body is larger than 1 MiB.', code: 'PAYLOAD_TOO_LARGE' })
        for (const name of limitHeaders) expect(answer.headers[name]).to.match(/^\d+$/)
      })
    }
  })

  it('answers the next request of a connection after a refused body that was not read', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const long = ' '.repeat(1024 * 1024)
    try {
      for (const [request, status] of [
        [{ headers: json, chunks: [long, long, long] }, 413], [{ headers: json, body: `{}${long}` }, 413],
        [{ headers: { ...json, 'content-encoding': 'gzip' }, body: gzipSync(long.repeat(9)) }, 413],
        [{ headers: { ...json, 'content-encoding': 'gzip' }, body: `no gzip${long.slice(9)}` }, 400],
        [{ headers: { 'content-type': 'text/plain' }, body: long }, 415], [{ headers: { ...json, authorization: '' }, body: long }, 401],
        [{ headers: json, body: '{}' }, 201],
      ] as const) {
        const answer = await ask({ method: 'POST', path: addresses, agent, ...request, chunks: 'chunks' in request ? [...request.chunks] : undefined })
        expect(answer.status).to.equal(status)
      }
    } finally {
      agent.destroy()
    }
  })

  describe('415 for unsupported bodies:', () => {
    for (const type of [
      'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'application/xml',
      'application/merge-patch+json', 'text/json', 'application/jsonx', 'json', 'application/json, text/plain', '',
    ]) {
      it(`for the type "${type}"`, async () => {
        const answer = await post('{}', { 'content-type': type })
        expect(answer.status).to.equal(415)
        expect(answer.json).to.deep.equal({
          error: 'The body has to be JSON. Send "Content-Type: application/json".', code: 'UNSUPPORTED_MEDIA_TYPE',
        })
      })
    }

    it('for a body without a type', async () => {
      const whole = await ask({ method: 'POST', path: addresses, body: '{}' })
      const inPieces = await ask({ method: 'POST', path: addresses, chunks: ['{', '}'] })
      expect([whole.status, inPieces.status]).to.deep.equal([415, 415])
    })

    for (const encoding of ['zstd', 'compress', 'nonsense']) {
      it(`for the content encoding ${encoding}`, async () => {
        const answer = await post('{}', { 'content-encoding': encoding })
        expect(answer.status).to.equal(415)
        expect(answer.json).to.deep.equal({
          error: 'The body has an encoding that is not supported. Send plain UTF-8.', code: 'UNSUPPORTED_MEDIA_TYPE',
        })
      })
    }

    for (const type of ['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON', 'application/json;charset="UTF-8"']) {
      it(`not for ${type}`, async () => {
        expect((await post('{}', { 'content-type': type })).status).to.equal(201)
      })
    }

    it('not for a gzip body, nor for a request without a body', async () => {
      expect((await post(gzipSync('{}'), { 'content-encoding': 'gzip' })).status).to.equal(201)
      expect((await ask({ method: 'POST', path: addresses })).status).to.equal(201)
      expect((await ask({ method: 'POST', path: addresses, headers: { 'content-type': 'text/plain', 'content-length': '0' } })).status).to.equal(201)
    })

    it('not for operations without a body, which ignore it', async () => {
      const headers = { 'content-type': 'text/plain' }
      const verify = await ask({ method: 'POST', path: `/api/v1/domains/${nowhere}/verify`, headers, body: '{' })
      expect(verify.status).to.equal(404)
      expect((await ask({ method: 'DELETE', path: `${addresses}/${nowhere}`, headers, body: '{' })).status).to.equal(404)
    })
  })

  describe('400 for invalid requests:', () => {
    const details = (answer: RawAnswer) => answer.json.details as { path: string, message: string }[]

    for (const body of ['{', '{"alias":', "{'alias':'a'}", '{alias:1}', 'null', '5', '"text"', 'true', ' ', '{}{}', '\0']) {
      it(`for the body ${JSON.stringify(body)}`, async () => {
        const answer = await post(body)
        expect(answer.status).to.equal(400)
        expect(answer.json).to.deep.equal({
          error: 'body is not JSON, or not an object.',
          code: 'INVALID_REQUEST',
          details: [{ path: 'body', message: 'is not JSON, or not an object' }],
        })
      })
    }

    it('for an array as the body', async () => {
      const answer = await post('[]')
      expect(answer.status).to.equal(400)
      expect(details(answer)).to.deep.equal([{ path: 'body', message: 'must be object' }])
    })

    it('for a missing required body', async () => {
      const answer = await ask({ method: 'PATCH', path: `/api/v1/emails/${nowhere}` })
      expect(answer.status).to.equal(400)
      expect(details(answer)[0]).to.deep.equal({ path: 'body', message: 'is required' })
    })

    for (const [body, path, message] of [
      [{ expires: 60 }, 'body.expires', 'is not known; leave it out'],
      [{ expiresin: 60 }, 'body.expiresin', 'is not known; leave it out'],
      [JSON.parse('{"__proto__":{"alias":"a"}}'), 'body.__proto__', 'is not known; leave it out'],
      [{ constructor: 1 }, 'body.constructor', 'is not known; leave it out'],
      [{ toString: 1 }, 'body.toString', 'is not known; leave it out'],
      [{ '': 1 }, 'body.', 'is not known; leave it out'],
      [{ alias: 'A B' }, 'body.alias',
        'does not fit: The part before the @: letters, digits, `.`, `_` and `-`, starting and ending with a letter or digit, without two dots in a row'],
      [{ alias: 5 }, 'body.alias', 'must be string'],
      [{ alias: null }, 'body.alias', 'must be string'],
      [{ alias: ['a'] }, 'body.alias', 'must be string'],
      [{ expiresIn: '3600' }, 'body.expiresIn', 'must be integer'],
      [{ expiresIn: 60.5 }, 'body.expiresIn', 'must be integer'],
      [{ expiresIn: 59 }, 'body.expiresIn', 'must be >= 60'],
      [{ expiresIn: true }, 'body.expiresIn', 'must be integer'],
      [{ forwardToId: 'x' }, 'body.forwardToId', 'must match format "uuid"'],
    ] as const) {
      it(`for ${JSON.stringify(body)}, naming ${path}`, async () => {
        const answer = await post(JSON.stringify(body))
        expect(answer.status).to.equal(400)
        expect(answer.json).to.deep.equal({ error: `${path}: ${message}.`, code: 'INVALID_REQUEST', details: [{ path, message }] })
      })
    }

    it('names every invalid member', async () => {
      const answer = await post('{"alias":5,"expiresIn":1,"more":1,"other":2}')
      expect(answer.json.error).to.equal(`${details(answer)[0]!.path}: ${details(answer)[0]!.message} (and 3 more).`)
      expect(details(answer).map(({ path }) => path).sort()).to.deep.equal(['body.alias', 'body.expiresIn', 'body.more', 'body.other'])
    })

    it('is a short answer, however many members are invalid', async () => {
      for (const body of [
        Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`member${i}`, i])),
        { ['long'.repeat(200_000)]: 1 },
        { alias: 'long'.repeat(200_000) },
      ]) {
        const answer = await post(JSON.stringify(body))
        expect(answer.status).to.equal(400)
        expect(answer.text.length).to.be.lessThan(8_000)
      }
      const events = await ask({
        method: 'POST', path: '/api/v1/webhooks', headers: json,
        body: JSON.stringify({ url: 'https://example.org', events: Array(200_000).fill('x') }),
      })
      expect(events.status).to.equal(400)
      expect(events.text.length).to.be.lessThan(8_000)
    })

    for (const [query, path, message] of [
      ['limit=0', 'query.limit', 'must be >= 1'],
      ['limit=101', 'query.limit', 'must be <= 100'],
      ['limit=99999999999999999999', 'query.limit', 'must be <= 100'],
      ['limit=-1', 'query.limit', 'must be >= 1'],
      ['limit=ten', 'query.limit', 'must be integer'],
      ['limit=1.5', 'query.limit', 'must be integer'],
      ['limit=0x10', 'query.limit', 'must be integer'],
      ['limit=%205', 'query.limit', 'must be integer'],
      ['limit=', 'query.limit', 'must be integer'],
      ['limit', 'query.limit', 'must be integer'],
      ['limit=null', 'query.limit', 'must be integer'],
      ['limit=%ZZ', 'query.limit', 'must be integer'],
      ['limit=%00', 'query.limit', 'must be integer'],
      ['limit=5&limit=5', 'query.limit', 'must be integer'],
      ['offset=-1', 'query.offset', 'must be >= 0'],
      ['offset=10001', 'query.offset', 'must be <= 10000; to go further, give the id of the last item as query.before'],
      ['offset=1&offset=2', 'query.offset', 'must be integer'],
      ['status=Active', 'query.status', 'must be one of active, expired'],
      ['status=', 'query.status', 'must be one of active, expired'],
      ['Limit=5', 'query.Limit', 'is not known; leave it out'],
      ['limit[]=5', 'query.limit[]', 'is not known; leave it out'],
      ['limit[a]=5', 'query.limit[a]', 'is not known; leave it out'],
      ['__proto__=1', 'query.__proto__', 'is not known; leave it out'],
      ['__proto__[limit]=1', 'query.__proto__[limit]', 'is not known; leave it out'],
      ['constructor=1', 'query.constructor', 'is not known; leave it out'],
      ['hasOwnProperty=1', 'query.hasOwnProperty', 'is not known; leave it out'],
      ['page=1', 'query.page', 'is not known; leave it out'],
      ['=1', 'query.', 'is not known; leave it out'],
    ]) {
      it(`for ?${query}, naming ${path}`, async () => {
        const answer = await ask({ path: `${addresses}?${query}` })
        expect(answer.status).to.equal(400)
        expect(details(answer)).to.deep.equal([{ path, message }])
      })
    }

    it('masks a secret that was sent as the name of a member', async () => {
      const secrets = { [app.key]: 'svc_live_…', 'whsec_MfKQ9r8GKYqr/wjUPD8ILP+IoLaLaSw==': 'whsec_…' }
      for (const [secret, shown] of Object.entries(secrets)) {
        const inQuery = await ask({ path: `${addresses}?${encodeURIComponent(secret)}=1` })
        const inBody = await post(JSON.stringify({ [secret]: 1 }))
        expect(details(inQuery)).to.deep.equal([{ path: `query.${shown}`, message: 'is not known; leave it out' }])
        expect(details(inBody)).to.deep.equal([{ path: `body.${shown}`, message: 'is not known; leave it out' }])
        for (const { text } of [inQuery, inBody]) expect(text).to.not.include(secret.slice(0, 20))
      }
    })

    it('for a query parameter of another operation', async () => {
      for (const [method, path] of [
        ['POST', `${addresses}?limit=5`], ['GET', `${addresses}?type=sent`], ['GET', `${addresses}/${nowhere}?limit=5`],
        ['DELETE', `${addresses}/${nowhere}?force=true`], ['GET', '/api/v1/analytics?limit=5'], ['GET', '/api/v1/webhooks?offset=0'],
      ] as const) {
        const answer = await ask({ method, path })
        expect(answer.status, path).to.equal(400)
        expect(details(answer)[0]!.path).to.match(/^query\./)
      }
    })

    for (const id of [
      'x', '1', nowhere.slice(1), `${nowhere}0`, nowhere.replace('-', ''), `%20${nowhere}`, `${nowhere}%00`, `${nowhere}%2F`, '%00', '%2F',
      '..%2f..%2f', '%ZZ', '%', '%C3%28', '*', '{id}', `urn:uuid:${nowhere}`, 'x'.repeat(4000), '%F0%9F%98%80',
    ]) {
      it(`for the id ${id.slice(0, 50)}`, async () => {
        for (const path of [`${addresses}/${id}`, `/api/v1/emails/${nowhere}/attachments/${id}`]) {
          const answer = await ask({ path })
          expect(answer.status, answer.text).to.equal(400)
          expect(details(answer)[0]!.path).to.match(/^path\.(id|attachmentId)$/)
        }
      })
    }
  })
})
