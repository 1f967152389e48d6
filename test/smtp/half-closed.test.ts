import { expect } from 'chai'
import { once } from 'node:events'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { openTestApp, type TestApp } from '../support/app.ts'
import { openSession, playSession } from '../support/play-session.ts'
import { openListener } from '../support/smtp-listener.ts'
import { sendRaw } from '../support/send-raw.ts'
import { delivery, hello, rawMails } from './mailbox.ts'

const file = (name: string) => fileURLToPath(new URL(`../support/self-signed/${name}`, import.meta.url))

describe('SMTP half-closed connections', function () {
  let app: TestApp
  before(async () => {
    app = await openTestApp({ smtpLimits: { unproductiveDelayMs: 20 }, env: { MAYFLY_TLS_CERT: file('cert.pem'), MAYFLY_TLS_KEY: file('key.pem') } })
  })
  after(() => app[Symbol.asyncDispose]())
  afterEach(() => expect(app.app.smtp.connections, 'sessions that are left').to.equal(0))

  const commands = (address: string) => `EHLO me\r\nMAIL FROM:<a@example.org>\r\nRCPT TO:<${address}>\r\nDATA\r\n`
  const mail = 'Subject: x\r\n\r\ntext\r\n.\r\n'

  /** Sends everything in one write, then FIN. Returns the codes of the replies, the greeting's first. */
  async function codesAfterFin(text: string) {
    const socket = connect(app.smtp.port, app.smtp.host)
    let replies = ''
    socket.on('data', (chunk) => { replies += String(chunk) })
    socket.end(text)
    await once(socket, 'close')
    return codesIn(replies)
  }

  it('get every reply to commands in one write, including QUIT and the 250 for a stored mail', async () => {
    const { id, address } = await app.newAddress()
    for (let i = 0; i < 40; i++) {
      expect(await codesAfterFin(`${commands(address)}${mail}QUIT\r\n`)).to.deep.equal([220, 250, 250, 250, 354, 250, 221])
    }
    await app.settled()
    expect((await app.api('GET', `/emails?address_id=${id}`)).body.total).to.equal(40)
  })

  it('get every reply with many concurrent sessions', async () => {
    const { id, address } = await app.newAddress()
    const all = await Promise.all(Array.from({ length: 40 }, () => codesAfterFin(`${commands(address)}${mail}QUIT\r\n`)))
    for (const codes of all) expect(codes).to.deep.equal([220, 250, 250, 250, 354, 250, 221])
    await app.settled()
    expect((await app.api('GET', `/emails?address_id=${id}`)).body.total).to.equal(40)
  })

  it('are closed after the reply to the last command, without QUIT', async () => {
    const { id, address } = await app.newAddress()
    expect(await codesAfterFin(`${commands(address)}${mail}`)).to.deep.equal([220, 250, 250, 250, 354, 250])
    expect(await codesAfterFin('EHLO me\r\nNOOP\r\n')).to.deep.equal([220, 250, 250])
    expect(await rawMails(app, id)).to.have.length(1)
  })

  it('get the 250 of a mail that is sent in pieces, with its final dot right before FIN', async () => {
    const { id, address } = await app.newAddress()
    await using session = await openSession(app.smtp)
    await session.play([hello, ...delivery(address).slice(0, 3)])
    session.send('Subject: x\r\n')
    await new Promise(setImmediate)
    session.socket.end('\r\ntext\r\n.\r\n')
    expect(codesIn(await session.ended())).to.deep.equal([250])
    expect(await rawMails(app, id)).to.deep.equal(['Subject: x\r\n\r\ntext\r\n'])
  })

  it('get the 250 of a long mail', async () => {
    const { id, address } = await app.newAddress()
    const long = 'x'.repeat(98).concat('\r\n').repeat(20_000)
    expect(await codesAfterFin(`${commands(address)}${long}.\r\nQUIT\r\n`)).to.deep.equal([220, 250, 250, 250, 354, 250, 221])
    expect((await rawMails(app, id)).map(({ length }) => length)).to.deep.equal([long.length])
  })

  for (const cut of ['', 'Subject: x\r\n\r\nhalf', 'Subject: x\r\n\r\nhalf\r\n', 'Subject: x\r\n\r\nhalf\r\n.', 'Subject: x\r\n\r\nhalf\r\n.\r', 'half\n.\n', `${'x'.repeat(300_000)}\r\n..\r\n`]) {
    it(`get 421 for a mail that ends with ${JSON.stringify(cut.slice(-10))}, which is not kept`, async () => {
      const { id, address } = await app.newAddress()
      expect(await codesAfterFin(commands(address) + cut)).to.deep.equal([220, 250, 250, 250, 354, 421])
      expect(await rawMails(app, id)).to.deep.equal([])
      expect(app.app.smtp.heldBytes).to.equal(0)
    })
  }

  it('run no incomplete command', async () => {
    const { id, address } = await app.newAddress()
    expect(await codesAfterFin('EHLO me\r\nNOOP')).to.deep.equal([220, 250])
    expect(await codesAfterFin(`${commands(address)}${mail}RSET`)).to.deep.equal([220, 250, 250, 250, 354, 250])
    expect(await rawMails(app, id)).to.have.length(1)
  })

  it('are closed at once when no reply is due', async () => {
    await using session = await openSession(app.smtp)
    session.socket.end()
    expect(await session.ended()).to.equal('')
    await using said = await openSession(app.smtp)
    await said.play([hello, ['QUIT', 221]])
    said.socket.end()
    expect(await said.ended()).to.equal('')
  })

  it('run no command after QUIT', async () => {
    const { id, address } = await app.newAddress()
    expect(await codesAfterFin(`QUIT\r\n${commands(address)}${mail}`)).to.deep.equal([220, 221])
    expect(await rawMails(app, id)).to.deep.equal([])
  })

  it('store nothing of a mail whose connection is reset, and end the session', async () => {
    const { id, address } = await app.newAddress()
    const session = await openSession(app.smtp)
    await session.play([hello, ...delivery(address).slice(0, 3)])
    session.send('Subject: half\r\n\r\n')
    while (app.app.smtp.heldBytes === 0) await new Promise(setImmediate)
    session.socket.resetAndDestroy()
    while (app.app.smtp.connections > 0) await new Promise(setImmediate)
    expect(await rawMails(app, id)).to.deep.equal([])
    expect(app.app.smtp.heldBytes).to.equal(0)
  })

  it('end with 421 for too many commands, like other sessions', async () => {
    const codes = await codesAfterFin('NOOP\r\n'.repeat(200))
    expect(codes).to.deep.equal([220, ...Array<number>(100).fill(250), 421])
  })

  it('count as connections until they are answered', async () => {
    let release = () => {}
    const isHeld = new Promise<number>((resolve) => { release = () => resolve(1e12) })
    await using slow = await openListener(app, { connectionsPerAddress: 1 }, { freeBytes: () => isHeld })
    const { address } = await slow.newAddress()
    await using session = await openSession(slow.smtp)
    await session.play([hello, ...delivery(address).slice(0, 3)])
    session.socket.end('text\r\n.\r\n')
    await once(session.socket, 'finish')
    await using second = await openSession(slow.smtp)
    expect(second.greeting).to.match(/^421 Too many connections/)
    release()
    expect(codesIn(await session.ended())).to.deep.equal([250])
    await playSession(slow.smtp, [['NOOP', 250]])
  })

  it('wait for their turn while their network sends more than its share, and get the 250 of a complete mail', async () => {
    await using slow = await openTestApp({ isRealTime: true, smtpLimits: { mailBytesPerSecond: 10_000 } })
    const { id, address } = await slow.newAddress()
    for (const localAddress of ['127.0.0.1', '127.0.0.2']) await sendRaw(slow.smtp.port, address, 'short\r\n', undefined, localAddress)
    await Promise.all(Array.from({ length: 3 }, async () => {
      await using session = await openSession(slow.smtp)
      await session.play([hello, ...delivery(address).slice(0, 3)])
      session.socket.end(`${'x'.repeat(10_000)}\r\n.\r\n`)
      expect(codesIn(await session.ended())).to.deep.equal([250])
    }))
    expect(await rawMails(slow, id)).to.have.length(5)
  })

  for (const version of ['TLSv1.3', 'TLSv1.2'] as const) {
    it(`get every reply inside ${version}`, async () => {
      const { id, address } = await app.newAddress()
      await using session = await openSession(app.smtp)
      await session.play([hello, ['STARTTLS', 220]])
      await session.startTls({ minVersion: version, maxVersion: version })
      session.socket.end(`${commands(address)}${mail}QUIT\r\n`)
      expect(codesIn(await session.ended())).to.deep.equal([250, 250, 250, 354, 250, 221])
      expect(await rawMails(app, id)).to.have.length(1)
    })
  }

  it('get every reply inside TLS when only the TCP connection is half-closed, without close_notify', async () => {
    const { id, address } = await app.newAddress()
    await using session = await openSession(app.smtp)
    await session.play([hello, ['STARTTLS', 220]])
    const tcp = session.socket
    await session.startTls()
    await new Promise((resolve) => session.socket.write(`${commands(address)}${mail}QUIT\r\n`, resolve))
    tcp.end()
    expect(codesIn(await session.ended())).to.deep.equal([250, 250, 250, 354, 250, 221])
    expect(await rawMails(app, id)).to.have.length(1)
  })

  it('store nothing of half a mail inside TLS', async () => {
    const { id, address } = await app.newAddress()
    await using session = await openSession(app.smtp)
    await session.play([hello, ['STARTTLS', 220]])
    await session.startTls()
    session.socket.end(`${commands(address)}half`)
    expect(codesIn(await session.ended())).to.deep.equal([250, 250, 250, 354, 421])
    expect(await rawMails(app, id)).to.deep.equal([])
  })
})

const codesIn = (replies: string) => [...replies.matchAll(/^(\d{3})(?: |$)/gm)].map(([, code]) => Number(code))
