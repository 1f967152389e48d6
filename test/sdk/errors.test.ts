import { expect } from 'chai'
import { inspect } from 'node:util'
import { ApiError, ConflictError, Mayfly, MayflyError, NetworkError, TimeoutError } from '@mayfly-mail/sdk'
import { fixed, json, openFaultServer } from './fault-server.ts'
import type { Answer } from './fault-server.ts'
import { rejectionOf } from './rejection.ts'

const apiKey = 'svc_live_0123456789abcdefghijklmnopqrstuv'

/** The error of one call of a server with this answer, and its number of requests. */
async function errorOf(answer: Answer, run: (sdk: Mayfly) => Promise<unknown> = (sdk) => sdk.addresses.list()) {
  await using server = await openFaultServer(answer)
  const error = await rejectionOf(run(new Mayfly({ apiKey, baseUrl: server.url, maxRetries: 0 })))
  return { error: error as ApiError, requests: server.requests }
}

describe('SDK: errors', () => {
  it('are ApiErrors, MayflyErrors and Errors', async () => {
    const { error } = await errorOf(json(409, { error: 'A sentence.', code: 'CONFLICT' }, { 'x-more': 'm' }))
    expect(error).to.be.instanceOf(ConflictError).and.instanceOf(ApiError).and.instanceOf(MayflyError).and.instanceOf(Error)
    expect(error.headers.get('x-more')).to.equal('m')
  })

  it('have the call and the request id in their message, and the sentence of the server beside it', async () => {
    const { error } = await errorOf(json(409, { error: 'The address is taken.', code: 'CONFLICT' }, { 'x-request-id': 'r-1' }))
    expect(error.message).to.equal('The address is taken. (addresses.list: 409 CONFLICT, request id r-1)')
    expect(error.serverMessage).to.equal('The address is taken.')
    expect(error.stack).to.include('request id r-1')
  })

  it('report a refused connection, with its cause', async () => {
    const server = await openFaultServer(() => {})
    await server[Symbol.asyncDispose]()
    const error = await rejectionOf(new Mayfly({ apiKey, baseUrl: server.url, maxRetries: 0 }).addresses.list())
    expect(error).to.be.instanceOf(NetworkError)
    expect(error.message).to.equal(`addresses.list got no answer from ${server.url}: the connection was refused. Is the server running?`)
    expect(error.cause).to.be.instanceOf(Error)
  })

  it('report a timeout, with the server', async () => {
    const silent = await errorOf(() => {}, (sdk) => sdk.addresses.create({}, { timeoutMs: 50 }))
    expect(silent.error).to.be.instanceOf(TimeoutError)
    expect(silent.error.message).to.match(/^addresses\.create got no answer from http:\/\/127\.0\.0\.1:\d+ within 50 ms$/)
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

  it('never show the API key that a server repeats, in any escaping and position', async () => {
    const escaped = Array.from(apiKey, (character) => `\\u00${character.charCodeAt(0).toString(16)}`).join('')
    const upper = escaped.replace(/[a-f]\b/g, (digit) => digit.toUpperCase())
    const percent = escaped.replaceAll('\\u00', '%')
    const body = (key: string) => `{"error":"No key ${key}.","code":"${key}","details":[{"path":"${key}","message":"${key}","more":"${key}"},"${key}"]}`
    const headers = { 'x-request-id': apiKey, 'x-more': percent, location: `/login?key=${percent}`, 'set-cookie': `key=${apiKey}` }
    const errors: ApiError[] = []
    for (const key of [apiKey, escaped, upper, apiKey.slice(0, 9) + escaped.slice(54)]) {
      const { error } = await errorOf(fixed(400, 'application/json', body(key), headers))
      expect(error).to.include({ serverMessage: 'No key [API key].', code: '[API key]', requestId: '[API key]' })
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

  function expectNoKey(shown: unknown, key = apiKey) {
    // both double each backslash
    const text = inspect(shown, { depth: 20, showHidden: true, getters: true }) + JSON.stringify(shown)
    expect(text.replaceAll('\\\\', '\\')).not.to.include(key)
  }
})
