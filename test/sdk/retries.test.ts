import { expect } from 'chai'
import { InvalidRequestError, Mayfly, NetworkError, RateLimitError, ServerError, TimeoutError } from '@mayfly-mail/sdk'
import type { RequestEvent, RequestOptions, ResponseEvent, RetryEvent } from '@mayfly-mail/sdk'
import { openFakeClock } from './fake-clock.ts'
import type { FakeClock } from './fake-clock.ts'

const created = { data: { id: 'a', address: 'a@mail.localhost' } }
const listed = { data: { addresses: [], total: 0, limit: 20, offset: 0, hasMore: false } }

type Answer = Response | Error | 'silence'
const failure = (status: number, headers: Record<string, string> = {}) => () =>
  Response.json({ error: `It is ${status}.`, code: 'INTERNAL_ERROR' }, { status, headers: { 'x-request-id': 'r', ...headers } })
const lost = () => new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } })
const silence = () => 'silence' as const
const success = () => Response.json(created)

describe('SDK: retries of a call', () => {
  let clock: FakeClock
  let requests: { request: Request, at: number }[]

  beforeEach(() => {
    clock = openFakeClock(() => 1) // the maximum pauses
    requests = []
  })
  afterEach(() => clock[Symbol.dispose]())

  /** A client of a server with these answers, in their order, followed by a success. */
  const client = (answers: (() => Answer)[], options: object = {}) => new Mayfly({
    apiKey: 'svc_test_key', ...options,
    async fetch(request) {
      requests.push({ request, at: clock.now })
      const answer = answers.shift()?.() ?? Response.json(request.method === 'GET' ? listed : created)
      if (answer instanceof Error) throw answer
      return answer === 'silence' ? new Promise(() => {}) : answer
    },
  })
  const list = (answers: (() => Answer)[], options?: RequestOptions) => clock.settle(client(answers).addresses.list({}, options), 60_000)
  const errorOf = (promise: Promise<unknown>) => promise.then(() => undefined, (error: unknown) => error as Error)
  const times = () => requests.map(({ at }) => at)

  const passing: [string, () => Answer][] = [
    ['408', failure(408)], ['429', failure(429)], ['500', failure(500)], ['502', failure(502)], ['503', failure(503)], ['504', failure(504)],
    ['a lost connection', lost],
  ]
  for (const [name, answer] of passing) {
    it(`is tried again after ${name}, twice, with growing pauses`, async () => {
      expect(await list([answer, answer])).to.include({ total: 0 })
      expect(times()).to.deep.equal([0, 500, 1_500])
      expect(await errorOf(list([answer, answer, answer]))).to.be.instanceOf(Error)
      expect(requests).to.have.length(6)
    })
  }

  for (const status of [400, 401, 403, 404, 405, 409, 413, 415, 501, 505, 507]) {
    it(`is not tried again after ${status}`, async () => {
      expect(await errorOf(list([failure(status)]))).to.include({ status })
      expect(requests).to.have.length(1)
    })
  }

  it('pauses for 8 seconds at most, of which half is random', async () => {
    const answers = Array.from({ length: 7 }, () => failure(503))
    await list(answers, { maxRetries: 7, timeoutMs: 60_000 })
    expect(times()).to.deep.equal([0, 500, 1_500, 3_500, 7_500, 15_500, 23_500, 31_500])
    clock[Symbol.dispose]()
    clock = openFakeClock(() => 0)
    requests = []
    await list([failure(503), failure(503)])
    expect(times()).to.deep.equal([0, 250, 750])
  })

  it('pauses for the duration of Retry-After', async () => {
    await list([failure(429, { 'retry-after': '7' }), failure(503, { 'retry-after': '0.75' })])
    expect(times()).to.deep.equal([0, 7_000, 7_750])
  })

  it('pauses for half a second at least, also after a Retry-After of 0', async () => {
    const past = { 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1', date: 'Sat, 14 Mar 2026 09:00:00 GMT' }
    const answers = [failure(503, { 'retry-after': '0' }), failure(429, { 'retry-after': '0.001' }), failure(429, past)]
    await list(answers, { maxRetries: 3 })
    expect(times()).to.deep.equal([0, 500, 1_000, 1_500])
  })

  it('pauses until the next window of the rate limit, on the clock of the server', async () => {
    const headers = { 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1773478812', date: 'Sat, 14 Mar 2026 09:00:00 GMT' }
    await list([failure(429, headers)])
    expect(times()).to.deep.equal([0, 12_000])
  })

  it('ends at once when the pause would exceed its timeout', async () => {
    const error = await errorOf(list([failure(429, { 'retry-after': '31' })])) as RateLimitError
    expect(error).to.be.instanceOf(RateLimitError).and.include({ retryAfterMs: 31_000 })
    expect(clock.now).to.equal(0)
  })

  it('makes its last attempt shortly before its timeout', async () => {
    const error = await errorOf(list(Array.from({ length: 9 }, () => lost), { timeoutMs: 1_000, maxRetries: 9 }))
    expect(error).to.be.instanceOf(NetworkError)
    expect(times()).to.deep.equal([0, 500, 750])
  })

  it('ends by its timeout with all attempts, and has the last error as the cause', async () => {
    const error = await errorOf(list([failure(503), silence], { timeoutMs: 2_000 })) as TimeoutError
    expect(error).to.be.instanceOf(TimeoutError)
    expect(error.message).to.equal('addresses.list got no answer from http://localhost:3000 within 2000 ms')
    expect(error.cause).to.be.instanceOf(ServerError)
    expect(clock.now).to.equal(2_000)
  })

  it('ends with its signal while it pauses', async () => {
    const controller = new AbortController()
    const reason = new Error('enough')
    clock.after(100, () => controller.abort(reason))
    expect(await errorOf(list([failure(503)], { signal: controller.signal }))).to.equal(reason)
    expect(clock.now).to.equal(100)
    expect(requests).to.have.length(1)
  })

  it('has the number of retries of its options', async () => {
    await errorOf(list([lost], { maxRetries: 0 }))
    expect(requests).to.have.length(1)
    await errorOf(clock.settle(client([lost], { maxRetries: 0 }).addresses.list(), 60_000))
    expect(requests).to.have.length(2)
  })

  it('has one Idempotency-Key for all its attempts, and a new one for each call', async () => {
    const sdk = client([lost, failure(500), success, lost, lost])
    await clock.settle(sdk.addresses.create({ alias: 'a' }), 60_000)
    await clock.settle(sdk.emails.update('a', { isRead: true }), 60_000)
    await clock.settle(sdk.addresses.delete('a', { idempotencyKey: 'my-own' }), 60_000)
    await clock.settle(sdk.addresses.list(), 60_000)
    const keys = requests.map(({ request }) => request.headers.get('idempotency-key'))
    expect(keys[0]).to.match(/^[\d-]{7,43}$/)
    expect(keys).to.deep.equal([keys[0], keys[0], keys[0], keys[3], keys[3], keys[3], 'my-own', null])
    expect(keys[3]).to.not.equal(keys[0])
    expect(await requests[2]!.request.json()).to.deep.equal({ alias: 'a' })
  })

  it('uses an Idempotency-Key from its headers, in any case, and never sends two API keys', async () => {
    const headers = { 'Idempotency-Key': 'my-own', Authorization: 'Bearer another' }
    await clock.settle(client([lost]).addresses.create({}, { headers }), 60_000)
    const sent = requests.map(({ request }) => [request.headers.get('idempotency-key'), request.headers.get('authorization')])
    expect(sent).to.deep.equal([['my-own', 'Bearer svc_test_key'], ['my-own', 'Bearer svc_test_key']])
  })

  it('is not retried when the request cannot be made', async () => {
    const circle: { alias?: never } = {}
    circle.alias = circle as never
    const sdk = client([])
    for (const make of [() => sdk.addresses.create(circle), () => sdk.addresses.create({}, { idempotencyKey: 'a\nb' })]) {
      expect((await errorOf(clock.settle(make(), 1)))!.message).to.match(/^The request cannot be made: /)
    }
    expect(requests).to.deep.equal([])
  })

  it('calls the hooks, without the API key', async () => {
    const seen: [string, RequestEvent | ResponseEvent | RetryEvent][] = []
    const sdk = client([failure(503)], {
      hooks: {
        onRequest: (event: RequestEvent) => seen.push(['request', event]),
        onResponse: (event: ResponseEvent) => seen.push(['response', event]),
        onRetry: ({ error, ...event }: RetryEvent) => seen.push([error.message, { ...event, error: undefined as never }]),
      },
    })
    const own: ResponseEvent[] = []
    await clock.settle(sdk.addresses.create({}, { onResponse: (event) => own.push(event), headers: { 'x-mayfly-fault': 'delay=1' } }), 60_000)
    const about = { operation: 'addresses.create', method: 'POST', url: 'http://localhost:3000/api/v1/addresses' }
    expect(seen).to.deep.equal([
      ['request', { ...about, attempt: 1 }],
      ['response', { ...about, attempt: 1, status: 503, durationMs: 0, requestId: 'r' }],
      ['It is 503.', { ...about, attempt: 1, delayMs: 500, error: undefined }],
      ['request', { ...about, attempt: 2 }],
      ['response', { ...about, attempt: 2, status: 200, durationMs: 0, requestId: undefined }],
    ])
    expect(own.map(({ status }) => status)).to.deep.equal([503, 200])
    expect(requests[0]!.request.headers.get('x-mayfly-fault')).to.equal('delay=1')
    expect(JSON.stringify(seen)).to.not.include('svc_test_key')
  })

  it('rejects with the error of a hook', async () => {
    const error = new InvalidRequestError('mine', { status: 0, headers: new Headers() })
    const sdk = client([], { hooks: { onRequest() { throw error } } })
    expect(await errorOf(clock.settle(sdk.addresses.list(), 1))).to.equal(error)
  })
})
