import { expect } from 'chai'
import { inspect } from 'node:util'
import {
  ApiError, AuthenticationError, ConflictError, InvalidRequestError, Mayfly, MayflyError, NetworkError, NotFoundError,
  PermissionError, RateLimitError, ServerError, TimeoutError, UnexpectedAnswerError,
} from '@mayfly-mail/sdk'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { fixed, json, openFaultServer } from './fault-server.ts'
import type { Answer } from './fault-server.ts'
import { rejectionOf } from './rejection.ts'

const apiKey = 'svc_live_0123456789abcdefghijklmnopqrstuv'
const html = '<!doctype html><title>Bad gateway</title>'

/** The error of one call of a server with this answer, and its number of requests. */
async function errorOf(
  answer: Answer,
  run: (sdk: Mayfly) => Promise<unknown> = (sdk) => sdk.addresses.list(),
  key = apiKey,
) {
  await using server = await openFaultServer(answer)
  const error = await rejectionOf(run(new Mayfly({ apiKey: key, baseUrl: server.url, maxRetries: 0 })))
  return { error: error as ApiError, requests: server.requests }
}

describe('SDK: errors', () => {
  const kinds: [status: number, code: string, kind: new (...args: never[]) => ApiError][] = [
    [400, 'INVALID_REQUEST', InvalidRequestError],
    [401, 'INVALID_API_KEY', AuthenticationError],
    [403, 'MISSING_SCOPE', PermissionError],
    [403, 'PLAN_REQUIRED', PermissionError],
    [404, 'NOT_FOUND', NotFoundError],
    [405, 'METHOD_NOT_ALLOWED', InvalidRequestError],
    [409, 'CONFLICT', ConflictError],
    [409, 'ALREADY_VERIFIED', ConflictError],
    [409, 'NOT_VERIFIED', ConflictError],
    [413, 'PAYLOAD_TOO_LARGE', InvalidRequestError],
    [415, 'UNSUPPORTED_MEDIA_TYPE', InvalidRequestError],
    [429, 'RATE_LIMITED', RateLimitError],
    [500, 'INTERNAL_ERROR', ServerError],
    [501, 'NOT_IMPLEMENTED', ServerError],
    [507, 'STORAGE_FULL', ServerError],
  ]

  for (const [status, code, kind] of kinds) {
    it(`make ${code} of ${status} a ${kind.name}, after one request`, async () => {
      const { error, requests } = await errorOf(json(status, { error: 'A sentence.', code }))
      expect(error).to.be.instanceOf(kind).and.instanceOf(ApiError).and.instanceOf(MayflyError).and.instanceOf(Error)
      expect(error).to.include({ name: kind.name, message: 'A sentence.', status, code })
      expect(requests).to.deep.equal(['GET /api/v1/addresses'])
    })
  }

  it('keep words that contain the short key of a mock', async () => {
    const answer = json(400, { error: 'Any company, as many as any.', code: 'INVALID_REQUEST' }, { 'x-request-id': 'r-many' })
    const { error } = await errorOf(answer, (sdk) => sdk.addresses.list(), 'any')
    expect(error).to.include({ message: 'Any company, as many as any.', code: 'INVALID_REQUEST', requestId: 'r-many' })
  })

  it('carry the details, the id of the request and the headers', async () => {
    const details = [{ path: 'query.limit', message: 'must be <= 100' }]
    const { error } = await errorOf(json(400, { error: 'No.', code: 'INVALID_REQUEST', details }, { 'x-request-id': 'r-1', 'x-more': 'm' }))
    expect(error.details).to.deep.equal(details)
    expect(error.requestId).to.equal('r-1')
    expect(error.headers.get('x-more')).to.equal('m')
  })

  it('carry the Retry-After time, from seconds or from a date', async () => {
    const limited = { error: 'Too many.', code: 'RATE_LIMITED' }
    expect((await errorOf(json(429, limited, { 'retry-after': '42' }))).error.retryAfterMs).to.equal(42_000)
    const date = { 'retry-after': 'Sat, 14 Mar 2026 09:00:42 GMT', date: 'Sat, 14 Mar 2026 09:00:00 GMT' }
    expect((await errorOf(json(429, limited, date))).error.retryAfterMs).to.equal(42_000)
    expect((await errorOf(json(429, limited))).error.retryAfterMs).to.equal(undefined)
  })

  it('have the class of the status for an answer that is not Mayfly\'s', async () => {
    const { error: gateway } = await errorOf(fixed(502, 'text/html; charset=utf-8', html))
    expect(gateway).to.be.instanceOf(ServerError)
    expect(gateway).to.include({
      status: 502, code: undefined,
    })
    expect(gateway.message).to.match(/^http:\/\/127\.0\.0\.1:\d+ answered 502 with text\/html, which is not Mayfly's\. Check baseUrl\.$/)
    const { error: missing } = await errorOf(fixed(404, undefined, ''))
    expect(missing).to.be.instanceOf(NotFoundError)
    expect(missing.message).to.include('answered 404 with no content type')
    expect((await errorOf(json(418, { error: { code: 'TEAPOT' } }))).error).to.be.instanceOf(ApiError).and.include({ status: 418 })
    expect((await errorOf(json(500, null))).error).to.be.instanceOf(ServerError)
  })

  const noSuccesses: [string, Answer][] = [
    ['a web page', fixed(200, 'text/html', html)],
    ['nothing', fixed(200, 'application/json', '')],
    ['nothing, without a type', fixed(200, undefined, '')],
    ['204', fixed(204, undefined, '')],
    ['JSON cut short', fixed(200, 'application/json', '{"data": {"addre')],
    ['JSON of something else', json(200, { hello: 'world' })],
    ['data of something else', json(200, { data: 'hello' })],
    ['null', json(200, null)],
  ]
  for (const [name, answer] of noSuccesses) {
    it(`report an invalid answer of status 200: ${name}`, async () => {
      const { error } = await errorOf(answer)
      expect(error).to.be.instanceOf(UnexpectedAnswerError)
      expect(error.status).to.be.within(200, 204)
      expect(error.message).to.match(/^http:\/\/127\.0\.0\.1:\d+ answered 20[04] with .*Check baseUrl\.$/)
    })
  }

  it('report a web page in place of the source of an email', async () => {
    const { error } = await errorOf(fixed(200, 'text/html', html), (sdk) => sdk.emails.raw('019ceb94-ec1a-7892-8606-95315d9dc9f8'))
    expect(error).to.be.instanceOf(UnexpectedAnswerError)
  })

  it('report a refused connection, with its cause', async () => {
    const server = await openFaultServer(() => {})
    await server[Symbol.asyncDispose]()
    const error = await rejectionOf(new Mayfly({ apiKey, baseUrl: server.url, maxRetries: 0 }).addresses.list())
    expect(error).to.be.instanceOf(NetworkError)
    expect(error.message).to.equal(`Could not reach ${server.url}: ECONNREFUSED. Is the server running?`)
    expect(error.cause).to.be.instanceOf(Error)
  })

  it('report a connection that ends before or within the answer', async () => {
    expect((await errorOf((request) => request.socket.destroy())).error).to.be.instanceOf(NetworkError)
    const half = (status: number, type = 'application/json') => (request: IncomingMessage, response: ServerResponse) => {
      response.writeHead(status, { 'content-type': type, 'content-length': '1000' })
      response.write('{"data"', () => request.socket.destroy())
    }
    expect((await errorOf(half(200))).error).to.be.instanceOf(NetworkError)
    expect((await errorOf(half(500))).error).to.be.instanceOf(NetworkError)
    const download = (sdk: Mayfly) => sdk.emails.raw('019ceb94-ec1a-7892-8606-95315d9dc9f8')
    expect((await errorOf(half(200, 'message/rfc822'), download)).error).to.be.instanceOf(NetworkError)
  })

  it('report a timeout at the beginning or the end of an answer', async () => {
    const silent = await errorOf(() => {}, (sdk) => sdk.addresses.create({}, { timeoutMs: 50 }))
    expect(silent.error).to.be.instanceOf(TimeoutError)
    expect(silent.error.message).to.match(/^addresses\.create got no answer from http:\/\/127\.0\.0\.1:\d+ within 50 ms$/)
    const endless = await errorOf((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{')
    }, (sdk) => sdk.addresses.list({}, { timeoutMs: 50 }))
    expect(endless.error).to.be.instanceOf(TimeoutError)
  })

  it('do not wrap an abort, which rejects with the reason of the signal', async () => {
    const reason = new Error('enough')
    const controller = new AbortController()
    const { error } = await errorOf(() => controller.abort(reason), (sdk) => sdk.addresses.list({}, { signal: controller.signal }))
    expect(error).to.equal(reason)
    const early = await errorOf(() => {}, (sdk) => sdk.addresses.list({}, { signal: AbortSignal.abort(reason) }))
    expect(early).to.deep.equal({ error: reason, requests: [] })
  })

  it('do not wait for a fetch that ignores the signal', async () => {
    const sdk = new Mayfly({ apiKey, fetch: () => new Promise(() => {}) })
    expect(await rejectionOf(sdk.domains.list({ timeoutMs: 20 }))).to.be.instanceOf(TimeoutError)
  })

  it('never show the API key', async () => {
    const repeat = (request: IncomingMessage, response: ServerResponse) => json(401, {
      error: `No key ${request.headers.authorization}`, code: 'INVALID_API_KEY', details: [{ path: apiKey, message: apiKey }],
    })(request, response)
    const { error: refused } = await errorOf(repeat)
    expect(refused.message).to.equal('No key Bearer [API key]')
    const errors = [
      refused,
      (await errorOf((request) => request.socket.destroy())).error,
      (await errorOf(fixed(200, 'text/html', html))).error,
      (await errorOf(() => {}, (sdk) => sdk.addresses.list({}, { timeoutMs: 20 }))).error,
    ]
    for (const shown of [new Mayfly({ apiKey }), ...errors]) expectNoKey(shown)
  })

  it('never show the API key that a server repeats, in any escaping and position', async () => {
    const escaped = Array.from(apiKey, (character) => `\\u00${character.charCodeAt(0).toString(16)}`).join('')
    const upper = escaped.replace(/[a-f]\b/g, (digit) => digit.toUpperCase())
    const percent = escaped.replaceAll('\\u00', '%')
    const body = (key: string) => `{"error":"No key ${key}.","code":"${key}","details":[{"path":"${key}","message":"${key}","more":"${key}"},"${key}"]}`
    const headers = { 'x-request-id': apiKey, 'x-more': percent, location: `/login?key=${percent}`, 'set-cookie': `key=${apiKey}` }
    const errors: ApiError[] = []
    for (const key of [apiKey, escaped, upper, apiKey.slice(0, 9) + escaped.slice(54)]) {
      const { error } = await errorOf(fixed(400, 'application/json', body(key), headers))
      expect(error).to.include({ message: 'No key [API key].', code: '[API key]', requestId: '[API key]' })
      expect(error.details).to.deep.equal([{ path: '[API key]', message: '[API key]' }])
      expect(error.headers.get('location')).to.equal('/login?key=[API key]')
      errors.push(error)
    }
    errors.push((await errorOf(fixed(200, `text/${apiKey}`, '', headers))).error, (await errorOf(fixed(302, undefined, '', headers))).error)
    // the errors of the runtime's parser have the received bytes
    for (const key of [apiKey, escaped, percent]) {
      const { error } = await errorOf((request) => request.socket.end(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz${key}\r\n`))
      expect(error).to.be.instanceOf(NetworkError)
      errors.push(error)
    }
    for (const shown of errors) for (const key of [apiKey, escaped, upper, percent]) expectNoKey(shown, key)
  })

  it('never show the API key to hooks', async () => {
    const seen: unknown[] = []
    const see = (event: unknown) => void seen.push(event)
    const answer = fixed(503, 'application/json', `{"error":"${apiKey}","code":"INTERNAL_ERROR"}`, { 'x-request-id': apiKey })
    await errorOf(answer, (sdk) => sdk.addresses.list({}, { onResponse: see }))
    await using server = await openFaultServer(answer)
    const sdk = new Mayfly({ apiKey, baseUrl: server.url, maxRetries: 1, hooks: { onRequest: see, onResponse: see, onRetry: see } })
    await rejectionOf(sdk.addresses.list())
    expect(seen).to.have.length(6)
    for (const event of seen) expectNoKey(event)
  })

  function expectNoKey(shown: unknown, key = apiKey) {
    // both double each backslash
    const text = inspect(shown, { depth: 20, showHidden: true, getters: true }) + JSON.stringify(shown)
    expect(text.replaceAll('\\\\', '\\')).not.to.include(key)
  }
})
