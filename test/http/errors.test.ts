import { expect } from 'chai'
import { Agent } from 'node:http'
import { gzipSync } from 'node:zlib'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { rawRequest } from '../support/raw-request.ts'
import type { RawRequest } from '../support/raw-request.ts'

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
      '/api', '/api/v1', '/api/v2/addresses', '/api/v1/nothing', '/addresses', '//api/v1/addresses', '/api/v1//addresses',
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
      ['POST', `${addresses}/${nowhere}`, 'GET, PATCH, DELETE'], ['PUT', `/api/v1/emails/${nowhere}`, 'GET, PATCH, DELETE'],
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
})
