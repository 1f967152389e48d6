import { expect } from 'chai'
import { openResolver } from '../../server/outbound/dns.ts'
import { sendMail } from '../../server/outbound/send-mail.ts'
import type { SendOptions } from '../../server/outbound/send-mail.ts'
import { openHangingServer, openReceiver } from '../support/receiver.ts'
import { failedAt } from './mails.ts'
import { openScriptedServer } from './scripted-server.ts'
import type { Script } from './scripted-server.ts'
import { endless, nothingOpen, options, outgoing, text, useSendWorld } from './send-world.ts'

describe('Sending a mail by SMTP', () => {
  const { world, direct, sendTo } = useSendWorld()

  describe('to a host that fails', () => {
    const points = ['greeting', 'EHLO', 'MAIL', 'RCPT', 'DATA', 'text', 'dot'] as const

    it('is deferred when it closes the connection', async () => {
      for (const point of points) {
        const { outcome } = await sendTo({ [point]: (socket: { destroy(): void }) => socket.destroy() }, endless)
        expect(outcome, point).to.deep.equal(failedAt(point, 'mx.example.org', 'it broke off the connection'))
      }
    })

    it('is deferred when it stops replying', async () => {
      for (const point of points.filter((point) => point !== 'text')) {
        const { outcome } = await sendTo({ [point]: () => {} }, outgoing(), { greetingMs: 30, idleMs: 30, finalReplyMs: 30 })
        expect(outcome, point).to.deep.equal(failedAt(point, 'mx.example.org', 'it did not answer in time'))
      }
    })

    it('is deferred when it sends no greeting, and the connection is closed', async () => {
      await using server = await openHangingServer()
      const outcome = await sendMail(direct(server.port), outgoing(), { ...options, timeouts: { greetingMs: 30 } })
      expect(outcome).to.deep.equal({ kind: 'deferred', reason: 'The session with mx.example.org failed: it did not answer in time' })
      expect(server.connections).to.equal(1)
      await nothingOpen(server)
    })

    it('is deferred when its replies are malformed', async () => {
      for (const garbage of ['HTTP/1.1 400 Bad Request', '\0\x16\x03', '5', '999999 x', '2', '220-', '{}']) {
        for (const point of points.filter((point) => point !== 'text')) {
          const script = { [point]: (socket: { end(text: string): void }) => socket.end(`${garbage}\r\n`) }
          const { outcome } = await sendTo(script, outgoing(), { greetingMs: 50, idleMs: 50 })
          // a reply that begins with 2 counts as positive up to this point, where the session ends
          expect(outcome.kind, `${JSON.stringify(garbage)} at ${point}`).to.equal('deferred')
        }
      }
    })

    it('limits the bytes that it reads', async () => {
      for (const [label, chunk] of [['a line', 'x'.repeat(4096)], ['lines', '220-x\r\n'.repeat(512)], ['empty lines', '\r\n'.repeat(2048)]] as const) {
        let sent = 0
        const flood = (socket: { write(text: string): boolean, once(event: 'drain', run: () => void): unknown }) => {
          while (sent < 64 * 1024 * 1024) {
            sent += chunk.length
            if (!socket.write(chunk)) return void socket.once('drain', () => flood(socket))
          }
        }
        const { outcome } = await sendTo({ EHLO: flood })
        expect(outcome, label).to.deep.equal({ kind: 'deferred', reason: 'The session with mx.example.org failed: its reply is no SMTP' })
        expect(sent, label).to.be.lessThan(16 * 1024 * 1024)
      }
    })

    it('counts as sent when only QUIT fails', async () => {
      for (const QUIT of [() => {}, (socket: { destroy(): void }) => socket.destroy(), '500 what?']) {
        expect((await sendTo({ QUIT })).outcome.kind).to.equal('sent')
      }
    })
  })

  describe('that is interrupted', () => {
    it('ends after its timeout', async () => {
      const slowly: Script = { EHLO: (socket) => {
        const timer = setInterval(() => socket.write('250-still thinking\r\n'), 5)
        socket.once('close', () => clearInterval(timer))
      } }
      expect((await sendTo(slowly, outgoing(), { attemptMs: 60 })).outcome)
        .to.deep.equal({ kind: 'deferred', reason: 'It took too long to send the mail' })
      world.dns.zone['example.org'] = 'silent'
      world.resolver = openResolver([world.dns.servers], { timeoutMs: 5000 })
      expect(await sendMail(direct(25), outgoing(), { ...options, timeouts: { attemptMs: 30 } }))
        .to.deep.equal({ kind: 'deferred', reason: 'It took too long to send the mail' })
    })

    it('waits for the final reply when the host has the whole mail', async () => {
      for (const [reply, kind] of [['250 queued', 'sent'], ['550 no', 'refused'], ['450 later', 'deferred']] as const) {
        const closing = new AbortController()
        await using server = await openScriptedServer({
          dot: (socket) => {
            closing.abort()
            setTimeout(() => socket.write(`${reply}\r\n`), 20)
          },
        })
        expect(await sendMail(direct(server.port), outgoing(), { ...options, signal: closing.signal })).to.include({ kind })
        await nothingOpen(server)
      }
    })

    it('ends when this server closes, at any point', async () => {
      const stopped = { kind: 'deferred', reason: 'This server was stopped before the mail was sent' }
      for (const point of ['greeting', 'EHLO', 'RCPT', 'dot', 'handshake'] as const) {
        const closing = new AbortController()
        const EHLO = point === 'handshake' ? '250-x\r\n250 STARTTLS' : '250 x'
        await using server = await openScriptedServer({ EHLO, [point]: () => closing.abort() })
        const cutOptions: SendOptions = { ...options, signal: closing.signal, timeouts: { lastReplyMs: 30 } }
        const outcome = await sendMail(direct(server.port), outgoing(), cutOptions)
        expect(outcome, point).to.deep.equal(stopped)
        await nothingOpen(server)
      }
      expect(await sendMail(direct(25), outgoing(), { ...options, signal: AbortSignal.abort() })).to.deep.equal(stopped)
    })

    it('delivers nothing when the source cannot be read to its end', async () => {
      await using receiver = await openReceiver()
      let readings = 0
      for (const failing of [1, 2]) {
        readings = 0
        const mail = outgoing(text, {
          async* source() {
            yield Buffer.from('Subject: half\r\n')
            if (++readings === failing) throw Object.assign(new Error('/secret/path'), { code: 'ESOCKET' })
            yield Buffer.from('\r\nwhole\r\n')
          },
        })
        expect(await sendMail(direct(receiver.port), mail, options))
          .to.deep.equal({ kind: 'deferred', reason: 'This server could not read the mail' })
      }
      expect(receiver.mails).to.deep.equal([])
      await nothingOpen(receiver)
    })
  })

  it('leaves no timer, no socket and no listener behind', async () => {
    await using receiver = await openReceiver({ tls: true })
    await using scripted = await openScriptedServer({ EHLO: '250-x\r\n250 STARTTLS', RCPT: '451 later' })
    await using hanging = await openHangingServer()
    const closing = new AbortController()
    const listeners: string[] = []
    const { signal } = closing
    signal.addEventListener = ((type: string) => listeners.push(type)) as typeof signal.addEventListener
    signal.removeEventListener = (() => listeners.pop()) as typeof signal.removeEventListener
    const before = resources()
    for (const { port } of [receiver, scripted, hanging]) {
      await sendMail(direct(port), outgoing(), { ...options, signal, timeouts: { greetingMs: 50 } })
    }
    for (const server of [receiver, scripted, hanging]) await nothingOpen(server)
    expect(resources()).to.deep.equal(before)
    expect(listeners).to.deep.equal([])
  })
})

const resources = () => process.getActiveResourcesInfo().filter((kind) => /Timeout|TCP|TLS/.test(kind)).sort()
