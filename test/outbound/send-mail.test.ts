import { expect } from 'chai'
import { openResolver } from '../../server/outbound/dns.ts'
import { sendMail } from '../../server/outbound/send-mail.ts'
import { openReceiver } from '../support/receiver.ts'
import { openScriptedServer } from './scripted-server.ts'
import type { Script } from './scripted-server.ts'
import { endless, here, nothingOpen, options, outgoing, text, useSendWorld } from './send-world.ts'

/** A closed port. */
const deadHost = '127.0.0.99'

describe('Sending a mail by SMTP', () => {
  const { world, direct, sendTo } = useSendWorld()
  /** Adds MX hosts, one for each address. */
  const exchangers = (...addresses: string[][]) => {
    world.dns.zone['example.org'] = { MX: addresses.map((_, i) => ({ exchange: `mx${i}.example.org`, priority: i })) }
    for (const [i, A] of addresses.entries()) world.dns.zone[`mx${i}.example.org`] = { A }
  }

  describe('to its domain', () => {
    it('delivers it byte for byte, names itself in EHLO, and closes the session', async () => {
      await using receiver = await openReceiver()
      const outcome = await sendMail(direct(receiver.port), outgoing(), options)
      expect(outcome).to.deep.equal({ kind: 'sent', host: 'mx.example.org', reply: '250 OK: queued as 1234' })
      expect(await receiver.next()).to.deep.equal({
        source: Buffer.from(text), sender: 'shop@example.net', recipient: 'ann@example.org', recipients: ['ann@example.org'], sourceText: text,
        tls: false, helo: 'mayfly.example', parameters: { SIZE: String(text.length) },
      })
      await nothingOpen(receiver)
    })

    it('sends without a sender', async () => {
      await using receiver = await openReceiver()
      expect((await sendMail(direct(receiver.port), outgoing(text, { sender: '' }), options)).kind).to.equal('sent')
      expect((await receiver.next()).sender).to.equal('')
    })

    it('uses TLS when it is offered, with any certificate', async () => {
      await using receiver = await openReceiver({ tls: true })
      expect((await sendMail(direct(receiver.port), outgoing(), options)).kind).to.equal('sent')
      expect((await receiver.next()).tls).to.equal(true)
      await nothingOpen(receiver)
    })

    it('sends without TLS when the handshake fails, or STARTTLS is refused', async () => {
      const EHLO = '250-scripted\r\n250 STARTTLS'
      const broken: Script[] = [{}, { handshake: 'this is no TLS' }, { STARTTLS: '454 not now' }, { handshake: () => {} }]
      for (const [i, script] of broken.entries()) {
        const { outcome, connections } = await sendTo({ EHLO, ...script }, outgoing(), { greetingMs: 50 })
        expect(outcome).to.deep.equal({ kind: 'sent', host: 'mx.example.org', reply: '250 queued' })
        expect(connections).to.equal(i === 2 ? 1 : 2)
      }
    })

    it('declares BODY=8BITMIME for a mail with bytes above 127', async () => {
      await using receiver = await openReceiver()
      for (const [source, body] of [['plain\r\n', undefined], [`${'x'.repeat(20_000)}é\r\n`, '8BITMIME']] as const) {
        await sendMail(direct(receiver.port), outgoing(source), options)
        const mail = await receiver.next()
        expect(mail.parameters.BODY).to.equal(body)
        expect(mail.sourceText).to.equal(source)
      }
      await using old = await openReceiver({ hide: ['8BITMIME', 'PIPELINING'] })
      await sendMail(direct(old.port), outgoing('é\r\n'), options)
      expect((await old.next()).parameters).to.deep.equal({ SIZE: '4' })
    })

    it('sends megabytes', async () => {
      await using receiver = await openReceiver({ tls: true })
      const source = Buffer.alloc(3 * 1024 * 1024, 'line\r\n')
      expect((await sendMail(direct(receiver.port), outgoing(source), options)).kind).to.equal('sent')
      expect((await receiver.next()).source.equals(source)).to.equal(true)
    })

    it('falls back to HELO', async () => {
      const { outcome, lines } = await sendTo({ EHLO: '500 what?' })
      expect(outcome.kind).to.equal('sent')
      expect(lines.slice(0, 3)).to.deep.equal(['EHLO mayfly.example', 'HELO mayfly.example', 'MAIL FROM:<shop@example.net>'])
      expect(lines.at(-1)).to.equal('QUIT')
    })

    it('is refused when the domain accepts no mail, and deferred when the DNS does not answer', async () => {
      world.dns.zone['example.org'] = { MX: [{ exchange: '.', priority: 0 }] }
      expect(await sendMail(direct(25), outgoing(), options)).to.deep.equal({ kind: 'refused', reason: 'example.org takes no mail' })
      world.dns.zone['ghost.example'] = { MX: [{ exchange: 'gone.example', priority: 0 }] }
      world.dns.zone['dead.example'] = 'SERVFAIL'
      world.dns.zone['half.example'] = { MX: [{ exchange: 'dead.example', priority: 0 }] }
      for (const [domain, kind, reason] of [
        ['gone.example', 'refused', 'No mail server: gone.example does not exist'],
        ['ghost.example', 'refused', 'No mail server: those of ghost.example do not exist'],
        ['dead.example', 'deferred', 'The DNS lookup of dead.example failed: the server failed'],
        ['half.example', 'deferred', 'The DNS lookup of dead.example failed: the server failed'],
      ] as const) expect(await sendMail({ ...direct(25), domain }, outgoing(), options)).to.deep.equal({ kind, reason })
    })
  })

  describe('to several hosts', () => {
    it('tries the next address and the next host when one cannot be reached', async () => {
      await using receiver = await openReceiver()
      exchangers([deadHost], [deadHost, here])
      world.dns.zone['mx0.example.org'] = 'NXDOMAIN'
      expect(await sendMail(direct(receiver.port), outgoing(), options)).to.include({ kind: 'sent', host: 'mx1.example.org' })
      world.dns.zone['mx0.example.org'] = 'silent'
      world.resolver = openResolver([world.dns.servers], { timeoutMs: 2_000, tries: 1 })
      expect(await sendMail(direct(receiver.port), outgoing(), options)).to.include({ kind: 'sent', host: 'mx1.example.org' })
    })

    it('tries the next host after a temporary refusal or a malformed greeting, but not after a permanent refusal', async () => {
      exchangers(['127.0.0.2'], ['127.0.0.3'])
      for (const [script, connections] of [
        [{ RCPT: '451 4.7.1 Greylisted' }, 2], [{ greeting: '554 no' }, 2], [{ EHLO: '502 no', HELO: '502 no' }, 2], [{ dot: '452 full' }, 2],
        [{ RCPT: '550 5.1.1 nobody' }, 1], [{ MAIL: '553 not you' }, 1], [{ dot: '554 spam' }, 1],
      ] as const) {
        await using server = await openScriptedServer(script, '0.0.0.0')
        const outcome = await sendMail(direct(server.port), outgoing(), options)
        expect(outcome.kind).to.equal(connections === 2 ? 'deferred' : 'refused')
        expect(server.connections, JSON.stringify(script)).to.equal(connections)
      }
      const { port } = await closedServer()
      expect(await sendMail(direct(port), outgoing(), options))
        .to.deep.equal({ kind: 'deferred', reason: 'No connection to mx0.example.org: it refused the connection' })
    })

    it('reports the reply of one host rather than the failed connection to another', async () => {
      exchangers([deadHost], [here])
      expect((await sendTo({ RCPT: '451 4.7.1 Greylisted, come again' })).outcome)
        .to.deep.equal({ kind: 'deferred', reason: 'mx1.example.org said: 451 4.7.1 Greylisted, come again' })
    })

    it('tries up to six addresses', async () => {
      const addresses = Array.from({ length: 4 }, (_, i) => `127.0.0.${i + 1}`)
      exchangers(addresses, addresses)
      await using server = await openScriptedServer({ greeting: (socket) => socket.destroy() }, '0.0.0.0')
      expect((await sendMail(direct(server.port), outgoing(), options)).kind).to.equal('deferred')
      expect(server.connections).to.equal(6)
    })

    it('tries no other host when one may have accepted the mail', async () => {
      exchangers([here], ['127.0.0.2'])
      await using server = await openScriptedServer({ dot: (socket) => socket.destroy() }, '0.0.0.0')
      expect(await sendMail(direct(server.port), outgoing(), options)).to.deep.equal({
        kind: 'deferred',
        reason: 'mx0.example.org had the mail and did not say whether it took it: it broke off the connection',
      })
      expect(server.connections).to.equal(1)
    })
  })

  describe('to a host that refuses', () => {
    it('reports a permanent refusal with the text of the reply', async () => {
      await using receiver = await openReceiver()
      const { replies } = receiver
      const reasonOf = async () => {
        const outcome = await sendMail(direct(receiver.port), outgoing(), options)
        expect(receiver.mails).to.deep.equal([])
        return [outcome.kind, 'reason' in outcome && outcome.reason]
      }
      replies.data = () => ({ code: 554, text: '5.7.1 We think this is spam' })
      expect(await reasonOf()).to.deep.equal(['refused', 'mx.example.org said: 554 5.7.1 We think this is spam'])
      replies.rcpt = (address) => ({ code: 550, text: `5.1.1 No such user ${address}` })
      expect(await reasonOf()).to.deep.equal(['refused', 'mx.example.org said: 550 5.1.1 No such user ann@example.org'])
      replies.mail = () => ({ code: 553, text: '5.1.8 Not you' })
      expect(await reasonOf()).to.deep.equal(['refused', 'mx.example.org said: 553 5.1.8 Not you'])
      replies.mail = () => ({ code: 451, text: '4.3.0 Later' })
      expect(await reasonOf()).to.deep.equal(['deferred', 'mx.example.org said: 451 4.3.0 Later'])
      await nothingOpen(receiver)
    })

    for (const pipelining of [true, false]) {
      it(`knows the refused command, ${pipelining ? 'with' : 'without'} pipelining`, async () => {
        const EHLO = pipelining ? '250-scripted\r\n250 PIPELINING' : '250 scripted'
        const after = pipelining ? { DATA: '503 no recipients' } : {}
        for (const [script, kind, said] of [
          [{ MAIL: '550 no', ...after }, 'refused', '550 no'],
          [{ RCPT: '550 no', ...after }, 'refused', '550 no'],
          [{ RCPT: '550 no' }, 'refused', '550 no'],
          [{ RCPT: '450 later', ...after }, 'deferred', '450 later'],
          [{ MAIL: '421 closing' }, 'deferred', '421 closing'],
          [{ RCPT: '421 closing' }, 'deferred', '421 closing'],
          [{ DATA: '554 no' }, 'refused', '554 no'],
          [{ dot: '552 full' }, 'refused', '552 full'],
          [{ dot: '421 closing' }, 'deferred', '421 closing'],
          [{ MAIL: '530 5.7.0 Must issue a STARTTLS command first', ...after }, 'deferred', '530 5.7.0 Must issue a STARTTLS command first'],
        ] as const) {
          const { outcome } = await sendTo({ EHLO, ...script })
          expect(outcome, JSON.stringify(script)).to.deep.equal({ kind, reason: `mx.example.org said: ${said}` })
        }
      })
    }

    it('refuses a mail that is larger than the SIZE of the host', async () => {
      await using receiver = await openReceiver({ maxBytes: 10 })
      expect(await sendMail(direct(receiver.port), outgoing(), options))
        .to.deep.equal({ kind: 'refused', reason: 'mx.example.org does not take mails of this size' })
    })

    it('makes one readable line of a reply', async () => {
      for (const [reply, said] of [
        ['550-5.1.1 The account\r\n550-5.1.1 does not exist.\r\n550 5.1.1 Sorry', '550 5.1.1 The account does not exist. Sorry'],
        ['550 \x1b[31mred\x07 alert\t\u202e', '550 [31mred alert'],
        ['550', '550'],
      ] as const) {
        const { outcome } = await sendTo({ RCPT: (socket) => socket.write(`${reply}\r\n`) })
        expect(outcome).to.deep.equal({ kind: 'refused', reason: `mx.example.org said: ${said}` })
      }
      const { outcome } = await sendTo({ RCPT: `550 ${'long '.repeat(1000)}` })
      expect('reason' in outcome && outcome.reason).to.match(/^mx.example.org said: 550 long long .*…$/).and.have.length(500)
    })

    it('accepts a refusal that comes while the mail is sent', async () => {
      expect((await sendTo({ text: '552 5.3.4 Too much' }, endless)).outcome)
        .to.deep.equal({ kind: 'refused', reason: 'mx.example.org said: 552 5.3.4 Too much' })
      expect((await sendTo({ text: '250 thank you' }, endless)).outcome.kind, 'a yes before the end').to.equal('deferred')
    })
  })

  it('refuses an envelope with SMTP command injection', async () => {
    await using receiver = await openReceiver()
    for (const bad of ['a@example.org>\r\nRCPT TO:<b@example.org', 'a b@example.org', '<a@example.org>', 'a@example.org\n', 'ä@example.org', 'a\0@b.c']) {
      for (const changes of [{ sender: bad }, { recipient: bad }]) {
        expect((await sendMail(direct(receiver.port), outgoing(text, changes), options)).kind, bad).to.equal('refused')
      }
    }
    expect((await sendMail(direct(receiver.port), outgoing(text, { recipient: '' }), options)).kind).to.equal('refused')
    expect(receiver.connections).to.equal(0)
  })
})

async function closedServer() {
  await using server = await openScriptedServer({})
  return { port: server.port }
}
