import { expect } from 'chai'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { capturedLink, press } from '../support/forwarding.ts'
import { createAccount } from '../support/store/accounts.ts'
import { envelopeOf } from '../support/store/mails.ts'
import { rowsOf } from '../support/store/rows.ts'

describe('Test mode: POST /test/emails', () => {
  let app: TestApp
  let account: string
  let key: string
  let to: string
  let addressId: string

  before(async () => {
    app = await openTestApp({ env: { MAYFLY_MAX_MESSAGE_BYTES: '600000' } })
    account = (await createAccount(app, 'tester@example.org')).id
    key = await app.newKey({ account, isTest: true })
  })
  after(() => app[Symbol.asyncDispose]())
  beforeEach(async () => {
    ({ id: addressId, address: to } = (await api('POST', '/addresses', {})).body.data)
  })

  const api = (method: string, path: string, body?: unknown, as = key) => app.api(method, path, { key: as, body })
  const inject = (body: object, as = key) => api('POST', '/test/emails', { to, ...body }, as)
  const received = async (body: object) => {
    const answer = await inject(body)
    expect(answer.status, JSON.stringify(answer.body)).to.equal(201)
    expect(Object.keys(answer.body.data)).to.deep.equal(['id'])
    return (await api('GET', `/emails/${answer.body.data.id}`)).body.data
  }
  const sourceOf = async (id: string) => (await api('GET', `/emails/${id}/raw`)).body.toString() as string

  it('delivers a mail at once, with its codes and links', async () => {
    const email = await received({
      from: 'Example Shop <No-Reply@Shop.Example>', subject: '482913 is your code', text: 'Your code is 482913.',
      html: '<p>Your code is 482913. <a href="https://shop.example/confirm">Confirm</a></p>',
    })
    expect(email).to.include({
      type: 'received', addressId, to, from: 'No-Reply@shop.example', fromName: 'Example Shop', subject: '482913 is your code',
      isRead: false, receivedAt: '2026-03-14T09:00:00.000Z', authentication: null,
    })
    expect(email.bodyText.trim()).to.equal('Your code is 482913.')
    expect(email.codes).to.deep.equal(['482913'])
    expect(email.links).to.deep.equal([{ url: 'https://shop.example/confirm', host: 'shop.example', text: 'Confirm' }])
    expect(email.headers).to.include({ Date: 'Sat, 14 Mar 2026 09:00:00 +0000' })
    expect(email.headers['Message-ID']).to.match(/^<[0-9a-f-]{36}@shop\.example>$/)
    expect(Object.keys(email.headers).filter((name) => /^x-/i.test(name))).to.deep.equal([])
  })

  it('requires only the recipient', async () => {
    expect(await received({})).to.include({ from: 'test@example.com', fromName: '', subject: '', bodyText: '', bodyHtml: '' })
  })

  for (const [from, fromName, address] of [
    ['"Shop, the best" <a@shop.example>', 'Shop, the best', 'a@shop.example'],
    ['<a@shop.example>', '', 'a@shop.example'],
    ['  Zoë ☕ <a@äpfel.example> ', 'Zoë ☕', 'a@xn--pfel-koa.example'],
  ] as const) {
    it(`accepts the sender ${from}`, async () => {
      expect(await received({ from })).to.include({ from: address, fromName })
    })
  }

  it('delivers to an address with a tag, in upper or lower case', async () => {
    const tagged = to.replace('@', '+Order.7@').toUpperCase()
    expect(await received({ to: tagged, text: 'Hello' })).to.include({ addressId, to: tagged.toLowerCase() })
  })

  it('stores the given source with CRLF line ends', async () => {
    const raw = 'From: Shop <shop@example.org>\nX-Mark: 1\r\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r' +
      'Content-Type: multipart/mixed; boundary=b\n\n--b\n\nHello ☕\n--b\nContent-Type: text/plain; name="a.txt"\n' +
      'Content-Disposition: attachment; filename="a.txt"\n\nattached\n--b--'
    const email = await received({ raw })
    expect(email).to.include({ from: 'shop@example.org', fromName: 'Shop', subject: 'Grüße' })
    expect(email.headers).to.include({ 'X-Mark': '1' })
    expect(email.attachments).to.have.length(1)
    const file = await api('GET', `/emails/${email.id}/attachments/${email.attachments[0].id}`)
    expect(file.body.toString()).to.equal('attached')
    expect(await sourceOf(email.id)).to.equal(`${raw.replace(/\r\n|\r|\n/g, '\r\n')}\r\n`)
  })

  it('publishes a long mail after the answer', async () => {
    const { id } = (await inject({ subject: 'long', text: `${'x'.repeat(70)}\n`.repeat(7_000) })).body.data
    await app.settled()
    expect((await api('GET', `/emails/${id}`)).body.data).to.include({ subject: 'long' })
  })

  it('refuses a mail above the maximum size with 413', async () => {
    const text = `${'x'.repeat(70)}\n`.repeat(9_000)
    for (const body of [{ text }, { raw: `Subject: long\n\n${text}` }]) {
      const { status, body: { error, code } } = await inject(body)
      expect([status, code, error]).to.deep.equal([413, 'PAYLOAD_TOO_LARGE', 'A mail has at most 600000 bytes.'])
    }
    expect((await inject({ text: 'x'.repeat(2 ** 20) })).status).to.equal(413)
  })

  it('emits an event, updates the counters, and captures the forwarded mail', async () => {
    const { id: forwardToId } = (await api('POST', '/forwarding-addresses', { email: 'ada@example.com' })).body.data
    await press(app, await capturedLink(app, 'ada@example.com'))
    await api('PATCH', `/addresses/${addressId}/forwarding`, { forwardToId })
    const { id } = await received({ from: 'shop@example.org', subject: 'for Ada', text: 'Hello' })
    await app.settled()
    expect((await api('GET', `/emails/${id}`)).body.data.forwarding).to.include({ to: 'ada@example.com', status: 'captured' })
    expect((await api('GET', `/addresses/${addressId}`)).body.data).to.include({ emailCount: 1 })
    const last = (await rowsOf(app, 'outbox')).filter(({ event }) => event === 'email.received').at(-1)!
    expect(last).to.include({ accountId: account, mode: 'test' })
    expect(JSON.parse(last.data)).to.include({ emailId: id, from: 'shop@example.org', subject: 'for Ada' })
  })

  it('stores the sender in the envelope, without a remote address', async () => {
    const { id } = await received({ from: 'Shop <shop@example.org>' })
    expect(await envelopeOf(app, id)).to.include({ sender: 'shop@example.org', remoteAddress: '', tls: false })
  })

  for (const [name, body, paths] of [
    ['two senders', { from: 'a@example.org, b@example.org' }, ['body.from']],
    ['a group of senders', { from: 'all: a@example.org;' }, ['body.from']],
    ['a sender without an address', { from: 'somebody' }, ['body.from']],
    ['a line break in the sender', { from: 'a@example.org\r\nBcc: b@example.org' }, ['body.from']],
    ['a line break in the subject', { subject: 'a\nBcc: b@example.org' }, ['body.subject']],
    ['a source and parts', { raw: 'Subject: a\n\na', subject: 'b', text: 'b' }, ['body.subject', 'body.text']],
    ['a source and an empty part', { raw: 'Subject: a\n\na', html: '' }, ['body.html']],
    ['an empty source', { raw: '' }, ['body.raw']],
    ['an unknown member', { body: 'a' }, ['body.body']],
    ['a missing recipient', { to: undefined }, ['body.to']],
  ] as const) {
    it(`refuses ${name}`, async () => {
      const { status, body: answer } = await inject(body)
      expect([status, answer.code]).to.deep.equal([400, 'INVALID_REQUEST'])
      expect(answer.details.map(({ path }: { path: string }) => path)).to.deep.equal(paths)
      for (const path of paths) expect(answer.error).to.include(path)
    })
  }

  it('refuses a tag that is not valid in an SMTP command', async () => {
    for (const tag of ['+a b', '+a\r\nBcc: x', '+<x>', '+a,b', '+\u0000']) {
      const { status, body } = await inject({ to: to.replace('@', `${tag}@`) })
      expect([status, body.details?.[0].path], tag).to.deep.equal([400, 'body.to'])
    }
  })

  it('answers 404 unless the recipient is an active test address of the account', async () => {
    const live = (await app.api('POST', '/addresses', { key: await app.newKey({ account }), body: {} })).body.data.address
    const strangers = (await app.api('POST', '/addresses', { key: await app.newKey({ isTest: true }), body: {} })).body.data.address
    const old = (await api('POST', '/addresses', { expiresIn: 60 })).body.data.address
    await app.advance({ seconds: 61 })
    const [sent] = await rowsOf(app, 'deliveries')
    for (const address of [live, strangers, old, 'nobody@mail.localhost', 'a@elsewhere.example', `bounce=${sent?.id}@mail.localhost`, 'nonsense']) {
      const { status, body } = await inject({ to: address })
      expect([status, body], address).to.deep.equal([404, {
        error: 'body.to: There is no active test-mode address with this name.', code: 'NOT_FOUND',
      }])
    }
  })

  it('answers 404 with a live key', async () => {
    const { status, body } = await inject({}, await app.newKey({ account }))
    expect([status, body]).to.deep.equal([404, {
      error: 'A live key has no test-mode mailbox. Use a key that starts with svc_test_.', code: 'NOT_FOUND',
    }])
  })
})
