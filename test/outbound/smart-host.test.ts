import { expect } from 'chai'
import { readSmartHost } from '../../server/outbound/routes.ts'
import { sendMail } from '../../server/outbound/send-mail.ts'
import type { SendOptions } from '../../server/outbound/send-mail.ts'
import { openReceiver } from '../support/receiver.ts'
import { shortMail } from './mails.ts'
import { openScriptedServer } from './scripted-server.ts'

const auth = { user: 'us@example.net', pass: 'p:a/s@s %' }
const login = `${encodeURIComponent(auth.user)}:${encodeURIComponent(auth.pass)}@`
/** Connects to loopback, but is not a loopback address, so it counts as a remote host. */
const remoteHost = '0.0.0.0'

const send = (url: string, options: Partial<SendOptions> = {}) =>
  sendMail({ kind: 'smarthost', url }, shortMail, { name: 'mayfly.example', timeouts: { quitMs: 50 }, ...options })

describe('Sending by a smart host', () => {
  it('reads all settings from the URL', () => {
    const open = { tls: 'offered', isVerified: false }
    const guarded = { isVerified: true }
    for (const [url, server] of [
      ['smtp://relay.example', { name: 'relay.example', host: 'relay.example', port: 587, ...open }],
      ['smtp://relay.example:25', { name: 'relay.example', host: 'relay.example', port: 25, ...open }],
      ['smtps://relay.example', { name: 'relay.example', host: 'relay.example', port: 465, tls: 'implicit', ...guarded }],
      [`smtp://${login}relay.example`, { name: 'relay.example', host: 'relay.example', port: 587, auth, tls: 'required', ...guarded }],
      [`smtps://${login}[2001:db8::1]:1`, { name: '2001:db8::1', host: '2001:db8::1', port: 1, auth, tls: 'implicit', ...guarded }],
      [`smtp://${login}[::1]:1`, { name: '::1', host: '::1', port: 1, auth, ...open }],
      [`smtp://${login}127.1.2.3`, { name: '127.1.2.3', host: '127.1.2.3', port: 587, auth, ...open }],
      ['smtp://relay.example?tls=required', { name: 'relay.example', host: 'relay.example', port: 587, tls: 'required', ...guarded }],
      ['smtps://relay.example?tls=required', { name: 'relay.example', host: 'relay.example', port: 465, tls: 'implicit', ...guarded }],
      [`smtp://${login}localhost:1/?tls=required`, { name: 'localhost', host: 'localhost', port: 1, auth, tls: 'required', isVerified: false }],
      ['smtps://localhost', { name: 'localhost', host: 'localhost', port: 465, tls: 'implicit', isVerified: false }],
      ['smtp://u:100%25%@localhost', { name: 'localhost', host: 'localhost', port: 587, auth: { user: 'u', pass: '100%25%' }, ...open }],
    ] as const) expect(readSmartHost(url), url).to.deep.equal(server)
  })

  for (const tls of [false, true, 'implicit'] as const) {
    it(`logs in and sends, ${tls ? `with ${tls === true ? 'STARTTLS' : 'TLS'}` : 'without TLS'} on this machine`, async () => {
      await using receiver = await openReceiver({ tls, auth })
      const outcome = await send(`${tls === 'implicit' ? 'smtps' : 'smtp'}://${login}127.0.0.1:${receiver.port}`)
      expect(outcome).to.deep.equal({ kind: 'sent', host: '127.0.0.1', reply: '250 OK: queued as 1234' })
      expect(await receiver.next()).to.include({ sender: 'shop@example.net', recipient: 'ann@example.org', tls: !!tls })
    })
  }

  it('is deferred when the password is wrong, with a reason that does not show it', async () => {
    await using receiver = await openReceiver({ auth: { user: auth.user, pass: 'another' } })
    expect(await send(`smtp://${login}127.0.0.1:${receiver.port}`)).to.deep.equal({
      kind: 'deferred', reason: 'The smart host 127.0.0.1 did not take the user and password that this server is set up with (535)',
    })
    await using parrot = await openScriptedServer({ AUTH: `535 wrong: ${auth.pass}` })
    const outcome = await send(`smtp://${login}127.0.0.1:${parrot.port}`)
    expect(JSON.stringify(outcome)).to.not.include(auth.pass).and.not.include('AUTH')
  })

  it('is deferred when the host requires a password and none is set', async () => {
    await using receiver = await openReceiver({ auth })
    const outcome = await send(`smtp://127.0.0.1:${receiver.port}`)
    expect(outcome).to.deep.equal({ kind: 'deferred', reason: '127.0.0.1 said: 530 Error: authentication Required' })
  })

  it('sends no password to a remote host without TLS', async () => {
    await using plain = await openScriptedServer({ EHLO: '250-x\r\n250 AUTH PLAIN', STARTTLS: '502 what?' })
    expect(await send(`smtp://${login}${remoteHost}:${plain.port}`)).to.deep.equal({
      kind: 'deferred', reason: `${remoteHost} does not offer TLS, without which this server sends it no password and no mail`,
    })
    expect(plain.lines).to.deep.equal(['EHLO mayfly.example', 'STARTTLS'])
    await using broken = await openScriptedServer({ EHLO: '250-x\r\n250-STARTTLS\r\n250 AUTH PLAIN' })
    expect(await send(`smtp://${login}${remoteHost}:${broken.port}`))
      .to.deep.equal({ kind: 'deferred', reason: `No TLS with ${remoteHost}: it broke off the connection` })
    expect(broken.connections).to.equal(1)
  })

  it('sends no password to a remote host whose certificate is invalid', async () => {
    for (const [tls, scheme] of [[true, 'smtp'], ['implicit', 'smtps']] as const) {
      await using receiver = await openReceiver({ tls, auth })
      expect(await send(`${scheme}://${login}${remoteHost}:${receiver.port}`)).to.deep.equal({
        kind: 'deferred', reason: `No TLS with ${remoteHost}: its certificate is not good (DEPTH_ZERO_SELF_SIGNED_CERT)`,
      })
      expect(receiver.mails).to.deep.equal([])
    }
  })

  it('sends no mail without TLS where it is required, and sends it where the host has TLS', async () => {
    await using plain = await openScriptedServer({ EHLO: '250 x', STARTTLS: '502 what?' })
    expect(await send(`smtp://127.0.0.1:${plain.port}?tls=required`)).to.deep.equal({
      kind: 'deferred', reason: '127.0.0.1 does not offer TLS, without which this server sends it no password and no mail',
    })
    expect(plain.lines).to.deep.equal(['EHLO mayfly.example', 'STARTTLS'])
    await using receiver = await openReceiver({ tls: true, auth })
    expect(await send(`smtp://${login}127.0.0.1:${receiver.port}?tls=required`)).to.include({ kind: 'sent' })
    expect(await receiver.next()).to.include({ sender: 'shop@example.net', tls: true })
    await using remote = await openReceiver({ tls: true })
    expect(await send(`smtp://${remoteHost}:${remote.port}?tls=required`)).to.deep.equal({
      kind: 'deferred', reason: `No TLS with ${remoteHost}: its certificate is not good (DEPTH_ZERO_SELF_SIGNED_CERT)`,
    })
  })

  it('reports a permanent refusal, and is deferred when the host cannot be reached', async () => {
    await using receiver = await openReceiver({ replies: { rcpt: () => ({ code: 550, text: '5.7.1 Relaying denied' }) } })
    const url = `smtp://127.0.0.1:${receiver.port}`
    expect(await send(url)).to.deep.equal({ kind: 'refused', reason: '127.0.0.1 said: 550 5.7.1 Relaying denied' })
    await receiver[Symbol.asyncDispose]()
    expect(await send(url)).to.deep.equal({ kind: 'deferred', reason: 'No connection to 127.0.0.1: it refused the connection' })
    expect(await send('smtp://no-such-host.invalid', { timeouts: { connectionMs: 500 } })).to.include({ kind: 'deferred' })
  })
})
