import { expect } from 'chai'
import { InvalidRequestError, Mayfly, NetworkError } from '@mayfly-mail/sdk'
import type { RequestEvent, RequestOptions, ResponseEvent, RetryEvent } from '@mayfly-mail/sdk'
import { openFakeClock } from './fake-clock.ts'
import type { FakeClock } from './fake-clock.ts'

const created = { data: { id: 'a', address: 'a@mail.localhost' } }
const listed = { data: { addresses: [], total: 0, limit: 20, offset: 0, hasMore: false } }

type Answer = Response | Error
const failure = (status: number, headers: Record<string, string> = {}) => () =>
  Response.json({ error: `It is ${status}.`, code: 'INTERNAL_ERROR' }, { status, headers: { 'x-request-id': 'r', ...headers } })
const lost = () => new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } })

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
      return answer
    },
  })
  const list = (answers: (() => Answer)[], options?: RequestOptions) => clock.settle(client(answers).addresses.list({}, options), 60_000)
  const errorOf = (promise: Promise<unknown>) => promise.then(() => undefined, (error: unknown) => error as Error)
  const times = () => requests.map(({ at }) => at)
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

  it('makes its last attempt shortly before its timeout', async () => {
    const error = await errorOf(list(Array.from({ length: 9 }, () => lost), { timeoutMs: 1_000, maxRetries: 9 }))
    expect(error).to.be.instanceOf(NetworkError)
    expect(times()).to.deep.equal([0, 500, 750])
  })

  it('ends with its signal while it pauses', async () => {
    const controller = new AbortController()
    const reason = new Error('enough')
    clock.after(100, () => controller.abort(reason))
    expect(await errorOf(list([failure(503)], { signal: controller.signal }))).to.equal(reason)
    expect(clock.now).to.equal(100)
    expect(requests).to.have.length(1)
  })

  it('is not retried when the request cannot be made', async () => {
    const circle: { alias?: never } = {}
    circle.alias = circle as never
    const sdk = client([])
    expect((await errorOf(clock.settle(sdk.addresses.create(circle), 1)))!.message).to.match(/^addresses\.create: the request cannot be made: /)
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
      ['It is 503. (addresses.create: 503 INTERNAL_ERROR, request id r)', { ...about, attempt: 1, delayMs: 500, error: undefined }],
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
