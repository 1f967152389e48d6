import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { expect } from 'chai'
import { openTestApp, shareTestApp } from '../support/app.ts'
import type { TestApp, TestOptions } from '../support/app.ts'
import { openWaits } from '../support/open-waits.ts'

describe('HTTP connections', () => {
  let app: TestApp
  let clients: Client[]

  beforeEach(() => { clients = [] })
  afterEach(async () => {
    for (const { socket } of clients) socket.destroy()
    await app[Symbol.asyncDispose]()
    while (app.app.metrics.openRequests.size > 0) await new Promise(setImmediate)
  })
  const newAccount = shareTestApp()
  /** Opens a server with other limits than the shared one. */
  const open = async (httpLimits: TestOptions['httpLimits']) => { app = await openTestApp({ httpLimits }) }

  interface Client {
    socket: Socket
    text(): string
    closed: Promise<void>
    /** Resolves when the received text matches. */
    until(wanted: RegExp): Promise<void>
  }

  async function client(first = ''): Promise<Client> {
    const socket = connect({ port: app.app.http.port, host: '127.0.0.1' }).setEncoding('latin1')
    let text = ''
    let wake = () => {}
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
    socket.on('error', () => {}).on('data', (piece: string) => {
      text += piece
      wake()
    })
    const opened: Client = {
      socket, closed,
      text: () => text,
      async until(wanted) {
        while (!wanted.test(text)) await new Promise<void>((resolve) => { wake = resolve })
      },
    }
    clients.push(opened)
    await once(socket, 'connect')
    socket.write(first)
    return opened
  }
  const call = (path: string, key = app.key) => `GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n\r\n`
  const post = (key: string, length: number) => `POST /api/v1/addresses HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`

  describe('limits', () => {
    it('closes the oldest silent connection when a new one exceeds the limit', async () => {
      await open({ maxConnections: 10 })
      const silent = []
      for (let i = 0; i < 10; i++) silent.push(await client())
      const late = await client(call('/healthz'))
      await late.until(/^HTTP\/1.1 200/)
      await silent[0]!.closed
      expect(silent.slice(1).every(({ socket }) => !socket.closed)).to.equal(true)
    })

    it('closes the connection with the longest idle time, used before or not, and no connection that waits for a response', async () => {
      await open({ maxConnections: 3 })
      const waiting = await client(call('/api/v1/emails/wait?timeout=50'))
      await openWaits(app, 1)
      const used = await client()
      const silent = await client()
      used.socket.write(call('/healthz'))
      await used.until(/^HTTP\/1.1 200/)
      const late = await client(call('/healthz'))
      await silent.closed
      await late.until(/^HTTP\/1.1 200/)
      const later = await client(call('/healthz'))
      await used.closed
      await later.until(/^HTTP\/1.1 200/)
      expect(waiting.socket.closed).to.equal(false)
      expect(await openWaits(app)).to.equal(1)
    })

    it('refuses a connection beyond the limit while all others wait for responses', async () => {
      await open({ maxConnections: 2 })
      const waiting = [await client(call('/api/v1/emails/wait?timeout=50')), await client(call('/api/v1/emails/wait?timeout=50'))]
      await openWaits(app, 2)
      await (await client(call('/healthz'))).closed
      waiting[0]!.socket.destroy()
      await openWaits(app, 1)
      const late = await client(call('/healthz'))
      await late.until(/^HTTP\/1.1 200/)
    })
  })

  describe('behind a trusted proxy', () => {
    const openBehind = async () => {
      app = await openTestApp({ httpLimits: { maxConnections: 16, maxInProgress: 12 }, env: { MAYFLY_TRUSTED_PROXIES: '127.0.0.1' } })
    }
    const wait = (client: string, key = app.key) =>
      call('/api/v1/emails/wait?timeout=50', key).replace('Host: a', `Host: a\r\nX-Forwarded-For: ${client}`)

    async function holdAll(requests: string[]): Promise<Client[]> {
      const held: Client[] = []
      for (const [index, request] of requests.entries()) {
        held.push(await client(request))
        while (await openWaits(app) < Math.min(index + 2, 12)) await new Promise(setImmediate)
      }
      return held
    }

    for (const [holder, requests] of [
      ['one account, from several clients', (key: string) => Array.from({ length: 20 }, (_, i) => wait(`198.51.${i}.9`, key))],
      ['one client, with several accounts', (_key: string, keys: string[]) => keys.map((key) => wait('198.51.100.9', key))],
    ] as const) {
      it(`closes the oldest waits of ${holder}, and none of others, so that all others are answered`, async () => {
        await openBehind()
        const [quiet, key] = [await client(wait('203.0.113.7')), await app.newKey()]
        await openWaits(app, 1)
        const keys = await Promise.all(Array.from({ length: 20 }, () => app.newKey()))
        const held = await holdAll(requests(key, keys))
        await Promise.all(held.slice(0, 9).map(({ closed }) => closed))
        for (let i = 0; i < 10; i++) await (await client(call('/healthz'))).until(/^HTTP\/1.1 200/)
        expect([quiet, ...held.slice(10)].some(({ socket }) => socket.closed)).to.equal(false)
        const { address } = await app.newAddress()
        await app.send({ to: address, subject: 'awaited' })
        await quiet.until(/"awaited"/)
      })
    }
  })

  describe('pipelining', () => {
    const answers = (one: Client) => one.text().split('HTTP/1.1 200').length - 1

    it('handles the requests of a connection one after the other', async () => {
      app = await newAccount()
      const pipelining = await client(call('/api/v1/emails/wait?timeout=50').repeat(6) + call('/healthz'))
      await openWaits(app, 1)
      expect(app.app.metrics.openRequests.size).to.equal(1)
      const { address } = await app.newAddress()
      await app.send({ to: address, subject: 'awaited' })
      await pipelining.until(/"awaited"/)
      await openWaits(app, 1)
      pipelining.socket.destroy()
      await openWaits(app, 0)
      expect(app.app.metrics.openRequests.size).to.equal(0)
    })

    it('answers any number of requests, and reads them no faster than it answers', async () => {
      app = await newAccount()
      const requests = 5_000
      const pipelining = await client(call('/healthz').repeat(requests))
      while (answers(pipelining) < requests && !pipelining.socket.closed) {
        await Promise.race([once(pipelining.socket, 'data').catch(() => {}), pipelining.closed])
      }
      expect(answers(pipelining)).to.equal(requests)
      expect(pipelining.socket.closed).to.equal(false)
    })

    it('stops reading from a connection while many of its requests wait', async () => {
      await open({}) // the server does not notice that such a connection is closed until its wait ends
      const pipelining = await client(call('/api/v1/emails/wait?timeout=50'))
      await openWaits(app, 1)
      const chunk = Buffer.from(call('/healthz').repeat(1_000))
      let written = 0
      while (pipelining.socket.write(chunk)) written += chunk.length
      for (let i = 0; i < 100; i++) {
        await new Promise(setImmediate)
        if (pipelining.socket.writableLength === 0 && written < 100_000_000) pipelining.socket.write(chunk)
      }
      expect(pipelining.socket.closed).to.equal(false)
      expect(pipelining.socket.writableLength).to.be.greaterThan(0)
    })
  })

  describe('time-outs', () => {
    it('keeps a connection that waits for its response for longer than `stallTimeoutMs`', async () => {
      await open({ stallTimeoutMs: 100 })
      const one = await client(call('/api/v1/emails/wait?timeout=1'))
      await one.until(/^HTTP\/1.1 204/)
    })

    it('closes a connection that stalls after two waits were pipelined on it', async () => {
      await open({ stallTimeoutMs: 100, idleTimeoutMs: 100 })
      const pipelining = await client(call('/api/v1/emails/wait?timeout=1').repeat(2))
      await pipelining.until(/204[^]*204/)
      await pipelining.closed
    })

    it('frees the pipelined requests of a caller that disconnects, also the queued ones', async () => {
      app = await newAccount()
      const pipelining = await client(call('/api/v1/events').repeat(4))
      await openWaits(app, 1)
      pipelining.socket.destroy()
      await openWaits(app, 0)
      expect(app.app.metrics.openRequests.size).to.equal(0)
    })

    it('closes a connection whose request header is not complete in time', async () => {
      await open({ headersTimeoutMs: 200, requestTimeoutMs: 200, timeoutCheckMs: 50 })
      const slow = await client('GET /healthz HTTP/1.1\r\nX-')
      await slow.closed
      expect(slow.text()).to.match(/^HTTP\/1.1 408/)
    })

    it('keeps an idle connection for 75 seconds, longer than clients do', async () => {
      app = await newAccount()
      const one = await client(call('/healthz'))
      await one.until(/Keep-Alive: timeout=75/)
    })
  })

  describe('unread bodies', () => {
    const newLinger = shareTestApp({ httpLimits: { maxLingerMs: 100 } })
    for (const [status, request] of [
      [401, () => post('svc_live_wrong', 500_000)],
      [404, () => post(app.key, 500_000).replace('addresses', 'nothing')],
      [413, () => post(app.key, 50_000_000) + ' '.repeat(1_100_000)],
      [404, () => `DELETE /api/v1/addresses/019c0000-0000-7000-8000-000000000000 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${app.key}\r\n` +
        'Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n'],
    ] as const) {
      it(`are not awaited before a ${status}, which closes the connection`, async () => {
        app = await newLinger()
        const slow = await client(request())
        await slow.closed
        expect(slow.text()).to.match(new RegExp(`^HTTP/1.1 ${status} [^]*\r\nConnection: close\r\n[^]*\r\n\r\n\\{"error":.*\\}$`))
      })
    }

    it('are read for a short time after the answer, so that a caller that is still sending gets it', async () => {
      app = await newAccount()
      const text = ' '.repeat(64 * 1024)
      const sending = await client(post('svc_live_wrong', text.length * 10))
      for (let i = 0; i < 10; i++) {
        sending.socket.write(text)
        await new Promise(setImmediate)
      }
      await sending.closed
      expect(sending.text()).to.match(/^HTTP\/1.1 401 [^]*\}$/)
    })

    it('are read up to a limit of bytes', async () => {
      await open({ maxLingerMs: 300, maxLingerBytes: 1024 })
      const sending = await client(post('svc_live_wrong', 1_000_000_000))
      const piece = Buffer.alloc(1024 * 1024)
      while (!sending.socket.closed) {
        if (!sending.socket.write(piece)) await Promise.race([once(sending.socket, 'drain').catch(() => {}), sending.closed])
      }
      // at most the capacity of the socket buffers of both sides
      expect(sending.socket.bytesWritten - sending.socket.writableLength).to.be.below(100 * 1024 * 1024)
    })

    it('do not close the connection when the request has no body, or its body arrived together with the header', async () => {
      app = await newAccount()
      for (const request of [post('svc_live_wrong', 2) + '{}', call('/api/v1/addresses', 'svc_live_wrong')]) {
        const one = await client(request)
        await one.until(/\}$/)
        expect(one.text()).to.match(/^HTTP\/1.1 401[^]*Connection: keep-alive/)
      }
    })
  })
})
