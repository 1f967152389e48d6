import { expect } from 'chai'
import { once } from 'node:events'
import { connect } from 'node:net'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { openWaits } from '../support/open-waits.ts'
import { rawRequest } from '../support/raw-request.ts'

const get = 'GET /api/v1/addresses HTTP/1.1\r\n'
const post = 'POST /api/v1/addresses HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'

describe('Malformed requests', () => {
  let app: TestApp
  before(async () => { app = await openTestApp({ env: { MAYFLY_RATE_LIMIT: '1000' }, httpLimits: { maxLingerMs: 100 } }) })
  after(() => app[Symbol.asyncDispose]())

  /** Sends text, and returns all that the server sends until it closes the connection. */
  async function exchange(text: string, to = app): Promise<string> {
    const socket = connect({ port: to.app.http.port, host: '127.0.0.1' }).setEncoding('utf8')
    let received = ''
    socket.on('data', (piece: string) => { received += piece }).on('error', () => {}).write(text)
    if (!text.includes('\r\n')) socket.end()
    await once(socket, 'close')
    return received
  }

  /** The last answer in a text. */
  function readAnswer(text: string) {
    const [head = '', body = ''] = text.slice(text.lastIndexOf('HTTP/1.1 ')).split('\r\n\r\n')
    const headers = new Map(head.split('\r\n').slice(1).map((line) => [line.split(':')[0]!.toLowerCase(), line.slice(line.indexOf(':') + 2)]))
    return { status: Number(head.split(' ')[1]), headers, body, json: JSON.parse(body) as { error: string, code: string, details?: unknown } }
  }

  for (const [name, request, status, error, code = 'INVALID_REQUEST'] of [
    ['a space in the name of a header', `${get}Host: a\r\nMy Header: x\r\n\r\n`, 400, 'The request is not valid HTTP/1.1: Invalid header token.'],
    ['no HTTP at all', 'hello there\r\n\r\n', 400, 'The request is not valid HTTP/1.1: Invalid method encountered.'],
    ['an unknown method', 'BREW /api/v1/addresses HTTP/1.1\r\nHost: a\r\n\r\n', 400, 'The request is not valid HTTP/1.1: Invalid method encountered.'],
    ['an unknown version', 'GET / HTTP/7.3\r\nHost: a\r\n\r\n', 400, 'The request is not valid HTTP/1.1: Invalid HTTP version.'],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'This server has no HTTP/2 on this port. Use HTTP/1.1.'],
    ['two lengths', `${post}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}`, 400, 'The request is not valid HTTP/1.1: Duplicate Content-Length.'],
    ['a length and chunks', `${post}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 400, "The request is not valid HTTP/1.1: Transfer-Encoding can't be present with Content-Length."],
    ['a chunk without its length', `${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, 400, 'The request is not valid HTTP/1.1: Invalid character in chunk size.'],
    ['headers of 20 kB', `${get}Host: a\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'The path and the headers of the request are larger than 16 KiB.'],
    ['a path of 20 kB', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431, 'The path and the headers of the request are larger than 16 KiB.'],
    ['chunk extensions of 20 kB', `${post}Transfer-Encoding: chunked\r\n\r\n2;${'x'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`, 413, 'The chunk extensions of the body are larger than 16 KiB.', 'PAYLOAD_TOO_LARGE'],
    ['no host', `${get}\r\n`, 400, 'header.Host: is required (RFC 9112, section 3.2).'],
    ['two hosts', `${get}Host: a\r\nHost: b\r\n\r\n`, 400, 'header.Host: is there more than once; leave out all but one.'],
    ['an expectation that no server has', `${get}Host: a\r\nExpect: tea\r\n\r\n`, 417, 'header.Expect: must be 100-continue, or left out.'],
    ...['gzip, chunked', 'x-unknown, chunked', 'identity, Chunked'].map((coding) => [
      `the coding ${coding}`, `${post}Transfer-Encoding: ${coding}\r\n\r\n2\r\n{}\r\n0\r\n\r\n`, 400,
      'header.Transfer-Encoding: must be chunked, in HTTP/1.1, or left out.',
    ] as const),
    ['two codings', `${post}Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 400,
      'header.Transfer-Encoding: must be chunked, in HTTP/1.1, or left out.'],
    ['chunks in HTTP/1.0', `${post.replace('/1.1', '/1.0')}Connection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`, 400,
      'header.Transfer-Encoding: must be chunked, in HTTP/1.1, or left out.'],
    ['a tunnel', 'CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\nmore', 400, 'This server is not a proxy: it has no CONNECT.'],
    ['a part of a header', 'GET /api/v1/addr', 400, 'The request is not valid HTTP/1.1: Invalid EOF state.'],
  ] as const) {
    it(`are answered in JSON with the headers of the rate limit: ${name}`, async () => {
      const answer = readAnswer(await exchange(request))
      expect([answer.status, answer.json.error, answer.json.code]).to.deep.equal([status, error, code])
      expect(answer.headers.get('connection')).to.equal('close')
      expect(answer.headers.get('content-type')).to.equal('application/json; charset=utf-8')
      expect(answer.headers.get('content-length')).to.equal(String(Buffer.byteLength(answer.body)))
      expect(answer.headers.get('x-request-id')).to.match(/^[\da-f-]{36}$/)
      expect(answer.headers.get('x-ratelimit-limit')).to.equal('1000')
      expect(Number(answer.headers.get('x-ratelimit-remaining'))).to.be.within(0, 999)
      expect(answer.headers.get('x-ratelimit-reset')).to.match(/^\d+$/)
    })
  }

  for (const header of ['Authorization', 'Content-Type', 'Idempotency-Key', 'X-Mayfly-Mode']) {
    it(`are those with ${header} twice`, async () => {
      const answer = readAnswer(await exchange(`${get}Host: a\r\n${header}: one\r\n${header.toLowerCase()}: two\r\n\r\n`))
      expect([answer.status, answer.json.error]).to.deep.equal([400, `header.${header}: is there more than once; leave out all but one.`])
    })
  }

  it('are not those with a list in several headers, with an upgrade, or of HTTP/1.0 without a host', async () => {
    for (const request of [
      `${get}Host: a\r\nAccept: text/plain\r\nAccept: */*\r\nX-Forwarded-For: 1.1.1.1\r\nX-Forwarded-For: 2.2.2.2\r\nConnection: close\r\n\r\n`,
      `${get}Host: a\r\nConnection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n`,
      'GET /api/v1/addresses HTTP/1.0\r\n\r\n',
    ]) expect(readAnswer(await exchange(request)).status).to.equal(401)
  })

  it('count for the limit of their address, and get 429 beyond it', async () => {
    await using limited = await openTestApp({ env: { MAYFLY_RATE_LIMIT: '2' } })
    const seen = []
    for (const request of ['hello\r\n\r\n', `${get}\r\n`, 'hello\r\n\r\n']) seen.push(readAnswer(await exchange(request, limited)))
    expect(seen.map(({ status, headers }) => [status, headers.get('x-ratelimit-remaining')])).to.deep.equal([[400, '1'], [400, '0'], [429, '0']])
    expect(seen.at(-1)!.headers.get('retry-after')).to.match(/^\d+$/)
    expect((await rawRequest(limited.url, { path: '/api/v1/addresses' })).status).to.equal(429)
  })

  it('do not count for a trusted proxy, whose client is not known', async () => {
    await using behind = await openTestApp({ env: { MAYFLY_TRUSTED_PROXIES: '127.0.0.1' } })
    const { status, headers, json } = readAnswer(await exchange('hello\r\n\r\n', behind))
    expect([status, json.code, headers.has('x-ratelimit-limit')]).to.deep.equal([400, 'INVALID_REQUEST', false])
  })

  it('get 408 when they do not arrive in time', async () => {
    await using slow = await openTestApp({ httpLimits: { headersTimeoutMs: 50, requestTimeoutMs: 100, timeoutCheckMs: 20 } })
    const socket = connect({ port: slow.app.http.port, host: '127.0.0.1' }).setEncoding('utf8')
    let received = ''
    socket.on('data', (piece: string) => { received += piece }).write(get)
    await once(socket, 'end')
    socket.destroy()
    const { status, json } = readAnswer(received)
    expect([status, json]).to.deep.equal([408, { error: 'The request did not arrive in time.', code: 'INVALID_REQUEST' }])
  })

  it('get 408 when their body stops, long before the time for all of it', async () => {
    await using slow = await openTestApp({ httpLimits: { stallTimeoutMs: 100 } })
    const answer = readAnswer(await exchange(`${post}Authorization: Bearer ${slow.key}\r\nContent-Length: 10\r\n\r\n{`, slow))
    expect([answer.status, answer.json]).to.deep.equal([408, { error: 'The request did not arrive in time.', code: 'INVALID_REQUEST' }])
  })

  it('are answered after the requests before them in the connection', async () => {
    const socket = connect({ port: app.app.http.port, host: '127.0.0.1' }).setEncoding('utf8')
    let received = ''
    socket.on('data', (piece: string) => { received += piece })
      .write(`GET /api/v1/emails/wait?timeout=50 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${app.key}\r\n\r\nhello\r\n\r\n`)
    await openWaits(app, 1)
    const { address } = await app.newAddress()
    await app.send({ to: address, subject: 'awaited' })
    await once(socket, 'end')
    socket.destroy()
    expect(received).to.match(/^HTTP\/1\.1 200 [^]*"awaited"[^]*HTTP\/1\.1 400 Bad Request\r\n[^]*"INVALID_REQUEST"\}$/)
  })
})
