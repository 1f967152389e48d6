import { expect } from 'chai'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { TLSSocket } from 'node:tls'
import { fileURLToPath } from 'node:url'
import type { SmtpLogin } from '../../server/contract/types.gen.ts'
import { operations } from '../../server/contract/operations.gen.ts'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { testClock } from '../support/clock.ts'
import { openSession, playSession } from '../support/play-session.ts'
import type { SmtpTarget, Step } from '../support/play-session.ts'
import { openListener } from '../support/smtp-listener.ts'
import { delivery, hello, shownCertificate } from './mailbox.ts'

const bothPorts = { MAYFLY_SUBMISSION_PORT: '0', MAYFLY_SMTPS_PORT: '0' }
const selfSigned = (name: string) => fileURLToPath(new URL(`../support/self-signed/${name}.pem`, import.meta.url))
const configured = { MAYFLY_TLS_CERT: selfSigned('cert'), MAYFLY_TLS_KEY: selfSigned('key') }

const authPlain = ({ username, password }: SmtpLogin, code = 235): Step =>
  [`AUTH PLAIN ${Buffer.from(`\0${username}\0${password}`).toString('base64')}`, code]
const from: Step = ['MAIL FROM:<app@shop.example>', 250]
const loginFirst = /^530 5\.7\.0 Log in first/

async function newLogin({ api }: Pick<TestApp, 'api'>) {
  const { body: { data } } = await api('POST', '/addresses', { body: { smtpLogin: true } })
  return data as { id: string, smtp: SmtpLogin }
}

const targets = ({ app: { smtp } }: TestApp): Record<'mx' | 'submission' | 'smtps', SmtpTarget> => ({
  mx: { host: '127.0.0.1', port: smtp.port },
  submission: { host: '127.0.0.1', port: smtp.submission!.port },
  smtps: { host: '127.0.0.1', port: smtp.smtps!.port, tls: {} },
})

describe('SMTP ports for logins', () => {
  let app: TestApp
  before(async () => { app = await openTestApp({ env: bothPorts }) })
  after(() => app[Symbol.asyncDispose]())

  it('are closed unless they are set', async () => {
    await using plain = await openTestApp()
    expect([plain.app.smtp.submission, plain.app.smtp.smtps]).to.deep.equal([undefined, undefined])
  })

  it('the submission port offers STARTTLS, and takes mail to any recipient after a login alone', async () => {
    const { id, smtp } = await newLogin(app)
    const { address } = await app.newAddress()
    await using session = await openSession(targets(app).submission)
    const [features] = await session.play([hello])
    expect(features).to.match(/^250.STARTTLS$/m).and.match(/^250.AUTH PLAIN LOGIN$/m)
    await session.play([['STARTTLS', 220]])
    await session.startTls()
    const [, refused] = await session.play([hello, ['MAIL FROM:<app@shop.example>', 530], [`RCPT TO:<${address}>`, 530], ['DATA', 530]])
    expect(refused).to.match(loginFirst)
    await session.play([authPlain(smtp), ...delivery('ada@customer.example'), ['QUIT', 221]])
    expect(await app.onlyEmail(id)).to.deep.include({ recipients: ['ada@customer.example'], to: 'ada@customer.example' })
  })

  it('the SMTPS port begins with TLS, and has the same rules', async () => {
    const { id, smtp } = await newLogin(app)
    await using session = await openSession(targets(app).smtps)
    expect((session.socket as TLSSocket).getProtocol()).to.equal('TLSv1.3')
    const [features, refused] = await session.play([hello, ['MAIL FROM:<app@shop.example>', 530], ['STARTTLS', 503]])
    expect(features).to.match(/^250.AUTH PLAIN LOGIN$/m).and.not.match(/STARTTLS/)
    expect(refused).to.match(loginFirst)
    await session.play([authPlain(smtp), ...delivery('ada@customer.example')])
    expect((await app.onlyEmail(id)).recipients).to.deep.equal(['ada@customer.example'])
  })

  it('require TLS 1.2', async () => {
    const { port } = targets(app).smtps
    const old = { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const
    const error = await openSession({ host: '127.0.0.1', port, tls: old }).then(() => undefined, (error: Error) => error)
    expect(error?.message).to.match(/^the connection ended/)
  })

  it('take no login before TLS from another machine, unless MAYFLY_SMTP_INSECURE_AUTH is set', async () => {
    const elsewhere = 'PROXY TCP4 192.0.2.7 192.0.2.1 4242 587\r\n'
    const env = { ...bothPorts, MAYFLY_TRUSTED_PROXIES: '127.0.0.1' }
    {
      await using proxied = await openTestApp({ env })
      const { smtp } = await newLogin(proxied)
      await using session = await openSession(targets(proxied).submission, elsewhere)
      const [features, refused] = await session.play([hello, authPlain(smtp, 538), ['MAIL FROM:<app@shop.example>', 530], ['STARTTLS', 220]])
      expect(features).to.match(/^250.STARTTLS$/m).and.not.match(/AUTH/)
      expect(refused).to.equal('538 5.7.11 A login needs encryption here: use STARTTLS first')
      await session.startTls()
      await session.play([hello, authPlain(smtp), from])
      await using implicit = await openSession(targets(proxied).smtps, elsewhere) // the header comes before TLS
      await implicit.play([hello, authPlain(smtp), from])
    }
    await using insecure = await openTestApp({ env: { ...env, MAYFLY_SMTP_INSECURE_AUTH: 'true' } })
    const { smtp } = await newLogin(insecure)
    await using session = await openSession(targets(insecure).submission, elsewhere)
    await session.play([hello, authPlain(smtp), from])
  })

  it('end a login at its next command when it was replaced or deleted', async () => {
    for (const target of Object.values(targets(app))) {
      for (const end of ['POST', 'DELETE'] as const) {
        const { id, smtp } = await newLogin(app)
        await using session = await openSession(target)
        await session.play([hello, authPlain(smtp), from])
        expect((await app.api(end, `/addresses/${id}/smtp-login`)).status).to.equal(end === 'POST' ? 201 : 200)
        await session.play([['RCPT TO:<ada@customer.example>', 535], ['RSET', 250], ['MAIL FROM:<app@shop.example>', 535]])
        await playSession(target, [hello, authPlain(smtp, 535)])
      }
    }
  })

  it('refuse other methods of AUTH with the ones that work', async () => {
    for (const target of Object.values(targets(app))) {
      const [, refused] = await playSession(target, [hello, ['AUTH CRAM-MD5', 504], ['auth xoauth2 eA==', 504], ['AUTH', 504]])
      expect(refused).to.equal('504 5.5.4 AUTH takes PLAIN or LOGIN here')
    }
  })

  it('the password of a login opens no operation of the API', async () => {
    const { smtp } = await newLogin(app)
    for (const { method, path, isPublic } of Object.values(operations)) {
      if (isPublic || !path.startsWith('/api/v1/')) continue
      const called = path.slice('/api/v1'.length).replace(/\{\w+\}/g, app.account)
      const { status } = await app.api(method.toUpperCase(), called, { key: smtp.password, ...method !== 'get' && { body: {} } })
      expect([path, status]).to.deep.equal([path, 401])
    }
  })

  it('an address names the best port: submission, else SMTPS, else that for mail of others', async () => {
    const loginOf = async (env: Record<string, string>) => {
      await using named = await openTestApp({ env })
      const { smtp: { username, password, ...smtp } } = await newLogin(named)
      const { port, submission, smtps } = named.app.smtp
      const name = Object.entries({ port, submission: submission?.port, smtps: smtps?.port }).find(([, number]) => number === smtp.port)![0]
      expect(smtp.url).to.equal(`${smtp.security === 'tls' ? 'smtps' : 'smtp'}://${encodeURIComponent(username)}:${password}@${smtp.host}:${smtp.port}`)
      return [name, smtp.security, smtp.host]
    }
    expect(await loginOf(bothPorts)).to.deep.equal(['submission', 'starttls', 'localhost'])
    expect(await loginOf({ ...bothPorts, ...configured })).to.deep.equal(['submission', 'starttls', 'localhost'])
    expect(await loginOf({ MAYFLY_SMTPS_PORT: '0' })).to.deep.equal(['smtps', 'tls', 'localhost'])
    expect(await loginOf(configured)).to.deep.equal(['port', 'starttls', 'localhost'])
    expect(await loginOf({})).to.deep.equal(['port', 'none', 'localhost'])
    expect(await loginOf({ ...bothPorts, MAYFLY_MX_HOST: 'mx.example.org' })).to.deep.equal(['submission', 'starttls', 'mx.example.org'])
  })

  describe('limits', () => {
    it('of sessions by network are those of all ports together, also during a TLS handshake', async () => {
      await using limited = await openListener(app, { connectionsPerAddress: 3 })
      const { mx, submission, smtps } = targets(limited)
      await using first = await openSession(mx)
      await using second = await openSession(submission)
      for (const session of [first, second]) await session.play([hello])
      const silent = connect(smtps) // begins no TLS
      await once(silent, 'connect')
      while (limited.app.smtp.connections < 3) await new Promise(setImmediate)
      for (const target of [mx, submission]) {
        const error = await openSession(target).catch((error: Error) => error)
        if (error instanceof Error) throw error
        expect(error.greeting).to.equal('421 Too many connections from your address')
        await error[Symbol.asyncDispose]()
      }
      const refused = connect(smtps)
      let text = ''
      refused.on('data', (chunk) => { text += String(chunk) })
      await once(refused, 'close')
      expect(text).to.equal('') // no clear text where TLS is expected
      silent.destroy()
      while (limited.app.smtp.connections > 2) await new Promise(setImmediate)
      await using again = await openSession(smtps)
      await again.play([hello])
    })

    it('of all sessions end the one that is idle for longest, also one in its TLS handshake', async () => {
      await using limited = await openListener(app, { connections: 2, evictableMs: 0 })
      const { mx, smtps } = targets(limited)
      const silent = [connect(smtps), connect(smtps)]
      silent[0]!.write(Buffer.from('160301', 'hex')) // a part of a ClientHello
      const closed = silent.map((socket) => new Promise((resolve) => socket.on('error', () => {}).once('close', resolve)))
      while (limited.app.smtp.connections < 2) await new Promise(setImmediate)
      const { address } = await app.newAddress()
      await playSession(mx, [hello, ...delivery(address)])
      await Promise.race(closed)
      await playSession(smtps, [hello])
      for (const socket of silent) socket.destroy()
    })

    it('a session in its TLS handshake ends after the time without a byte', async () => {
      await using limited = await openListener(app, { idleMs: 50 })
      const silent = connect(targets(limited).smtps)
      await once(silent.resume(), 'close')
    })

    const oneHandshake = { handshakes: 1, handshakesPerSecond: 0.001 }

    it('TLS handshakes of one network beyond their number are delayed, on all ports together, and nothing else is', async () => {
      await using limited = await openListener(app, { ...oneHandshake, handshakeDelayMs: 600_000 })
      const { mx, submission, smtps } = targets(limited)
      await playSession(smtps, [hello])
      await using delayed = await openSession(submission)
      await delayed.play([hello])
      delayed.send('STARTTLS\r\n')
      const silent = connect(smtps)
      let hasTls = false
      void delayed.reply().then(() => { hasTls = true }, () => {})
      connectTls({ socket: silent, rejectUnauthorized: false }).on('secureConnect', () => { hasTls = true }).on('error', () => {})
      while (limited.app.smtp.connections < 2) await new Promise(setImmediate)
      const { address } = await app.newAddress()
      await playSession(mx, [hello, ...delivery(address)])
      expect(hasTls).to.equal(false)
      silent.destroy()
    })

    it('a delayed handshake is made after its delay, and commands that were injected before it do not run', async () => {
      await using limited = await openListener(app, { ...oneHandshake, handshakeDelayMs: 20 })
      const { submission, smtps } = targets(limited)
      for (let i = 0; i < 3; i++) await playSession(smtps, [hello])
      await using session = await openSession(submission)
      await session.play([hello])
      session.send('STARTTLS\r\nEHLO evil\r\nNOOP\r\n')
      await session.reply()
      await session.startTls()
      await session.play([['MAIL FROM:<a@example.org>', 503], hello])
    })

    it('a session whose handshake is delayed makes room for another', async () => {
      await using limited = await openListener(app, { ...oneHandshake, handshakeDelayMs: 600_000, connections: 1, evictableMs: 0 })
      const { mx, smtps } = targets(limited)
      await playSession(smtps, [hello])
      const silent = connect(smtps)
      const closed = once(silent.resume(), 'close')
      while (limited.app.smtp.connections < 1) await new Promise(setImmediate)
      const { address } = await app.newAddress()
      await playSession(mx, [hello, ...delivery(address)])
      await closed
    })

    it('of 100 guesses from one network, those beyond the limit are delayed, on all ports together', async () => {
      await using limited = await openListener(app, { guessesPerSecond: 0.001, guessDelayMs: 600_000 })
      const { smtp } = await newLogin(app)
      const wrong = { ...smtp, password: 'smtp_wrong' }
      const all = Object.values(targets(limited))
      for (let guess = 0; guess < 50; guess++) await playSession(all[guess % 3]!, [hello, authPlain(wrong, 535)])
      const delayed = await Promise.all(Array.from({ length: 50 }, async (_, i) => {
        const session = await openSession(all[i % 3]!)
        await session.play([hello])
        session.send(`${authPlain(wrong)[0].toString()}\r\n`)
        return session
      }))
      let answered = 0
      for (const session of delayed) session.reply().then(() => answered++, () => {})
      // right passwords are not delayed, and their replies come after those of the guesses would have
      for (const target of all) await playSession(target, [hello, authPlain(smtp), from])
      expect(answered).to.equal(0)
      for (const session of delayed) await session[Symbol.asyncDispose]()
    })
  })

  it('end with the server: idle sessions get 421, also within TLS', async () => {
    const listener = await openListener(app)
    const sessions = await Promise.all(Object.values(targets(listener)).map((target) => openSession(target)))
    for (const session of sessions) await session.play([hello])
    const handshake = connect(targets(listener).smtps)
    await once(handshake, 'connect')
    while (listener.app.smtp.connections < 4) await new Promise(setImmediate)
    handshake.on('error', () => {})
    await listener[Symbol.asyncDispose]()
    for (const session of sessions) expect(await session.ended()).to.equal('421 4.3.2 Server shutting down\r\n')
    for (const { host, port } of Object.values(targets(listener))) {
      const [error] = await once(connect({ host, port }), 'error') as [NodeJS.ErrnoException]
      expect(error.code).to.equal('ECONNREFUSED')
    }
  })
})

describe('SMTP ports for logins: certificate', () => {
  it('is self-signed for the mail host and this machine, and stays after a restart', async () => {
    const env = { ...bothPorts, MAYFLY_MX_HOST: 'mx.example.org' }
    await using first = await openTestApp({ env })
    const { submission, smtps, mx } = targets(first)
    const certificate = await shownCertificate(smtps)
    for (const name of ['mx.example.org', 'localhost']) expect(certificate.checkHost(name), name).to.equal(name)
    for (const ip of ['127.0.0.1', '::1']) expect(certificate.checkIP(ip), ip).to.equal(ip)
    expect([certificate.ca, certificate.checkHost('mail.localhost')]).to.deep.equal([false, undefined])
    expect(certificate.verify(certificate.publicKey)).to.equal(true)
    expect((await shownCertificate(submission)).fingerprint256).to.equal(certificate.fingerprint256)
    const [features] = await playSession(mx, [hello])
    expect(features).to.not.match(/STARTTLS/)
    await first.app.close()
    await using second = await openTestApp({ env, database: first.app.config.database, account: first })
    expect((await shownCertificate(targets(second).smtps)).fingerprint256).to.equal(certificate.fingerprint256)
  })

  it('is replaced by a configured one', async () => {
    await using app = await openTestApp({ env: { ...bothPorts, ...configured } })
    const { fingerprint256 } = new X509Certificate(await readFile(configured.MAYFLY_TLS_CERT))
    for (const target of Object.values(targets(app))) expect((await shownCertificate(target)).fingerprint256).to.equal(fingerprint256)
  })

  it('is made again for a new name, and before it ends, also while the server runs', async () => {
    await using first = await openTestApp({ env: bothPorts })
    const { database } = first.app.config
    const old = await shownCertificate(targets(first).smtps)
    const options = { env: { ...bothPorts, MAYFLY_MX_HOST: 'mx.example.org' }, database, account: first }
    const end = old.validToDate.getTime()
    await first.app.close()
    await using renamed = await openTestApp(options)
    expect((await shownCertificate(targets(renamed).smtps)).checkHost('mx.example.org')).to.equal('mx.example.org')
    await renamed.app.close()
    await using late = await openTestApp({ ...options, clock: testClock(end - 32 * 24 * 3_600_000) })
    const { fingerprint256 } = await shownCertificate(targets(late).smtps)
    await late.advance({ days: 3 })
    while ((await shownCertificate(targets(late).smtps)).fingerprint256 === fingerprint256) await new Promise(setImmediate)
    const renewed = await shownCertificate(targets(late).submission)
    expect(renewed.validToDate.getTime()).to.be.greaterThan(end)
    expect(renewed.fingerprint256).to.not.equal(fingerprint256)
  })
})
