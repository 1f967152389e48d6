import { expect } from 'chai'
import { Mayfly, MayflyError, NetworkError, ServerError, TimeoutError } from '@mayfly-mail/sdk'
import type { MayflyOptions } from '@mayfly-mail/sdk'
import { rejectionOf } from './rejection.ts'

const apiKey = 'svc_test_key'
const limits = (remaining: number) =>
  ({ 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': String(remaining), 'x-ratelimit-reset': '1773478860', 'x-request-id': 'r-1' })

const client = (fetch: MayflyOptions['fetch']) => new Mayfly({ apiKey, fetch, maxRetries: 0 })
const settled = () => new Promise((resolve) => setTimeout(resolve))

describe('SDK: the result of a call', () => {
  it('gives the response and the rate limit by withResponse()', async () => {
    const sdk = client(async () => Response.json({ data: { id: 'a' } }, { status: 201, headers: limits(99) }))
    const { data, response, rateLimit } = await sdk.addresses.create().withResponse()
    expect(data.id).to.equal('a')
    expect(response).to.include({ status: 201, requestId: 'r-1' })
    expect(response.headers.get('x-ratelimit-limit')).to.equal('100')
    expect(rateLimit).to.deep.equal({ limit: 100, remaining: 99, resetAt: new Date('2026-03-14T09:01:00.000Z') })
  })

  it('takes one request, whether the call or withResponse() is awaited', async () => {
    let requests = 0
    const sdk = client(async () => Response.json({ data: { id: String(++requests) } }))
    const call = sdk.addresses.get('a')
    expect([(await call).id, (await call.withResponse()).data.id, (await call).id]).to.deep.equal(['1', '1', '1'])
  })

  it('has one unhandled rejection at most: catching either promise handles the error', async () => {
    const unhandled: unknown[] = []
    const note = (reason: unknown) => unhandled.push(reason)
    const others = process.listeners('unhandledRejection')
    process.removeAllListeners('unhandledRejection').on('unhandledRejection', note)
    try {
      const sdk = client(async () => Response.json({}, { status: 500 }))
      expect(await rejectionOf(sdk.addresses.get('a'))).to.be.instanceOf(ServerError)
      expect(await rejectionOf(sdk.addresses.get('a').withResponse())).to.be.instanceOf(ServerError)
      expect(await rejectionOf(sdk.addresses.list())).to.be.instanceOf(ServerError)
      await settled()
      expect(unhandled).to.deep.equal([])
      void sdk.addresses.get('a')
      await settled()
      expect(unhandled, 'the rejection that is not caught').to.have.length(1)
      void sdk.addresses.get('a').withResponse()
      await settled()
      expect(unhandled, 'nor this one').to.have.length(2)
    } finally {
      process.removeListener('unhandledRejection', note)
      for (const other of others) process.on('unhandledRejection', other)
    }
  })

  it('reports the rate limit after success and failure', async () => {
    let remaining = 100
    const sdk = client(async () => Response.json({ data: {} }, { status: remaining % 2 ? 404 : 200, headers: limits(--remaining) }))
    expect(sdk.rateLimit).to.equal(undefined)
    await sdk.addresses.get('a')
    expect(sdk.rateLimit).to.include({ limit: 100, remaining: 99 })
    await rejectionOf(sdk.addresses.get('a'))
    expect(sdk.rateLimit).to.include({ remaining: 98 })
  })

  it('keeps the last rate limit after an answer without its headers', async () => {
    const headers = [limits(7), {}]
    const sdk = client(async () => Response.json({ data: {} }, { headers: headers.shift()! }))
    await sdk.addresses.get('a')
    expect((await sdk.addresses.get('a').withResponse()).rateLimit).to.include({ remaining: 7 })
  })
})

describe('SDK: an answer after the end of its call', () => {
  it('calls no hook, is not read, and its connection is closed', async () => {
    const answer = Promise.withResolvers<Response>()
    const cancelled = Promise.withResolvers<void>()
    const told: unknown[] = []
    const sdk = new Mayfly({ apiKey, fetch: () => answer.promise, maxRetries: 0, hooks: { onResponse: (event) => void told.push(event) } })
    expect(await rejectionOf(sdk.addresses.get('a', { timeoutMs: 5 }))).to.be.instanceOf(TimeoutError)
    answer.resolve(new Response(new ReadableStream({ cancel: () => cancelled.resolve() }), { headers: limits(7) }))
    await cancelled.promise
    expect([told, sdk.rateLimit]).to.deep.equal([[], undefined])
  })

  it('is closed when a hook throws', async () => {
    const cancelled = Promise.withResolvers<void>()
    const body = new ReadableStream({ cancel: () => cancelled.resolve() })
    const thrown = new Error('a hook')
    const sdk = new Mayfly({ apiKey, fetch: async () => new Response(body), hooks: { onResponse: () => { throw thrown } } })
    expect(await rejectionOf(sdk.addresses.get('a'))).to.equal(thrown)
    await cancelled.promise
  })
})

describe('SDK: a redirect', () => {
  it('is not followed: no other server gets the key, and no POST becomes a GET', async () => {
    const urls: string[] = []
    const sdk = client(async ({ url, redirect }) => {
      urls.push(`${redirect} ${url}`)
      return new Response(null, { status: 302, headers: { location: 'https://elsewhere.example/login' } })
    })
    const error = await rejectionOf(sdk.addresses.create())
    expect(error).to.be.instanceOf(MayflyError)
    expect(error.message).to.equal('http://localhost:3000 answered 302 with no content type, which is not Mayfly\'s. Check baseUrl. (addresses.create: 302)')
    expect(urls).to.deep.equal(['manual http://localhost:3000/api/v1/addresses'])
  })
})

describe('SDK: environment variables', () => {
  const { MAYFLY_API_KEY: key, MAYFLY_BASE_URL: url } = process.env
  const set = (name: string, value: string | undefined) => value === undefined ? delete process.env[name] : process.env[name] = value
  afterEach(() => {
    set('MAYFLY_API_KEY', key)
    set('MAYFLY_BASE_URL', url)
  })

  it('set the key and the server that the options leave out', async () => {
    const requests: Request[] = []
    const fetch = async (request: Request) => {
      requests.push(request)
      return Response.json({ data: [] })
    }
    set('MAYFLY_API_KEY', ' svc_test_env\n')
    set('MAYFLY_BASE_URL', 'https://mail.example.com/')
    await new Mayfly({ fetch }).domains.list()
    await new Mayfly({ fetch, apiKey, baseUrl: 'http://other.example' }).domains.list()
    set('MAYFLY_BASE_URL', '')
    await new Mayfly({ fetch }).domains.list()
    expect(requests.map((request) => [request.url, request.headers.get('authorization')])).to.deep.equal([
      ['https://mail.example.com/api/v1/domains', 'Bearer svc_test_env'],
      ['http://other.example/api/v1/domains', `Bearer ${apiKey}`],
      ['http://localhost:3000/api/v1/domains', 'Bearer svc_test_env'],
    ])
  })

  it('leave the key out, which is an error without an apiKey', () => {
    set('MAYFLY_API_KEY', undefined)
    expect(() => new Mayfly()).to.throw(MayflyError, 'new Mayfly() needs an apiKey, or the variable MAYFLY_API_KEY')
  })
})

describe('SDK: files as streams', () => {
  const file = (pieces: (string | Error)[], type = 'message/rfc822') => client(async ({ signal }) => new Response(new ReadableStream({
    async pull(controller) {
      const piece = pieces.shift()
      if (piece === undefined) await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      else if (piece instanceof Error) controller.error(piece)
      else if (piece === '') controller.close()
      else controller.enqueue(new TextEncoder().encode(piece))
    },
  }), { headers: { 'content-type': type } }))

  it('are streams of bytes', async () => {
    const source = await file(['Subject: ', 'Hello\r\n', '']).emails.raw('a', { as: 'stream' })
    expect(await new Response(source).text()).to.equal('Subject: Hello\r\n')
    const attachment = await file(['{"a":', '1}', ''], 'application/json').emails.attachment('a', 'b', { as: 'stream' })
    expect(await new Response(attachment).text()).to.equal('{"a":1}')
  })

  it('end in an error of the package when the connection breaks', async () => {
    const source = await file(['Subject: ', new TypeError('terminated')]).emails.raw('a', { as: 'stream' })
    expect(await rejectionOf(new Response(source).text())).to.be.instanceOf(NetworkError)
  })

  it('end with the signal', async () => {
    const controller = new AbortController()
    const reason = new Error('enough')
    const source = await file(['Subject: ']).emails.raw('a', { as: 'stream', signal: controller.signal })
    const reader = source.getReader()
    expect((await reader.read()).done).to.equal(false)
    const next = rejectionOf(reader.read())
    controller.abort(reason)
    expect(await next).to.equal(reason)
  })

  it('can be cancelled', async () => {
    let isCancelled = false
    const sdk = client(async () => new Response(new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(10)),
      cancel: () => { isCancelled = true },
    }), { headers: { 'content-type': 'message/rfc822' } }))
    await (await sdk.emails.raw('a', { as: 'stream' })).cancel()
    expect(isCancelled).to.equal(true)
  })
})
