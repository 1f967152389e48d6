import { expect } from 'chai'
import { fileURLToPath } from 'node:url'
import type { TLSSocket } from 'node:tls'
import { openTestApp, type TestApp } from '../support/app.ts'
import { openSession, playSession } from '../support/play-session.ts'
import { openListener } from '../support/smtp-listener.ts'
import { delivery, hello, rawMails } from './mailbox.ts'

const file = (name: string) => fileURLToPath(new URL(`../support/self-signed/${name}`, import.meta.url))

describe('SMTP STARTTLS', () => {
  let app: TestApp
  before(async () => {
    app = await openTestApp({ env: { MAYFLY_TLS_CERT: file('cert.pem'), MAYFLY_TLS_KEY: file('key.pem') } })
  })
  after(() => app[Symbol.asyncDispose]())

  it('is offered, and mail is accepted inside TLS', async () => {
    const { id, address } = await app.newAddress()
    await using session = await openSession(app.smtp)
    const [features] = await session.play([hello, ['STARTTLS', 220]])
    expect(features).to.match(/^250.STARTTLS$/m)
    await session.startTls()
    expect((session.socket as TLSSocket).getProtocol()).to.equal('TLSv1.3')
    const [secured] = await session.play([hello, ['STARTTLS', 503], ...delivery(address, 'secret\r\n'), ['QUIT', 221]])
    expect(secured).to.not.match(/STARTTLS|REQUIRETLS/)
    expect(await rawMails(app, id)).to.deep.equal(['secret\r\n'])
  })

  it('is not required: mail without TLS is accepted', async () => {
    const { id, address } = await app.newAddress()
    await playSession(app.smtp, [hello, ...delivery(address)])
    expect(await rawMails(app, id)).to.have.length(1)
  })

  it('requires TLS 1.2', async () => {
    for (const [version, works] of [['TLSv1.2', true], ['TLSv1.1', false], ['TLSv1', false]] as const) {
      await using session = await openSession(app.smtp)
      await session.play([hello, ['STARTTLS', 220]])
      const error = await session.startTls({ minVersion: version, maxVersion: version, ciphers: 'DEFAULT@SECLEVEL=0' })
        .then(() => undefined, (error: Error) => error)
      expect(!error, `${version}: ${error?.message}`).to.equal(works)
    }
  })

  it('discards the state of the session before TLS', async () => {
    const { address } = await app.newAddress()
    await using session = await openSession(app.smtp)
    await session.play([hello, ...delivery(address).slice(0, 2), ['STARTTLS', 220]])
    await session.startTls()
    await session.play([['MAIL FROM:<a@example.org>', 503], hello, ['DATA', 503]])
  })

  it('runs no command that was injected before TLS', async () => {
    const { id, address } = await app.newAddress()
    const injected = `EHLO evil\r\nMAIL FROM:<a@example.org>\r\nRCPT TO:<${address}>\r\nDATA\r\nslipped in\r\n.\r\n`
    for (const filler of ['', 'NOOP\r\n'.repeat(300)]) {
      await using session = await openSession(app.smtp)
      await session.play([hello])
      session.send(`STARTTLS\r\n${filler}${injected}`)
      expect(await session.reply()).to.match(/^220 /)
      const failed = await session.startTls().then(() => false, () => true)
      // the server dropped the commands after STARTTLS, or they broke the TLS handshake: both are safe
      if (!failed) await session.play([['MAIL FROM:<a@example.org>', 503], ['NOOP', 250]])
    }
    expect(await rawMails(app, id)).to.deep.equal([])
  })

  it('survives clients that abort the handshake', async () => {
    const { id, address } = await app.newAddress()
    for (const garbage of ['', 'not TLS at all\r\n', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03']) {
      await using session = await openSession(app.smtp)
      await session.play([hello, ['STARTTLS', 220]])
      session.send(Buffer.from(garbage, 'latin1'))
      session.socket.end()
      await session.ended()
    }
    await playSession(app.smtp, [hello, ...delivery(address)])
    expect(await rawMails(app, id)).to.have.length(1)
  })

  it('lets the listener close during a handshake', async () => {
    await using other = await openListener(app)
    await using session = await openSession(other.smtp)
    await session.play([hello, ['STARTTLS', 220]])
    session.send(Buffer.from('\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 'latin1'))
    await other.app.smtp.close()
    expect(await session.ended()).to.equal('')
  })
})
