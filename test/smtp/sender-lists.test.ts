import { expect } from 'chai'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { openSession, playSession } from '../support/play-session.ts'
import type { Step } from '../support/play-session.ts'
import { createAccount, ownerOf } from '../support/store/accounts.ts'
import { addDomains } from '../support/store/domains.ts'

const plain = (username: string, password: string) => Buffer.from(`\0${username}\0${password}`).toString('base64')

interface Sent {
  /** The sender in MAIL. */
  from: string
  /** The header, if it is not a From field with that sender. */
  header?: string
  /** Whether the header has a byte for each character. */
  isLatin1?: boolean
}

interface Lists {
  allowedSenders?: string[] | null
  blockedSenders?: string[] | null
}

/** Fields that end with this one, at 64 KiB. */
function longFields(last: string): string {
  const field = `X: ${'x'.repeat(995)}\r\n`
  const many = field.repeat(65)
  return `${many}X: ${'x'.repeat(64 * 1024 - many.length - last.length - 'X: \r\n'.length)}\r\n${last}`
}

describe('Senders of an address', () => {
  let app: TestApp
  beforeEach(async () => { app = await openTestApp() })
  afterEach(() => app[Symbol.asyncDispose]())

  const update = (id: string, body: unknown, key = app.key) => app.api('PATCH', `/addresses/${id}`, { key, body })
  const activity = async (id: string, key = app.key) => (await app.api('GET', `/addresses/${id}/activity`, { key })).body.data

  /** Sends a mail. @returns the last reply: of RCPT, where that refuses the only recipient */
  async function send(to: string[], { from, header = `From: ${from}`, isLatin1 = false }: Sent, login: Step[] = []): Promise<string> {
    await using session = await openSession(app.smtp)
    await session.play([['EHLO mx.example', 250], ...login, [`MAIL FROM:<${from}>${/[^ -~]/.test(from) ? ' SMTPUTF8' : ''}`, 250]])
    let taken = 0
    let reply = ''
    for (const recipient of to) {
      session.send(`RCPT TO:<${recipient}>\r\n`)
      reply = await session.reply()
      if (reply.startsWith('250')) taken++
    }
    if (taken === 0) return reply
    await session.play([['DATA', 354]])
    session.send(Buffer.from(`${header}\r\nSubject: hello\r\n\r\nhi\r\n.\r\n`, isLatin1 ? 'latin1' : 'utf8'))
    reply = await session.reply()
    await app.settled()
    return reply
  }

  const refusedAtRcpt = '550 5.7.1 The recipient takes no mail of this sender'
  const refusedAtEnd = '550 5.7.1 The recipient takes no mail of the sender in the From field'
  const accepted = '250 2.6.0 Accepted'

  it('are shown as they are compared, set at its creation or later, and removed by null or an empty list', async () => {
    const lists = { allowedSenders: ['Ada@Shop.example', '@Bücher.example', '@*.SHOP.example.', 'ada@shop.example'], blockedSenders: ['@localhost'] }
    const shown = { allowedSenders: ['ada@shop.example', '@xn--bcher-kva.example', '@*.shop.example'], blockedSenders: ['@localhost'] }
    const created = await app.api('POST', '/addresses', { body: lists })
    expect(created.body.data).to.deep.include(shown)
    const { id } = created.body.data
    expect((await app.api('GET', `/addresses/${id}`)).body.data).to.deep.include(shown)
    const changed = await update(id, { blockedSenders: null })
    expect([changed.status, changed.body.data.blockedSenders]).to.deep.equal([200, []])
    expect(changed.body).to.deep.equal((await app.api('GET', `/addresses/${id}`)).body)
    expect((await update(id, { allowedSenders: [] })).body.data).to.deep.include({ allowedSenders: [], blockedSenders: [] })
    expect((await app.api('GET', '/addresses')).body.data.addresses[0]).to.deep.include({ allowedSenders: [], blockedSenders: [] })
  })

  it('are refused with their place in the list when they are malformed, too long or too many', async () => {
    const { id } = await app.newAddress()
    for (const pattern of ['shop.example', '@', '@*.', '*@shop.example', '@a.*.example', '@shop..example', 'a b@shop.example', `@${'a.'.repeat(126)}com`, '@@shop.example']) {
      for (const member of ['allowedSenders', 'blockedSenders']) {
        const { status, body } = await update(id, { [member]: ['@shop.example', pattern] })
        expect([status, body.code, body.details?.[0].path], pattern).to.deep.equal([400, 'INVALID_REQUEST', `body.${member}.1`])
      }
    }
    const pattern = `@${'a.'.repeat(125)}ab`
    expect((await update(id, { allowedSenders: [pattern] })).status).to.equal(200)
    expect((await update(id, { allowedSenders: [`${pattern}cdef`] })).body.details[0].path).to.equal('body.allowedSenders.0')
    const many = (count: number) => Array.from({ length: count }, (_, i) => `@shop-${i}.example`)
    expect((await update(id, { blockedSenders: many(50) })).status).to.equal(200)
    expect((await update(id, { blockedSenders: many(51) })).body.details[0].path).to.equal('body.blockedSenders')
    expect((await update(id, {})).status).to.equal(400)
    expect((await app.api('POST', '/addresses', { body: { allowedSenders: ['x'.repeat(3)] } })).body.details[0].path).to.equal('body.allowedSenders.0')
  })

  /** `a@почта.example` in windows-1251. */
  const inCyrillic = 'From: a@\xef\xee\xf7\xf2\xe0.example'

  it('are short enough that clients read a page of addresses that have the longest ones', async () => {
    const list = Array.from({ length: 9 }, (_, i) => `a${i}@${'b.'.repeat(120)}ab.example`.padStart(254, 'x'))
    const lists = { allowedSenders: [...list, `@${'c'.repeat(60)}.example`], blockedSenders: list }
    const create = (body: object) => app.api('POST', '/addresses', { body: { alias: `a-${app.app.db.newId()}`.padEnd(100, 'x'), ...body } })
    const refused = await create({ allowedSenders: [...list, ...list.map((pattern) => pattern.replace('x', 'y'))] })
    expect([refused.status, refused.body.details]).to.deep.equal([400, [{ path: 'body.allowedSenders', message: 'must have at most 2500 bytes of JSON' }]])
    for (let i = 0; i < 100; i++) expect((await create(lists)).status).to.equal(201)
    const { body } = await app.api('GET', '/addresses?limit=100')
    expect(body.data.addresses[99].blockedSenders).to.deep.equal(list)
    expect(Buffer.byteLength(JSON.stringify(body))).to.be.within(500_000, 600_000)
  })

  const cases: [Lists, Sent, string][] = [
    [{ allowedSenders: ['a@shop.example'] }, { from: 'A@Shop.EXAMPLE' }, accepted],
    [{ allowedSenders: ['a@shop.example'] }, { from: 'a+b@shop.example' }, refusedAtEnd],
    [{ allowedSenders: ['@shop.example'] }, { from: 'a@mail.shop.example' }, refusedAtEnd],
    [{ allowedSenders: ['@shop.example'] }, { from: 'a@other-shop.example' }, refusedAtEnd],
    [{ allowedSenders: ['@*.shop.example'] }, { from: 'a@eu.mail.shop.example' }, accepted],
    [{ allowedSenders: ['@*.shop.example'] }, { from: 'a@shop.example' }, refusedAtEnd],
    [{ allowedSenders: ['@bücher.example'] }, { from: 'a@xn--bcher-kva.example' }, accepted],
    [{ allowedSenders: ['@xn--bcher-kva.example'] }, { from: 'a@BÜCHER.example' }, accepted],
    // mail of a service that sends for the shop
    [{ allowedSenders: ['@shop.example'] }, { from: '0101@bounces.service.example', header: 'From: Shop <no-reply@shop.example>' }, accepted],
    // a From field that is not the sender of the envelope
    [{ allowedSenders: ['@shop.example'] }, { from: 'a@shop.example', header: 'From: Shop <evil@evil.example>' }, refusedAtEnd],
    [{ allowedSenders: ['@shop.example'] }, { from: 'a@shop.example', header: 'From: "a@shop.example" <evil@evil.example>' }, refusedAtEnd],
    [{ allowedSenders: ['@shop.example'] }, { from: 'a@shop.example', header: 'From: evil@evil.example\r\nFrom: a@shop.example' }, refusedAtEnd],
    [{ allowedSenders: ['@shop.example'] }, { from: 'a@shop.example', header: 'From: evil@evil.example, a@shop.example' }, refusedAtEnd],
    [{ allowedSenders: ['@shop.example'] }, { from: 'a@shop.example', header: 'Sender: a@shop.example' }, refusedAtEnd],
    [{ allowedSenders: ['@shop.example'] }, { from: 'a@shop.example', header: `X-Long: ${'x'.repeat(900)}\r\n`.repeat(80) + 'From: evil@evil.example' }, refusedAtEnd],
    [{ allowedSenders: ['@shop.example'] }, { from: 'a@shop.example', header: `${'X: y\r\n'.repeat(900)}From: a@shop.example` }, accepted],
    [{ allowedSenders: ['@shop.example'] }, { from: 'a@shop.example', header: `${'X: y\r\n'.repeat(1_000)}From: a@shop.example` }, refusedAtEnd],
    // where the bytes that are read would end within the field
    [{ allowedSenders: ['@shop.example'] }, { from: 'a@shop.example', header: `${'X: y\r\n'.repeat(999)}From: a@shop.example\r\n <evil@evil.example>` }, refusedAtEnd],
    [{ allowedSenders: ['@shop.example'] }, { from: 'a@shop.example', header: `${longFields('From: a@shop.example')}.evil.example` }, refusedAtEnd],
    [{ allowedSenders: ['@shop.example'] }, { from: '', header: 'From: mailer-daemon@shop.example' }, accepted],
    [{ allowedSenders: ['@shop.example'] }, { from: '', header: 'From: mailer-daemon@mx.example' }, refusedAtEnd],
    [{ blockedSenders: ['@shop.example'] }, { from: 'a@shop.example', header: 'From: a@other.example' }, refusedAtRcpt],
    [{ blockedSenders: ['@shop.example'] }, { from: 'a@other.example', header: 'From: A <A@SHOP.example>' }, refusedAtEnd],
    [{ blockedSenders: ['@shop.example'] }, { from: 'a@mail.shop.example' }, accepted],
    [{ blockedSenders: ['@*.shop.example'] }, { from: 'a@mail.shop.example' }, refusedAtRcpt],
    [{ blockedSenders: ['ü@bücher.example'] }, { from: 'Ü@BÜCHER.example' }, refusedAtRcpt],
    [{ blockedSenders: ['@shop.example'] }, { from: '', header: 'From: mailer-daemon@mx.example' }, accepted],
    // a header that goes on where the reading ends may have any sender in the rest
    [{ blockedSenders: ['@shop.example'] }, { from: 'a@other.example', header: `${'X: y\r\n'.repeat(900)}From: a@shop.example` }, refusedAtEnd],
    [{ blockedSenders: ['@shop.example'] }, { from: 'a@other.example', header: `${'X: y\r\n'.repeat(1_100)}From: a@shop.example` }, refusedAtEnd],
    [{ blockedSenders: ['@shop.example'] }, { from: 'a@other.example', header: `X-Long: ${'x'.repeat(900)}\r\n`.repeat(80) + 'From: a@shop.example' }, refusedAtEnd],
    [{ blockedSenders: ['@shop.example'] }, { from: 'a@other.example', header: `From: Shop\r\n${'X: y\r\n'.repeat(1_100)}From: a@shop.example` }, refusedAtEnd],
    [{ blockedSenders: ['@shop.example'] }, { from: 'a@other.example', header: `From: a@other.example\r\n${'X: y\r\n'.repeat(1_100)}` + 'From: a@shop.example' }, accepted],
    [{ blockedSenders: ['@shop.example'] }, { from: 'a@other.example', header: `Date: today\r\n\r\n${'line\r\n'.repeat(20_000)}` }, accepted],
    // an address in a charset that is named later
    [{ blockedSenders: ['@почта.example'] }, { from: 'a@other.example', header: `${inCyrillic}\r\n\r\n${'line\r\n'.repeat(1_100)}charset=windows-1251`, isLatin1: true }, refusedAtEnd],
    [{ blockedSenders: ['@почта.example'] }, { from: 'a@other.example', header: `${inCyrillic}\r\n${'X: y\r\n'.repeat(1_100)}X: charset=windows-1251`, isLatin1: true }, refusedAtEnd],
    [{ allowedSenders: ['@shop.example'], blockedSenders: ['news@shop.example'] }, { from: 'news@shop.example' }, refusedAtRcpt],
    [{ allowedSenders: ['@shop.example'], blockedSenders: ['news@shop.example'] }, { from: 'a@shop.example' }, accepted],
  ]

  it('decide on each mail, by its From field and, where blocked, by its envelope', async () => {
    for (const [lists, sent, reply] of cases) {
      const { id, address } = (await app.api('POST', '/addresses', { body: lists })).body.data
      const name = JSON.stringify({ ...lists, from: sent.from, header: sent.header?.slice(-80) })
      expect(await send([address], sent), name).to.equal(reply)
      expect((await app.listEmails({ address_id: id })).length, name).to.equal(reply === accepted ? 1 : 0)
      const [{ stage, code, enhancedCode, text, from, recipients, emailId }, ...others] = await activity(id)
      expect(others).to.deep.equal([])
      expect([stage, from.toLowerCase()], name).to.deep.equal([reply === refusedAtRcpt ? 'rcpt' : 'end', sent.from.toLowerCase()])
      expect(`${code} ${enhancedCode} ${text}`).to.equal(reply)
      expect([recipients, emailId === null]).to.deep.equal([[address], reply !== accepted])
    }
  })

  it('hold for mail that does not fit in memory', async () => {
    const { id, address } = await app.newAddress({ allowedSenders: ['@shop.example'] })
    const body = 'long line\r\n'.repeat(200_000)
    expect(await send([address], { from: 'a@b.example', header: `From: a@b.example\r\n\r\n${body}` })).to.equal(refusedAtEnd)
    expect(await send([address], { from: 'a@b.example', header: `From: a@shop.example\r\nSubject: long\r\n\r\n${body}` })).to.equal(accepted)
    expect((await app.listEmails({ address_id: id })).map(({ subject }) => subject)).to.deep.equal(['long'])
  })

  it('decide for each recipient: the others get the mail, and the activity of each has what happened there', async () => {
    const [none, blocked, open] = [
      await app.newAddress({ allowedSenders: ['@github.com'] }), await app.newAddress({ blockedSenders: ['@shop.example'] }), await app.newAddress(),
    ]
    const shop = { from: 'bounce@service.example', header: 'From: a@shop.example' }
    expect(await send([none.address, open.address, blocked.address], shop)).to.equal(accepted)
    expect((await app.listEmails()).map(({ addressId }) => addressId)).to.deep.equal([open.id])
    for (const { id, address } of [none, blocked]) {
      expect((await activity(id)).map(({ stage, code, recipients }: Record<string, unknown>) => [stage, code, recipients])).to.deep.equal([['end', 550, [address]]])
    }
    expect((await activity(open.id)).map(({ code }: { code: number }) => code)).to.deep.equal([250])
    expect(await send([none.address, blocked.address], shop)).to.equal(refusedAtEnd)
    expect(await app.listEmails()).to.have.length(1)
  })

  it('change for the next recipient of a session', async () => {
    const { id, address } = await app.newAddress()
    const rcpt = (code: number): Step[] => [['RSET', 250], ['MAIL FROM:<a@shop.example>', 250], [`RCPT TO:<${address}>`, code]]
    await using session = await openSession(app.smtp)
    await session.play([['EHLO mx.example', 250], ...rcpt(250)])
    await update(id, { blockedSenders: ['@shop.example'] })
    await session.play(rcpt(550))
    await update(id, { blockedSenders: null })
    await session.play(rcpt(250))
  })

  it('hold for an SMTP login, whatever its recipients', async () => {
    const { id, smtp } = (await app.api('POST', '/addresses', { body: { smtpLogin: true, allowedSenders: ['@shop.example'], blockedSenders: ['news@shop.example'] } })).body.data
    const login: Step[] = [[`AUTH PLAIN ${plain(smtp.username, smtp.password)}`, 235]]
    const to = ['ada@customer.example', 'lin@customer.example']
    expect(await send(to, { from: 'app@shop.example' }, login)).to.equal(accepted)
    expect(await send(to, { from: 'app@other.example' }, login)).to.equal(refusedAtEnd)
    expect(await send(to, { from: 'news@shop.example' }, login)).to.equal(refusedAtRcpt)
    expect((await app.listEmails({ address_id: id })).length).to.equal(1)
    expect((await activity(id)).map(({ stage, recipients }: Record<string, unknown>) => [stage, recipients])).to.deep.equal([
      ['rcpt', [to[1]]], ['rcpt', [to[0]]], ['end', to], ['end', to],
    ])
  })

  it('hold for the address of a catch-all of a domain, and of the server', async () => {
    await addDomains(app, (await ownerOf(app, app.key)).accountId, { 'qa.example.com': 'verified' })
    const [{ id: domainId }] = (await app.api('GET', '/domains')).body.data
    const catcher = await app.newAddress({ allowedSenders: ['@shop.example'], blockedSenders: ['@evil.example'] })
    await app.api('PATCH', `/domains/${domainId}`, { body: { catchAllId: catcher.id } })
    for (const [from, reply] of [['a@shop.example', accepted], ['a@other.example', refusedAtEnd], ['a@evil.example', refusedAtRcpt]] as const) {
      expect(await send(['any@qa.example.com'], { from })).to.equal(reply)
    }

    await using other = await openTestApp({ env: { MAYFLY_CATCH_ALL: 'dev' } })
    const owner = await other.newKey({ account: (await createAccount(other, 'owner@mail.localhost')).id })
    await other.api('POST', '/addresses', { key: owner, body: { alias: 'dev', blockedSenders: ['@evil.example'] } })
    const strict = await other.newAddress({ blockedSenders: ['@evil.example'] })
    await playSession(other.smtp, [
      ['EHLO app.example', 250], ['MAIL FROM:<a@evil.example>', 250], ['RCPT TO:<ada@customer.example>', 550], [`RCPT TO:<${strict.address}>`, 550],
      ['RSET', 250], ['MAIL FROM:<a@shop.example>', 250], ['RCPT TO:<ada@customer.example>', 250],
    ])
  })

  it('compare mail of this server by its From field, not by its return path', async () => {
    const [sender, inbox] = [await app.newAddress({ alias: 'sender' }), await app.newAddress({ blockedSenders: ['other@mail.localhost'] })]
    const post = async () => (await app.api('POST', '/emails', { body: { fromAddressId: sender.id, to: inbox.address, subject: 's', body: 'b' } })).body.data.id
    const delivered = await post()
    await app.settled()
    await update(inbox.id, { blockedSenders: ['@mail.localhost'] })
    const refused = await post()
    await app.settled()
    expect((await app.api('GET', `/emails/${delivered}`)).body.data.status).to.equal('sent')
    expect((await app.api('GET', `/emails/${refused}`)).body.data).to.include({
      status: 'failed', failureReason: 'The address takes no mail of this sender, by its allowedSenders or blockedSenders. Change them, or send from another address.',
    })
    expect((await activity(inbox.id)).map(({ client, code, from }: Record<string, unknown>) => [client, code, from]))
      .to.deep.equal([[null, 550, 'sender@mail.localhost'], [null, 250, 'sender@mail.localhost']])
  })

  it('hold for mail of POST /test/emails, which is answered 409', async () => {
    const key = await app.newKey({ isTest: true })
    const { id, address } = (await app.api('POST', '/addresses', { key, body: { allowedSenders: ['@shop.example'] } })).body.data
    const post = (from: string) => app.api('POST', '/test/emails', { key, body: { to: address, from, subject: 's' } })
    expect((await post('Shop <a@shop.example>')).status).to.equal(201)
    const { status, body } = await post('a@other.example')
    expect([status, body.code, body.error]).to.deep.equal([409, 'CONFLICT',
      'The address takes no mail of this sender, by its allowedSenders or blockedSenders. Change them, or send from another address.'])
    expect((await activity(id, key))[0]).to.deep.include({ client: null, stage: 'end', code: 550, from: 'a@other.example', emailId: null })
  })

  it('hold for the report on an email, which is answered 409', async () => {
    const [sender, inbox] = [await app.newAddress({ allowedSenders: ['@shop.example'] }), await app.newAddress()]
    await send([inbox.address], { from: sender.address })
    const { id } = await app.onlyEmail(inbox.id)
    const report = () => app.api('POST', `/emails/${id}/bounce`)
    expect((await report()).body).to.include({ code: 'CONFLICT' })
    await update(sender.id, { allowedSenders: ['mailer-daemon@mail.localhost'] })
    expect((await report()).body.data).to.include({ to: sender.address, outcome: 'delivered' })
  })

  it('are changed by the account alone, and by keys that may change the address', async () => {
    const { id, address } = await app.newAddress({ alias: 'agent-1' })
    const change = { allowedSenders: ['@github.com'] }
    const stranger = await app.newKey()
    const unknown = await update('019c0000-0000-7000-8000-000000000000', change, stranger)
    expect(await update(id, change, stranger)).to.deep.include({ status: 404, body: unknown.body })
    const { accountId } = await ownerOf(app, app.key)
    expect((await update(id, change, await app.newKey({ account: accountId, isTest: true }))).status).to.equal(404)
    expect((await update(id, change, await app.newKey({ account: accountId, scopes: ['emails:read'] }))).body.code).to.equal('MISSING_SCOPE')
    const bound = async (aliasPrefix: string) => (await app.api('POST', '/api-keys', {
      body: { name: 'agent', scopes: ['emails:read', 'emails:write'], bounds: { aliasPrefix } },
    })).body.data.key as string
    expect((await update(id, change, await bound('other-'))).status).to.equal(404)
    expect(await send([address], { from: 'a@shop.example' })).to.equal(accepted)
    expect((await update(id, change, await bound('agent-'))).body.data).to.deep.include(change)
    expect(await send([address], { from: 'a@shop.example' })).to.equal(refusedAtEnd)
  })

  it('count as a refused sender in the metrics, and are in the line of the log', async () => {
    const lines: unknown[] = []
    app.app.activity.listen((event) => { if (event.kind === 'refused') lines.push([event.stage, event.reason, event.outcome]) })
    const { address } = await app.newAddress({ allowedSenders: ['@shop.example'], blockedSenders: ['@evil.example'] })
    await send([address], { from: 'a@evil.example' })
    await send([address], { from: 'a@other.example' })
    expect(lines).to.deep.equal([['recipient', 'refused_sender', 550], ['mail', 'refused_sender', 550]])
  })
})
