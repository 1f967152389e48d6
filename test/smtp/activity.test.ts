import { expect } from 'chai'
import { pino } from 'pino'
import { openEndpoint } from '../support/endpoint.ts'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { openSession, playSession } from '../support/play-session.ts'
import { delivery, hello } from './mailbox.ts'

describe('Log: a line for each mail and each delivery', function () {
  let app: TestApp
  const written: string[] = []
  before(async () => {
    app = await openTestApp({
      env: { MAYFLY_ALLOW_PRIVATE_WEBHOOKS: 'true', MAYFLY_MAX_MESSAGE_BYTES: '4096' },
      smtpLimits: { connectionsPerAddress: 1, recipients: 2, unproductiveCommands: 1_000, guesses: 1_000 },
      log: pino({ level: 'info' }, { write: (line) => { written.push(line) } }),
    })
  })
  after(() => app[Symbol.asyncDispose]())
  beforeEach(async () => {
    await app.settled()
    await app.advance({ minutes: 2 }) // lines about refusals are limited by minute
    written.length = 0
  })
  const lines = (kind: string) => written.map((line) => JSON.parse(line)).filter((line) => line.kind === kind)
  const noPrivateText = () => expect(written.join('')).to.not.match(/private-name|shop@|secret/i)

  it('accepted: the id, the domains, the size and the time', async () => {
    const { id, address } = await app.newAddress({ alias: 'private-name' })
    await playSession(app.smtp, [hello, ...delivery(address, 'Subject: secret\r\n\r\nsecret\r\n')])
    const email = await app.onlyEmail(id)
    const [line] = lines('accepted')
    expect(line).to.deep.include({
      level: 30, msg: 'mail', outcome: 250, ids: [email.id], recipients: 1, domains: ['mail.localhost'], bytes: 27, remoteAddress: '127.0.0.1',
      senderDomain: 'example.org',
      tls: false,
    })
    expect(line.ms).to.be.within(0, 10_000)
    expect(lines('accepted')).to.have.length(1)
    noPrivateText()
  })

  it('refused: a sender, a recipient, further recipients, the announced and the real size', async () => {
    const { address } = await app.newAddress({ alias: 'private-name-2' })
    const { address: second } = await app.newAddress()
    await playSession(app.smtp, [
      hello,
      ['MAIL FROM:<a@x!y>', 553], ['MAIL FROM:<shop@example.org> SIZE=5000', 552],
      ['MAIL FROM:<shop@example.org>', 250], ['RCPT TO:<private-name-none@mail.localhost>', 550], ['RCPT TO:<shop@example.net>', 550],
      [`RCPT TO:<${address}>`, 250], [`RCPT TO:<${second}>`, 250], ['RCPT TO:<private-name-3@mail.localhost>', 452],
      ['DATA', 354], [`${'secret '.repeat(700)}\r\n.`, 552],
      ['NOOP', 250], ['NONSENSE', 500],
    ])
    const refused = lines('refused')
    const seen = refused.map(({ msg, stage, reason, outcome, senderDomain, domains, recipients }) =>
      [msg, stage, reason, outcome, senderDomain, domains, recipients])
    expect(seen).to.deep.equal([
      ['sender', 'sender', 'protocol', 553, 'malformed', [], 0],
      ['sender', 'sender', 'too_large', 552, 'example.org', [], 0],
      ['recipient', 'recipient', 'unknown_recipient', 550, 'example.org', ['mail.localhost'], 1],
      ['recipient', 'recipient', 'unknown_recipient', 550, 'example.org', ['example.net'], 1],
      ['recipient', 'recipient', 'too_many_recipients', 452, 'example.org', ['mail.localhost'], 1],
      ['mail', 'mail', 'too_large', 552, 'example.org', ['mail.localhost'], 2],
    ])
    expect(refused.at(-1).bytes).to.be.greaterThan(4096)
    for (const { level, ms, remoteAddress } of refused) expect([level, ms >= 0, remoteAddress]).to.deep.equal([30, true, '127.0.0.1'])
    noPrivateText()
  })

  for (const [path, senderDomain] of [
    ['a@x!private-name', 'malformed'], ['a@"private-name"', 'malformed'], ['a@private-name]', 'malformed'],
    [`private-name@${'long.'.repeat(60)}example`, 'malformed'],
    ['private-name@_x._y..', 'malformed'],
    [`${'private-name'.repeat(25)}@B\u00dccher.example`, 'xn--bcher-kva.example'],
  ] as const) {
    it(`refused: a malformed sender, without its local part: ${path.slice(0, 40)}`, async () => {
      const code = path.length > 250 ? 501 : 553
      await playSession(app.smtp, [hello, [`MAIL FROM:<${path}>${/[^\0-\x7f]/.test(path) ? ' SMTPUTF8' : ''}`, code]])
      expect(lines('refused').map((line) => [line.stage, line.outcome, line.senderDomain, line.domains])).to.deep.equal([
        ['sender', code, senderDomain, []],
      ])
      noPrivateText()
    })
  }

  it('refused: a malformed recipient, without its local part', async () => {
    const paths = ['a@x!private-name', 'private-name@[192.0.2.1]', 'private-name@OTHER.localhost.']
    await playSession(app.smtp, [hello, ['MAIL FROM:<>', 250], ...paths.map((path) => [`RCPT TO:<${path}>`, 550] as [string, number])])
    expect(lines('refused').map((line) => [line.senderDomain, line.domains])).to.deep.equal([
      ['', ['malformed']], ['', ['[192.0.2.1]']], ['', ['other.localhost.']],
    ])
    noPrivateText()
  })

  it('refused: the next reply does not repeat the path of an earlier command', async () => {
    const { address } = await app.newAddress()
    await playSession(app.smtp, [
      hello, ['MAIL FROM:<shop@example.org> SIZE=5000', 552], ['MAIL FROM:<shop@example.net>', 250], [`RCPT TO:<${address}>`, 250],
      ['RSET', 250], ['MAIL FROM:<> SIZE=5000', 552],
    ])
    expect(lines('refused').map((line) => [line.senderDomain, line.domains])).to.deep.equal([['example.org', []], ['', []]])
  })

  it('refused: a connection beyond the limit, and a mail whose client went away', async () => {
    const { address } = await app.newAddress()
    const session = await openSession(app.smtp)
    await openSession(app.smtp).catch(() => undefined)
    await session.play([hello, ...delivery(address).slice(0, 3)])
    session.socket.resetAndDestroy()
    while (lines('refused').length < 2) await new Promise(setImmediate)
    expect(lines('refused').map(({ msg, stage, reason, outcome }) => [msg, stage, reason, outcome])).to.deep.equal([
      ['connection', 'connection', 'dismissed', 421], ['mail', 'mail', 'lost', 'lost'],
    ])
  })

  it('refused: at most 100 a minute and network, then their number', async () => {
    await using session = await openSession(app.smtp)
    await session.play([hello, ['MAIL FROM:<shop@example.org>', 250]])
    for (let i = 0; i < 130; i++) await session.play([[`RCPT TO:<none-${i}@mail.localhost>`, 550]])
    expect(lines('refused')).to.have.length(100)
    expect(lines('left-out')).to.have.length(0)
    await app.advance({ minutes: 1 })
    expect(lines('left-out').map(({ network, refusals }) => [network, refusals])).to.deep.equal([['127.0.0.1', 30]])
    await session.play([['RCPT TO:<none@mail.localhost>', 550]])
    expect(lines('refused')).to.have.length(101)
  })

  it('delivered: each attempt, without local parts in the reason', async () => {
    const { id } = await app.newAddress({ alias: 'private-name-4' })
    const send = (to: string) => app.api('POST', '/emails', { body: { fromAddressId: id, to, subject: 'secret', body: 'secret' } })
    await send('private-name@example.org')
    await send('private-name-5@mail.localhost')
    await app.settled()
    expect(lines('delivered').map(({ msg, mail, outcome, attempt, domains, reason }) => [msg, mail, outcome, attempt, domains, reason]))
      .to.have.deep.members([
        ['delivery', 'sent', 'captured', 1, ['example.org'], undefined],
        ['delivery', 'sent', 'refused', 1, ['mail.localhost'], 'No such mailbox here'],
      ])
    noPrivateText()
  })

  it('webhook: each attempt, with the status', async () => {
    await using endpoint = await openEndpoint()
    const { body } = await app.api('POST', '/webhooks', { body: { url: endpoint.url, events: ['address.created'] } })
    await app.newAddress({ alias: 'private-name-6' })
    await app.settled()
    const [line] = lines('webhook')
    expect(line).to.include({ msg: 'webhook', webhook: body.data.id, event: 'address.created', outcome: 'succeeded', status: 200 })
    noPrivateText()
  })

  it('has requests of probes at the level debug only', async () => {
    for (const path of ['/healthz', '/readyz', '/metrics', '/nowhere']) await fetch(`${app.url}${path}`)
    const paths = written.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request').map(({ path }) => path)
    expect(paths).to.deep.equal(['/nowhere'])
  })
})
