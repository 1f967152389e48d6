import { expect } from 'chai'
import { once } from 'node:events'
import { connect } from 'node:tls'
import pino from 'pino'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { openCertificateAuthority } from '../support/certificate-authority.ts'
import type { CertificateAuthority } from '../support/certificate-authority.ts'
import { freePort } from '../support/dns-server.ts'
import { rawRequest } from '../support/raw-request.ts'
import { shownCertificate } from './mailbox.ts'

const host = 'mx.example.com'
const path = '/.well-known/acme-challenge/'
/** A third of the life of a certificate is left then: it begins a day before the order, and ends a day after it. */
const dueAfterHours = 8

describe('SMTP certificate by ACME', () => {
  let authority: CertificateAuthority
  let lines: string[]
  let overTls: { MAYFLY_ACME_TLS_PORT: string }
  beforeEach(async () => {
    lines = []
    overTls = { MAYFLY_ACME_TLS_PORT: String(await freePort()) }
    authority = await openCertificateAuthority()
  })
  afterEach(() => authority[Symbol.asyncDispose]())

  async function open(env: Record<string, string> = {}, asksAt = ({ url }: TestApp): string | number => env['MAYFLY_ACME_TLS_PORT'] ?? url) {
    const { promise: isOpen, resolve } = Promise.withResolvers<void>()
    authority.beforeProof = () => isOpen
    const app = await openTestApp({
      env: { MAYFLY_ACME_EMAIL: 'ada@example.com', MAYFLY_ACME_DIRECTORY: authority.directory, MAYFLY_MX_HOST: host, ...env },
      log: pino({ level: 'info' }, { write: (line) => { lines.push((JSON.parse(line) as { msg: string }).msg) } }),
    })
    authority.asksAt = asksAt(app)
    authority.now = app.app.clock.now
    resolve()
    return app
  }
  const shown = ({ app: { smtp } }: TestApp) => shownCertificate({ host: '127.0.0.1', port: smtp.port })
  const told = () => lines.filter((line) => line.startsWith('ACME'))
  /** Waits for the end of the order under way. */
  const ordered = ({ app }: TestApp) => app.smtp.reloadCertificate()

  it('is ordered at the start, and served at the port for mail and at those for logins', async () => {
    authority.slowLooks = 1
    await using app = await open({ MAYFLY_SMTPS_PORT: '0' })
    await ordered(app)
    expect([...authority.contacts.values()]).to.deep.equal(['mailto:ada@example.com'])
    expect(authority.issued).to.have.length(1)
    const [issued] = authority.issued
    expect(issued!.subjectAltName).to.equal(`DNS:${host}`)
    expect((await shown(app)).fingerprint256).to.equal(issued!.fingerprint256)
    const smtps = await shownCertificate({ host: '127.0.0.1', port: app.app.smtp.smtps!.port, tls: {} })
    expect(smtps.fingerprint256).to.equal(issued!.fingerprint256)
    expect(told()).to.deep.equal([`ACME: a new certificate for ${host} is served, which ends on ${issued!.validToDate.toISOString().slice(0, 10)}`])
  })

  it('is ordered by a proof over TLS, at a port that speaks nothing else', async () => {
    await using app = await open(overTls)
    await ordered(app)
    expect(authority.issued).to.have.length(1)
    expect((await shown(app)).fingerprint256).to.equal(authority.issued[0]!.fingerprint256)
    for (const other of [
      { servername: host, ALPNProtocols: ['http/1.1'] }, { servername: 'mx.example.org', ALPNProtocols: ['acme-tls/1'] },
    ]) {
      const socket = connect({ host: '127.0.0.1', port: Number(overTls.MAYFLY_ACME_TLS_PORT), rejectUnauthorized: false, ...other })
      socket.on('secureConnect', () => socket.destroy(new Error('connected')))
      const [error] = await once(socket, 'error').catch((error: NodeJS.ErrnoException) => [error]) as [NodeJS.ErrnoException]
      expect(error.code, error.message).to.match(/^ERR_SSL_|^ECONNRESET$/)
    }
  })

  it('is renewed when a third of its life is left, with the same account, and without a proof where the authority has one', async () => {
    await using app = await open()
    await ordered(app)
    await app.advance({ hours: dueAfterHours })
    await ordered(app)
    expect(authority.issued).to.have.length(1)
    authority.remembersProofs = true
    authority.asksAt = ''
    await app.advance({ minutes: 5 })
    await ordered(app)
    expect(authority.issued).to.have.length(2)
    expect((await shown(app)).fingerprint256).to.equal(authority.issued[1]!.fingerprint256)
    expect(authority.contacts.size).to.equal(1)
  })

  it('stays when the authority refuses the next one, and is asked for again later and later', async () => {
    await using app = await open()
    const { address } = await app.newAddress()
    await ordered(app)
    await app.advance({ hours: dueAfterHours })
    lines = []
    authority.refusal = { type: 'rateLimited', detail: 'too many certificates' }
    await app.advance({ minutes: 5 })
    await ordered(app)
    const next = new Date(app.app.clock.now() + 15 * 60_000).toISOString()
    expect(told()).to.deep.equal([`ACME: ${new URL(authority.directory).host} has issued no certificate for ${host}: too many certificates. `
      + `The one before stays, and the next attempt is at ${next}`])
    expect((await shown(app)).fingerprint256).to.equal(authority.issued[0]!.fingerprint256)
    await app.send({ to: address, subject: 'while it is refused' })
    for (const [minutes, attempts] of [[10, 1], [6, 2], [20, 2], [11, 3]] as const) {
      await app.advance({ minutes })
      await ordered(app)
      expect(told(), `${minutes} minutes later`).to.have.length(attempts)
    }
    authority.refusal = undefined
    await app.advance({ minutes: 61 })
    await ordered(app)
    expect((await shown(app)).fingerprint256).to.equal(authority.issued[1]!.fingerprint256)
  })

  it('is kept when the authority sends a certificate that does not match the private key', async () => {
    await using app = await open()
    await ordered(app)
    lines = []
    authority.sendsOther = true
    await app.advance({ hours: dueAfterHours, minutes: 5 })
    await ordered(app)
    expect(told()).to.have.length(1)
    expect(told()[0]).to.include(`${host}: it sent no certificate for the key of the request. The one before stays`)
    expect((await shown(app)).fingerprint256).to.equal(authority.issued[0]!.fingerprint256)
  })

  for (const [way, fault] of [
    ['over HTTP', new RegExp(`: ${host} answered 404 at ${path}[\\w-]+\\. The one before stays`)],
    ['over TLS', /: (.*ECONNREFUSED.*)\. The one before stays/],
  ] as const) {
    it(`is not issued when the authority does not find the proof ${way}, and says why`, async () => {
      await using other = await openTestApp()
      await using app = await open(way === 'over HTTP' ? {} : overTls, () => way === 'over HTTP' ? other.url : 1)
      await ordered(app)
      expect(authority.issued).to.deep.equal([])
      expect(told()).to.have.length(1)
      expect(told()[0]).to.match(fault)
    })
  }

  it('says why the authority is not reached', async () => {
    await using app = await open({ MAYFLY_ACME_DIRECTORY: 'http://127.0.0.1:1/directory' })
    await ordered(app)
    expect(told()).to.have.length(1)
    expect(told()[0]).to.match(/^ACME: 127\.0\.0\.1:1 has issued no certificate for mx\.example\.com: connect ECONNREFUSED /)
  })

  it('shows no other text than the proof, and none without the setting', async () => {
    await using off = await openTestApp()
    await using on = await open()
    await ordered(on)
    const asked = authority.askedPaths[0]!
    const { text: answer, headers } = await rawRequest(on.url, { path: asked })
    expect(headers['content-type']).to.equal('text/plain; charset=utf-8')
    expect(`${path}${answer.split('.')[0]}`).to.equal(asked)
    for (const [url, wrong] of [
      [off.url, asked], [on.url, path], [on.url, `${path}${answer}`], [on.url, asked.slice(0, -1)], [on.url, `${path}%00`],
    ] as const) {
      expect((await rawRequest(url, { path: wrong })).status, wrong).to.equal(404)
    }
  })

  it('is not awaited by the end of the server', async () => {
    await using app = await open()
    await ordered(app)
    authority.beforeProof = () => new Promise(() => {})
    await app.advance({ hours: dueAfterHours, minutes: 5 })
    await app.app.close()
    expect(told()).to.have.length(1)
  })
})
