import { expect } from 'chai'
import { once } from 'node:events'
import { connect } from 'node:net'
import { pino } from 'pino'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { openDnsServer } from '../support/dns-server.ts'
import type { DnsServer } from '../support/dns-server.ts'
import { openSession, playSession } from '../support/play-session.ts'
import { sendRaw } from '../support/send-raw.ts'
import { delivery, hello } from './mailbox.ts'

/** A header of version 2. @param command 1 for a client, 0 for the proxy itself @param more bytes after the addresses */
function binaryHeader({ command = 1, family = 0x11, address = [192, 0, 2, 7], more = Buffer.alloc(0) }) {
  const addresses = Buffer.concat([Buffer.from(address), Buffer.alloc(address.length), Buffer.from([0x10, 0x92, 0, 25]), more])
  const head = Buffer.from([0x20 + command, family, addresses.length >> 8, addresses.length & 0xff])
  return Buffer.concat([Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1'), head, addresses])
}

const version6 = [0x20, 0x01, 0x0d, 0xb8, ...Array.from({ length: 11 }, () => 0), 1]

describe('SMTP behind a proxy: PROXY protocol', function () {
  let app: TestApp
  const written: string[] = []
  let dns: DnsServer
  const limits = { connectionsPerAddress: 2, localProxyHeaderMs: 0 } // as for proxies of other machines
  before(async () => {
    dns = await openDnsServer({ 'example.org': { TXT: ['v=spf1 ip4:192.0.2.7 -all'] } })
    app = await openTestApp({
      env: { MAYFLY_TRUSTED_PROXIES: '127.0.0.0/30, ::1', MAYFLY_DNS_SERVERS: dns.servers }, smtpLimits: limits,
      log: pino({ level: 'info' }, { write: (line) => { written.push(line) } }),
    })
  })
  after(async () => {
    await app[Symbol.asyncDispose]()
    await dns[Symbol.asyncDispose]()
  })

  /** Sends bytes before the greeting, in pieces. @returns all text of the server until it closes the connection */
  async function send(pieces: (string | Buffer)[], localAddress = '127.0.0.1', { smtp } = app): Promise<string> {
    const socket = connect({ ...smtp, localAddress }).setNoDelay(true)
    let text = ''
    socket.on('data', (chunk) => { text += String(chunk) }).on('error', () => {})
    const closed = new Promise((resolve) => socket.once('close', resolve))
    for (const piece of pieces) {
      socket.write(piece)
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    await closed
    return text
  }

  /** Delivers a mail after a header. @returns the address of the client in the log, and in the results of SPF */
  async function seenAs(header: string | Buffer) {
    const { id, address } = await app.newAddress()
    written.length = 0
    const mail = delivery(address).map(([line]) => Buffer.isBuffer(line) ? line : Buffer.from(`${line}\r\n`))
    await send([Buffer.concat([Buffer.from(header), Buffer.from('EHLO client\r\n'), ...mail, Buffer.from('QUIT\r\n')])])
    const email = await app.onlyEmail(id)
    const accepted = written.map((line) => JSON.parse(line)).find(({ kind }) => kind === 'accepted')
    return { logged: accepted.remoteAddress, email }
  }

  for (const [name, header, expected] of [
    ['version 1, IPv4', 'PROXY TCP4 192.0.2.7 192.0.2.1 4242 25\r\n', '192.0.2.7'],
    ['version 1, IPv6', 'PROXY TCP6 2001:DB8::1 2001:db8::2 4242 25\r\n', '2001:db8::1'],
    ['version 1, from the proxy itself', 'PROXY UNKNOWN ffff:f...f:ffff ffff 1 2\r\n', '127.0.0.1'],
    ['version 2, IPv4', binaryHeader({}), '192.0.2.7'],
    ['version 2, IPv6', binaryHeader({ family: 0x21, address: version6 }), '2001:db8::1'],
    ['version 2, with additional fields', binaryHeader({ more: Buffer.from([4, 0, 3, 1, 2, 3]) }), '192.0.2.7'],
    ['version 2, from the proxy itself', binaryHeader({ command: 0 }), '127.0.0.1'],
  ] as const) {
    it(`the address of the client is that of the header: ${name}`, async () => {
      expect((await seenAs(header)).logged).to.equal(expected)
    })
  }

  it('the header may come byte by byte', async () => {
    for (const header of [Buffer.from('PROXY TCP4 192.0.2.7 192.0.2.1 4242 25\r\n'), binaryHeader({})]) {
      expect(await send([...header].map((byte) => Buffer.from([byte])).concat(Buffer.from('QUIT\r\n')))).to.match(/^220 [^]*221 /)
    }
  })

  it('only the first header counts', async () => {
    const { logged } = await seenAs('PROXY TCP4 192.0.2.7 192.0.2.1 4242 25\r\nPROXY TCP4 192.0.2.8 192.0.2.1 4242 25\r\n')
    expect(logged).to.equal('192.0.2.7')
  })

  for (const [name, bytes] of [
    ['without a header', 'EHLO client\r\n'],
    ['an address that is none', 'PROXY TCP4 client.example 192.0.2.1 4242 25\r\n'],
    ['an address of the other version', 'PROXY TCP4 2001:db8::1 2001:db8::2 4242 25\r\n'],
    ['an address with a zone', 'PROXY TCP6 fe80::1%eth0 2001:db8::2 4242 25\r\n'],
    ['a port that is none', 'PROXY TCP4 192.0.2.7 192.0.2.1 99999 25\r\n'],
    ['an unknown protocol', 'PROXY UDP4 192.0.2.7 192.0.2.1 4242 25\r\n'],
    ['too long', `PROXY TCP4 192.0.2.7 192.0.2.1 4242 ${'2'.repeat(200)}`],
    ['version 3', Buffer.concat([binaryHeader({}).subarray(0, 12), Buffer.from([0x31]), binaryHeader({}).subarray(13)])],
    ['version 2 over UDP', binaryHeader({ family: 0x12 })],
    ['version 2 without room for the addresses', binaryHeader({ family: 0x21 })],
    ['version 2, too long', binaryHeader({ more: Buffer.alloc(5_000) })],
  ] as const) {
    it(`a trusted proxy is refused: ${name}`, async () => {
      written.length = 0
      const reason = name === 'without a header' ? 'The connection does not begin with the header of the PROXY protocol'
        : 'The header of the PROXY protocol is malformed'
      expect(await send([bytes])).to.equal(`421 ${reason}, and this address is a trusted proxy\r\n`)
      const [line] = written.map((text) => JSON.parse(text))
      expect(line).to.include({ kind: 'refused', stage: 'connection', remoteAddress: '127.0.0.1', outcome: 421, level: 30 })
      expect(line.text).to.equal(`${reason}, and this address is a trusted proxy. Let the proxy send the header for SMTP, or remove its address from `
        + 'MAYFLY_TRUSTED_PROXIES')
    })
  }

  it('a trusted proxy that sends nothing is refused after the timeout, and a connection that ends before its header leaves no trace', async () => {
    await using hasty = await openTestApp({ env: { MAYFLY_TRUSTED_PROXIES: '127.0.0.1' }, smtpLimits: { ...limits, proxyHeaderMs: 100 } })
    const late = '421 The header of the PROXY protocol did not come, and this address is a trusted proxy\r\n'
    expect(await send([], '127.0.0.1', hasty)).to.equal(late)
    for (let i = 0; i < 5; i++) connect(app.smtp).on('error', () => {}).end('PROXY ')
    for (const start of ['', 'PROXY ']) {
      const reset = connect(app.smtp)
      await once(reset, 'connect')
      reset.write(start)
      await new Promise((resolve) => setTimeout(resolve, 20))
      reset.resetAndDestroy()
    }
    expect(await send(['PROXY UNKNOWN\r\nQUIT\r\n'])).to.match(/^220 /)
  })

  it('a header of another client does not count: it is a command like any other', async () => {
    for (const header of ['PROXY TCP4 192.0.2.7 192.0.2.1 4242 25\r\n', binaryHeader({})]) {
      const text = await send([header, 'QUIT\r\n'], '127.0.0.9')
      expect(text).to.match(/^220 /).and.to.match(/\r\n500 /)
    }
    const { address } = await app.newAddress()
    written.length = 0
    await sendRaw(app.smtp.port, address, 'x\r\n', 'a@example.org', '127.0.0.9')
    const accepted = written.map((line) => JSON.parse(line)).find(({ kind }) => kind === 'accepted')
    expect(accepted.remoteAddress).to.equal('127.0.0.9')
  })

  it('limits are those of the client, not of the proxy', async () => {
    const open = (client: string) => openSession(app.smtp, `PROXY TCP4 ${client} 192.0.2.1 4242 25\r\n`)
    const sessions = [await open('198.51.100.1'), await open('198.51.100.1'), await open('203.0.113.1'), await open('203.0.113.1')]
    sessions.push(await open('198.51.100.1'), await open('192.88.99.1'))
    expect(sessions.map(({ greeting }) => greeting.slice(0, 3))).to.deep.equal(['220', '220', '220', '220', '421', '220'])
    for (const session of sessions) await session[Symbol.asyncDispose]()
  })

  it('SPF is checked for the address of the client', async () => {
    const spfOf = async (client: string) => (await seenAs(`PROXY TCP4 ${client} 192.0.2.1 4242 25\r\n`)).email.authentication!.spf.result
    expect([await spfOf('192.0.2.7'), await spfOf('192.0.2.8')]).to.deep.equal(['pass', 'fail'])
  })

  it('a local program may send mail without a header, and a proxy on the same machine with one', async () => {
    await using local = await openTestApp({ env: { MAYFLY_TRUSTED_PROXIES: '127.0.0.1' }, smtpLimits: { localProxyHeaderMs: 100 } })
    const { id, address } = await local.newAddress()
    await sendRaw(local.smtp.port, address, 'Subject: after the greeting\r\n\r\n', 'a@example.org')
    await using early = await openSession(local.smtp, 'EHLO early.example\r\n')
    expect(early.greeting).to.match(/^220 /)
    await using forwarded = await openSession(local.smtp, 'PROXY TCP4 192.0.2.7 192.0.2.1 4242 25\r\n')
    expect(forwarded.greeting).to.match(/^220 /)
    await using malformed = await openSession(local.smtp, 'PROXY TCP4 nowhere\r\n')
    expect(malformed.greeting).to.match(/^421 /)
    expect((await local.onlyEmail(id)).subject).to.equal('after the greeting')
  })

  it('a header from the same machine that has begun in time may be completed later', async () => {
    await using local = await openTestApp({ env: { MAYFLY_TRUSTED_PROXIES: '127.0.0.1' }, smtpLimits: { localProxyHeaderMs: 50 } })
    const socket = connect(local.smtp)
    const greeting = once(socket, 'data')
    await once(socket, 'connect')
    socket.write('PROXY TCP4 192.0')
    await using silent = await openSession(local.smtp, '') // greeted after those 50 ms
    expect(silent.greeting).to.match(/^220 /)
    socket.write('.2.7 192.0.2.1 4242 25\r\n')
    expect(String((await greeting)[0])).to.match(/^220 /)
    socket.destroy()
  })

  it('is not expected without MAYFLY_TRUSTED_PROXIES', async () => {
    await using direct = await openTestApp()
    const { address } = await direct.newAddress()
    await playSession(direct.smtp, [hello, ...delivery(address)])
  })
})
