import { expect } from 'chai'
import { getEventListeners } from 'node:events'
import { AuthenticationError, InvalidRequestError, Mayfly, MayflyError, ServerError } from '@mayfly-mail/sdk'
import type { MayflyEvent } from '@mayfly-mail/sdk'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { streamParser } from '../../sdk/events/parse-stream.ts'
import { openTestApp } from '../support/app.ts'
import { openWaits } from '../support/open-waits.ts'
import { createAccount, createApiKey, revokeApiKey } from '../support/store/accounts.ts'
import { openFakeClock } from './fake-clock.ts'
import { json, openFaultServer } from './fault-server.ts'
import { rejectionOf } from './rejection.ts'

const apiKey = 'svc_test_key'
const block = (id: number) => {
  const event = {
    id: `event-${id}`, type: 'address.created', event: 'address.created', createdAt: '2026-03-14T09:00:00.000Z', timestamp: 1773478800000,
    data: { addressId: String(id), address: 'a@mail.localhost', expiresAt: '2026-03-14T10:00:00.000Z' },
  }
  return `id: ${id}\nevent: address.created\ndata: ${JSON.stringify(event)}\n\n`
}

/** The next events of a subscription. */
async function take(events: AsyncIterable<MayflyEvent>, count: number): Promise<MayflyEvent[]> {
  const taken: MayflyEvent[] = []
  for await (const event of events) {
    taken.push(event)
    if (taken.length === count) break
  }
  return taken
}

describe('SDK: events.subscribe', () => {
  it('returns the events of the server, typed and with Dates', async () => {
    await using app = await openTestApp()
    const sdk = new Mayfly({ apiKey: app.key, baseUrl: app.url })
    const taking = take(sdk.events.subscribe(), 3)
    await openWaits(app, 1)
    const { id, address } = await sdk.addresses.create()
    await app.send({ to: address, subject: 'Hello', text: 'Hello' })
    const { id: emailId } = await sdk.emails.waitFor({ addressId: id })
    await sdk.emails.delete(emailId)
    const [created, received, deleted] = await taking
    expect(created).to.include({ type: 'address.created', event: 'address.created' })
    if (created!.type === 'address.created') expect(created!.data.expiresAt).to.be.instanceOf(Date)
    if (received!.type === 'email.received') expect(received!.data).to.include({ emailId, addressId: id, subject: 'Hello' })
    expect(deleted).to.deep.include({ type: 'email.deleted', data: { emailId, addressId: id } })
    await openWaits(app, 0)
    const after = await take(sdk.events.subscribe({ lastEventId: created!.lastEventId }), 2)
    expect(after).to.deep.equal([received, deleted])
    expect(await take(sdk.events.subscribe({ lastEventId: '0', events: ['email.deleted'] }), 1)).to.deep.equal([deleted])
  })

  it('loses and repeats no event when connections are lost at any point', async () => {
    const heads: (string | undefined)[] = []
    // the first is cut off before an event, others within one
    const parts = [': connected\nretry: 1\nid: 0\n\n', block(1), block(2) + block(3).slice(0, 60), block(3) + block(4), `${block(5)}: x\n`, block(6)]
    await using server = await openFaultServer((request, response) => {
      heads.push(request.headers['last-event-id'] as string | undefined)
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(`: connected\nretry: 1\n\n${parts.shift()}`, () => heads.length % 2 ? response.end() : setImmediate(() => request.socket.destroy()))
    })
    const events = await take(new Mayfly({ apiKey, baseUrl: server.url }).events.subscribe(), 6)
    expect(events.map(({ lastEventId }) => lastEventId)).to.deep.equal(['1', '2', '3', '4', '5', '6'])
    expect(heads).to.deep.equal([undefined, '0', '1', '2', '4', '5'])
  })

  it('retries after transient errors, after the pause of Retry-After', async () => {
    const answers: ((request: IncomingMessage, response: ServerResponse) => void)[] = [
      json(429, { error: 'Too many.', code: 'RATE_LIMITED' }, { 'retry-after': '0.05' }),
      json(503, {}, { 'retry-after': '0.05' }),
      (_request, response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(block(1)),
    ]
    await using server = await openFaultServer((request, response) => answers.shift()!(request, response))
    expect(await take(new Mayfly({ apiKey, baseUrl: server.url }).events.subscribe(), 1)).to.have.length(1)
  })

  it('pauses for half a second at least before it reconnects, also with a retry of 0 in the stream', async () => {
    using clock = openFakeClock()
    let requests = 0
    const fetch = async () => {
      requests++
      return new Response('retry: 0\n\n', { headers: { 'content-type': 'text/event-stream' } })
    }
    const controller = new AbortController()
    clock.after(10_000, () => controller.abort())
    await clock.settle(take(new Mayfly({ apiKey, fetch }).events.subscribe({ signal: controller.signal }), 1), 10_000)
    expect(requests).to.be.within(2, 20)
  })

  it('ends with an endless event or line, in chunks of any size', async () => {
    for (const [start, piece] of [['data: ', 'x'], ['', 'data: x\n'], ['id: ', 'x'], ['', 'x']]) {
      let pieces = 0
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(new TextEncoder().encode(start)),
        pull: (controller) => controller.enqueue(new TextEncoder().encode(++pieces % 100 === 0 ? piece!.repeat(1_000) : piece)),
      })
      const fetch = async () => new Response(body, { headers: { 'content-type': 'text/event-stream' } })
      const error = await rejectionOf(take(new Mayfly({ apiKey, fetch }).events.subscribe(), 1))
      expect(error).to.be.instanceOf(MayflyError)
      expect(error.message).to.equal("The stream has an event of more than 262144 characters, so it is not Mayfly's")
    }
  })

  const endings: [string, number, string, new (...args: never[]) => Error][] = [
    ['a revoked key', 401, 'INVALID_API_KEY', AuthenticationError],
    ['a wrong id', 400, 'INVALID_REQUEST', InvalidRequestError],
    ['a server without it', 501, 'NOT_IMPLEMENTED', ServerError],
  ]
  for (const [name, status, code, kind] of endings) {
    it(`ends with ${name}`, async () => {
      await using server = await openFaultServer(json(status, { error: 'No.', code }))
      const { events } = new Mayfly({ apiKey, baseUrl: server.url })
      expect(await rejectionOf(take(events.subscribe({ lastEventId: '1' }), 1))).to.be.instanceOf(kind)
      expect(server.requests).to.have.length(1)
    })
  }

  it('ends with an answer that is not a stream', async () => {
    await using server = await openFaultServer((_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hi</h1>'))
    const error = await rejectionOf(take(new Mayfly({ apiKey, baseUrl: server.url }).events.subscribe(), 1))
    expect(error).to.be.instanceOf(MayflyError)
    expect(error.message).to.include('answered 200 with text/html, which is not Mayfly\'s')
  })

  it('skips unknown events', async () => {
    await using server = await openFaultServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`id: 1\ndata: {"type":"moon.rose","data":{}}\n\n${block(2)}`)
    })
    expect((await take(new Mayfly({ apiKey, baseUrl: server.url }).events.subscribe(), 1))[0]!.lastEventId).to.equal('2')
  })

  it('ends with its signal, at once and without an error, and without an open connection or timer', async () => {
    await using app = await openTestApp()
    const controller = new AbortController()
    const { events } = new Mayfly({ apiKey: app.key, baseUrl: app.url })
    const taking = take(events.subscribe({ signal: controller.signal }), 1)
    await openWaits(app, 1)
    controller.abort()
    expect(await taking).to.deep.equal([])
    await openWaits(app, 0)
    expect(getEventListeners(controller.signal, 'abort')).to.deep.equal([])
    expect(await take(events.subscribe({ signal: AbortSignal.abort() }), 1)).to.deep.equal([])
  })

  it('ends with its signal while it pauses', async () => {
    await using server = await openFaultServer(json(503, {}, { 'retry-after': '60' }))
    const controller = new AbortController()
    const taking = take(new Mayfly({ apiKey, baseUrl: server.url }).events.subscribe({ signal: controller.signal }), 1)
    while (server.requests.length === 0) await new Promise(setImmediate)
    controller.abort()
    expect(await taking).to.deep.equal([])
  })

  it('ends with an error when the key is revoked', async () => {
    await using app = await openTestApp()
    const { id: account } = await createAccount(app, 'revoked-sdk@example.org')
    const { key, id } = await createApiKey(app, account)
    const taking = rejectionOf(take(new Mayfly({ apiKey: key, baseUrl: app.url }).events.subscribe(), 1))
    await openWaits(app, 1)
    await revokeApiKey(app, id)
    await app.advance({ seconds: 3 })
    expect(await taking).to.be.instanceOf(AuthenticationError)
  })
})

describe('SDK: the parser of event streams', () => {
  const text = ': comment\r\nretry: 10\r\nid: 1\r\n\r\nevent: a\rdata: x\rdata:y\r\rid\ndata\n\n:\n\ndata: ü ✓: z\nother: no\nid: a\0b\n\ndata: not ended'
  const blocks = [{ retry: 10, id: '1' }, { event: 'a', data: 'x\ny' }, { id: '', data: '' }, { data: 'ü ✓: z' }]

  it('finds the same blocks in chunks of any size', () => {
    for (let size = 1; size <= text.length; size++) {
      const parse = streamParser()
      const found = Array.from({ length: Math.ceil(text.length / size) }, (_, i) => parse(text.slice(i * size, (i + 1) * size))).flat()
      expect(found, `pieces of ${size}`).to.deep.equal(blocks)
    }
  })
})
