import { expect } from 'chai'
import { openForwardingWorld, shareForwardingWorld } from '../support/forwarding.ts'
import type { ForwardingWorld } from '../support/forwarding.ts'
import { playSession } from '../support/play-session.ts'
import { sendRaw } from '../support/send-raw.ts'

const pdf = Buffer.concat([Buffer.from('%PDF-1.7\r\n'), Buffer.from(Array.from({ length: 400_000 }, (_, i) => (i * 7919) % 256))])
const plain = (subject: string, from = 'Example Shop <no-reply@shop.example>') =>
  `From: ${from}\r\nTo: x@mail.localhost\r\nSubject: ${subject}\r\n\r\nYour code is 482913.\r\n`

describe('Forwarding: a forwarded mail', () => {
  let world: ForwardingWorld
  let address: { id: string, address: string }
  let addresses = 0

  const newWorld = shareForwardingWorld()
  beforeEach(async () => {
    world = await newWorld()
    const { id: forwardToId } = await world.newVerified('Ada@example.com')
    address = await world.app.newAddress({ alias: `shopping${++addresses}`, forwardToId })
  })

  const settings = async (body: unknown) => {
    const { status } = await world.app.api('PATCH', `/addresses/${address.id}/forwarding`, { body })
    expect(status).to.equal(200)
  }
  const deliver = (source: string | Buffer, { to = address.address, sender = 'bounce@shop.example' } = {}) =>
    sendRaw(world.app.smtp.port, to, source, sender)
  const listed = async () => {
    await world.app.settled()
    return world.app.listEmails({ address_id: address.id })
  }
  /** The state of the newest email's forward. */
  const forwarding = async () => {
    const [email] = await listed()
    return (await world.app.api('GET', `/emails/${email!.id}`)).body.data.forwarding
  }
  const now = () => new Date(world.app.app.clock.now()).toISOString()

  it('arrives unchanged, below the header lines that this server adds', async () => {
    const source = 'Received: from a by b; Sat, 14 Mar 2026 08:59:00 +0000\r\n' +
      'DKIM-Signature: v=1; a=rsa-sha256; d=shop.example;\r\n\tb=abc\r\nsubject:   odd   spacing \r\n' +
      'From: "Shop" <no-reply@shop.example>\r\nX-8bit: gr\u00fc\u00dfe\r\n\r\nline\r\n..a dot\r\n  trailing  \r\n\r\n\r\n'
    await deliver(Buffer.from(source, 'latin1'))
    const mail = await world.receiver.next()
    const text = mail.source.toString('latin1')
    const sent = source.replace('\r\n..a dot', '\r\n.a dot')
    expect(text.slice(-sent.length)).to.equal(sent)
    const added = text.slice(0, -sent.length).split(/\r\n(?![ \t]|$)/)
    const names = added.map((line) => line.slice(0, line.indexOf(':')))
    expect(names.filter((name) => !name.startsWith('ARC-'))).to.deep.equal(['Received', 'X-Forwarded-To', 'X-Forwarded-For', 'X-Mayfly-Loop'])
    expect(text).to.include('X-Forwarded-To: Ada@example.com\r\n')
    expect(text).to.include(`X-Forwarded-For: ${address.address} Ada@example.com\r\n`)
  })

  it('has one recipient, and a return path at this server for bounces', async () => {
    await deliver(plain('Hello'))
    const { sender, recipients } = await world.receiver.next()
    expect(recipients).to.deep.equal(['Ada@example.com'])
    expect(sender).to.match(/^bounce=[0-9a-f]{32}=[0-9a-z]+=[0-9a-f]{16}@mail\.localhost$/)
    await listed()
    expect(world.receiver.mails).to.have.length(1)
  })

  it('keeps all its parts, also a long one', async () => {
    await world.app.send({
      to: address.address, subject: 'Receipt', text: 'See below', html: '<p>See <img src="cid:logo"></p>',
      attachments: [{ filename: 'receipt.pdf', content: pdf }, { filename: 'logo.png', cid: 'logo', content: Buffer.from('png') }],
    })
    const { source } = await world.receiver.next()
    const { id } = (await listed())[0]!
    const raw = (await world.app.api('GET', `/emails/${id}/raw`)).body as Buffer
    expect(source.length).to.be.greaterThan(500_000)
    expect(source.subarray(-raw.length).equals(raw)).to.equal(true)
  })

  it('with the null sender (MAIL FROM:<>) has the return path of this server', async () => {
    await deliver(plain('Undeliverable', 'MAILER-DAEMON@shop.example'), { sender: '' })
    const { sender } = await world.receiver.next()
    expect(sender).to.match(/^bounce=/)
    expect(await forwarding()).to.include({ status: 'sent' })
  })

  it('is sent also for an address with a tag', async () => {
    const tagged = address.address.replace('@', '+news@')
    await deliver(plain('Hello'), { to: tagged.replace('shopping', 'Shopping') })
    expect((await world.receiver.next()).sourceText).to.include(`X-Forwarded-For: ${tagged} Ada@example.com\r\n`)
  })

  it('stays in the mailbox, and keeps the state of its forward after the email is read', async () => {
    await deliver(plain('Hello'))
    const [email] = await listed()
    expect(email).to.include({ subject: 'Hello', type: 'received', status: null, isRead: false })
    await world.app.api('PATCH', `/emails/${email!.id}`, { body: { isRead: true } })
    expect(await forwarding()).to.deep.equal({ to: 'Ada@example.com', status: 'sent', sentAt: now(), failureReason: null })
  })

  for (const off of [{ isActive: false }, { forwardToId: null }]) {
    it(`is not sent while the rule has ${JSON.stringify(off)}, and is sent again afterwards`, async () => {
      const { forwardToId } = (await world.app.api('GET', `/addresses/${address.id}/forwarding`)).body.data
      await settings(off)
      await deliver(plain('off'))
      expect(await forwarding()).to.equal(null)
      await settings({ forwardToId })
      await deliver(plain('on'))
      expect(await forwarding()).to.include({ status: 'sent' })
      expect(world.receiver.mails.map(({ sourceText }) => /^Subject: (.*)\r$/m.exec(sourceText)![1])).to.deep.equal(['on'])
    })
  }

  it('is not sent after its destination was deleted', async () => {
    const { forwardToId } = (await world.app.api('GET', `/addresses/${address.id}/forwarding`)).body.data
    await world.app.api('DELETE', `/forwarding-addresses/${forwardToId}`)
    await deliver(plain('Hello'))
    expect(await forwarding()).to.equal(null)
    expect(world.receiver.mails).to.deep.equal([])
  })

  it('is not sent after its address has expired', async () => {
    await world.app.advance({ days: 31 })
    await playSession(world.app.smtp, [
      ['EHLO shop.example', 250], ['MAIL FROM:<a@shop.example>', 250], [`RCPT TO:<${address.address}>`, 550],
    ])
    await world.app.settled()
    expect(world.receiver.mails).to.deep.equal([])
  })

  it('is sent once for each address that received it', async () => {
    const grace = await world.newVerified('grace@example.com')
    const other = await world.app.newAddress({ forwardToId: grace.id })
    const none = await world.app.newAddress()
    await world.app.send({ to: [address.address, other.address, none.address], subject: 'to all' })
    await world.app.settled()
    expect(world.receiver.mails.map(({ recipient }) => recipient).sort()).to.deep.equal(['Ada@example.com', 'grace@example.com'])
  })

  it('is captured in test mode', async () => {
    const key = await world.app.newKey({ isTest: true })
    const { id: forwardToId } = await world.newVerified('test@example.com', key)
    const { data } = (await world.app.api('POST', '/addresses', { key, body: { forwardToId } })).body
    await deliver(plain('Hello'), { to: data.address })
    await world.app.settled()
    const [email] = (await world.app.api('GET', '/emails', { key })).body.data
    expect((await world.app.api('GET', `/emails/${email.id}`, { key })).body.data.forwarding)
      .to.deep.equal({ to: 'test@example.com', status: 'captured', sentAt: null, failureReason: null })
    expect(world.receiver.mails).to.deep.equal([])
  })

  describe('at the receiver', () => {
    it('fails with the reason after a permanent error (5xx)', async () => {
      world.receiver.replies.rcpt = () => ({ code: 550, text: 'No such user' })
      await deliver(plain('Hello'))
      const { failureReason, ...forward } = await forwarding()
      expect(forward).to.deep.equal({ to: 'Ada@example.com', status: 'failed', sentAt: null })
      expect(failureReason).to.include('550').and.include('No such user')
      await world.app.advance({ days: 6 })
      expect(world.receiver.mails).to.deep.equal([])
    })

    it('is deferred and sent later after a temporary error (4xx)', async () => {
      world.receiver.replies.data = () => ({ code: 451, text: 'Greylisted' })
      await deliver(plain('Hello'))
      const { failureReason, ...forward } = await forwarding()
      expect(forward).to.deep.equal({ to: 'Ada@example.com', status: 'deferred', sentAt: null })
      expect(failureReason).to.include('Greylisted')
      await world.app.advance({ minutes: 30 })
      expect(await forwarding()).to.include({ status: 'deferred', sentAt: null })
      delete world.receiver.replies.data
      await world.app.advance({ hours: 2 })
      const { sentAt, ...sent } = await forwarding()
      expect(sent).to.deep.equal({ to: 'Ada@example.com', status: 'sent', failureReason: null })
      expect(Date.parse(sentAt)).to.be.within(Date.UTC(2026, 2, 14, 9, 30), Date.UTC(2026, 2, 14, 11, 30))
      expect(world.receiver.mails).to.have.length(1)
    })
  })

  describe('with Received lines of earlier servers', () => {
    const passedOn = (times: number) => Array.from({ length: times }, (_, i) => `${i % 2 ? 'Received' : 'RECEIVED'}: from h${i} by h; x\r\n`).join('') + plain('Hello')

    it('is forwarded with 30', async () => {
      await deliver(passedOn(30))
      expect(await forwarding()).to.include({ status: 'sent' })
    })

    for (const times of [31, 500]) {
      it(`fails with ${times}, as a mail loop`, async () => {
        await deliver(passedOn(times))
        expect(await forwarding()).to.deep.equal({
          to: 'Ada@example.com', status: 'failed', sentAt: null,
          failureReason: 'Not forwarded: this mail was passed on more than 30 times, so it goes round in circles.',
        })
        expect(world.receiver.mails).to.deep.equal([])
      })
    }
  })

  it('is not sent after its address was deleted', async () => {
    world.receiver.replies.data = () => ({ code: 451, text: 'Later' })
    await deliver(plain('Hello'))
    await world.app.settled()
    await world.app.api('DELETE', `/addresses/${address.id}`)
    delete world.receiver.replies.data
    await world.app.advance({ hours: 1 })
    expect(world.receiver.mails).to.deep.equal([])
  })

  for (const again of ['', ', also when it was added again and is not verified yet']) {
    it(`is not sent after a deferral when its destination was deleted${again}`, async () => {
      world.receiver.replies.data = () => ({ code: 451, text: 'Later' })
      await deliver(plain('Hello'))
      expect(await forwarding()).to.include({ status: 'deferred' })
      const { forwardToId } = (await world.app.api('GET', `/addresses/${address.id}/forwarding`)).body.data
      await world.app.api('DELETE', `/forwarding-addresses/${forwardToId}`)
      delete world.receiver.replies.data
      if (again) await world.app.api('POST', '/forwarding-addresses', { body: { email: 'ada@example.com' } })
      await world.app.advance({ hours: 1 })
      const reason = 'Its forwarding address was deleted.'
      expect(await forwarding()).to.deep.equal({ to: 'Ada@example.com', status: 'failed', sentAt: null, failureReason: reason })
      expect(world.receiver.mails.filter(({ sourceText }) => sourceText.includes('X-Forwarded-To'))).to.deep.equal([])
    })
  }
})

describe('Forwarding: filters of a rule', () => {
  let world: ForwardingWorld
  let forwardToId: string

  before(async () => {
    world = await openForwardingWorld()
    forwardToId = (await world.newVerified()).id
  })
  after(() => world[Symbol.asyncDispose]())

  const cases: [Record<string, string>, string, string, boolean][] = [
    [{ filterSender: '@SHOP.example' }, 'Example Shop <no-reply@shop.example>', 'Hi', true],
    [{ filterSender: 'example SHOP' }, 'Example Shop <no-reply@shop.example>', 'Hi', true],
    [{ filterSender: 'grüße' }, '=?utf-8?Q?GR=C3=9C=C3=9FE?= <no-reply@shop.example>', 'Hi', true],
    [{ filterSender: 'No-Reply@shop.example' }, 'Example Shop <no-reply@SHOP.example>', 'Hi', true],
    [{ filterSender: 'shop.example' }, 'Shop <no-reply@shop.example.org>', 'Hi', true],
    [{ filterSender: '@shop.example' }, 'Shop <no-reply@shop.example.org>', 'Hi', false],
    [{ filterSender: '@shop.example' }, 'Shop <no-reply@mail.shop.example>', 'Hi', false],
    [{ filterSender: '@shop.example' }, '"no-reply@shop.example" <other@example.org>', 'Hi', false],
    [{ filterSender: 'no-reply@shop.example' }, '"no-reply@shop.example" <other@example.org>', 'Hi', false],
    [{ filterSender: '@xn--bcher-kva.example' }, 'x@bücher.example', 'Hi', true],
    [{ filterSender: '@BÜCHER.example' }, 'x@xn--bcher-kva.example', 'Hi', true],
    [{ filterSender: 'x@bücher.example' }, 'x@XN--bcher-kva.example', 'Hi', true],
    [{ filterSender: 'x@xn--bcher-kva.example' }, 'x@bücher.example', 'Hi', true],
    [{ filterSender: 'büch' }, 'x@xn--bcher-kva.example', 'Hi', true],
    [{ filterSender: 'xn--bcher' }, 'x@bücher.example', 'Hi', true],
    [{ filterSender: '@bücher.example' }, 'x@bucher.example', 'Hi', false],
    [{ filterSender: '@bücher.example' }, 'x@sub.bücher.example', 'Hi', false],
    [{ filterSender: '@shop.example' }, 'Shop <no-reply@shop.example.>', 'Hi', true],
    [{ filterSender: 'reply@shop.example' }, 'Shop <no-reply@shop.example>', 'Hi', false],
    [{ filterSender: 'no-reply@shop' }, 'Shop <no-reply@shop.example>', 'Hi', false],
    [{ filterSender: 'p <n' }, 'Example Shop <no-reply@shop.example>', 'Hi', false],
    [{ filterSender: '@shop.example' }, 'Other <other@example.org>', 'Hi', false],
    [{ filterSender: 'bounce@shop.example' }, 'Other <other@example.org>', 'Hi', false],
    [{ filterSender: '.*' }, 'Example Shop <no-reply@shop.example>', 'Hi', false],
    [{ filterSender: '%' }, 'Example Shop <no-reply@shop.example>', 'Hi', false],
    [{ filterSubject: 'CODE' }, 'a@example.org', 'Your code', true],
    [{ filterSubject: 'bestätigung' }, 'a@example.org', '=?utf-8?B?QkVTVMOEVElHVU5H?=', true],
    [{ filterSubject: 'code' }, 'code@example.org', 'Hi', false],
    [{ filterSubject: '^Your' }, 'a@example.org', 'Your code', false],
    [{ filterSubject: '(a+)+$' }, 'a@example.org', `${'a'.repeat(900)}b`, false],
    [{ filterSubject: '[' }, 'a@example.org', 'a [b] c', true],
    [{ filterSender: 'shop', filterSubject: 'code' }, 'Shop <a@example.org>', 'Your code', true],
    [{ filterSender: 'shop', filterSubject: 'code' }, 'Shop <a@example.org>', 'Hi', false],
    [{ filterSender: 'shop', filterSubject: 'code' }, 'Other <a@example.org>', 'Your code', false],
    [{ filterSender: '', filterSubject: '' }, 'Other <a@example.org>', 'Hi', true],
  ]
  for (const [filters, from, subject, isForwarded] of cases) {
    it(`${JSON.stringify(filters)} ${isForwarded ? 'take' : 'leave'} ${from.slice(0, 40)}, ${subject.slice(0, 20)}`, async () => {
      const { id, address } = await world.app.newAddress({ forwardToId })
      const { body } = await world.app.api('PATCH', `/addresses/${id}/forwarding`, { body: filters })
      expect(body.data.isActive).to.equal(true)
      const before = world.receiver.mails.length
      await sendRaw(world.app.smtp.port, address, plain(subject, from), 'bounce@shop.example')
      const { forwarding } = await world.app.onlyEmail(id)
      expect(forwarding?.status).to.equal(isForwarded ? 'sent' : undefined)
      expect(world.receiver.mails.length - before).to.equal(isForwarded ? 1 : 0)
    })
  }
})
