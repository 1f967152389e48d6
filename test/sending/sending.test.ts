import { expect } from 'chai'
import { simpleParser } from 'mailparser'
import { openTestApp } from '../support/app.ts'
import { openReceiver } from '../support/receiver.ts'
import { countMailRows } from '../support/store/rows.ts'
import { sendEmail, shareSendingWorld } from './world.ts'
import type { SendingWorld } from './world.ts'

describe('Sending an email', () => {
  const newWorld = shareSendingWorld()
  let world: SendingWorld

  beforeEach(async () => { world = await newWorld() })
  afterEach(() => world[Symbol.asyncDispose]())

  it('delivers it to the mail server of its recipient, and sets its status to sent', async () => {
    const { app, receiver, from } = world
    const email = await sendEmail(app, from.id, { bodyHtml: '<p>Where is <b>it</b>?</p>' })
    await app.settled()
    const [mail] = receiver.mails
    expect(receiver.mails).to.have.length(1)
    expect(mail!.recipients).to.deep.equal(['ada@example.org'])
    expect(mail!.sender).to.match(/^bounce=[0-9a-f]{32}=[0-9a-z]+=[0-9a-f]{16}@mail\.localhost$/)
    expect(mail!.sender.length).to.be.at.most(64 + '@mail.localhost'.length)
    const parsed = await simpleParser(mail!.source)
    expect(parsed.from!.text).to.equal(from.address)
    expect(parsed.to).to.have.property('text', 'ada@example.org')
    expect(parsed).to.include({ subject: 'Where is my order?', text: 'Hello,\n\nwhere is it?\n', messageId: `<${email.id}@mail.localhost>` })
    expect(parsed.html).to.contain('Where is <b>it</b>?')
    expect(parsed.date!.toISOString()).to.equal('2026-03-14T09:00:00.000Z')
    expect(await email.read()).to.deep.include({
      type: 'sent', status: 'sent', sentAt: '2026-03-14T09:00:00.000Z', failureReason: null, from: from.address, fromName: '',
      to: 'ada@example.org', subject: 'Where is my order?', bodyText: 'Hello,\n\nwhere is it?\n', isRead: true, attachments: [],
      authentication: null, forwarding: null,
    })
    const raw = await app.api('GET', `/emails/${email.id}/raw`)
    expect(raw.body.equals(mail!.source)).to.equal(true)
  })

  it('keeps a subject that looks like an encoded word', async () => {
    const { app, from } = world
    for (const subject of ['=?utf-8?q?=0d=0aBcc:x?=', 'Re: =?iso-8859-1?B?5Q==?= and 100% =?', `${'=?utf-8?q?a?= '.repeat(14)}ü`]) {
      const to = await app.newAddress()
      await app.api('POST', '/emails', { body: { fromAddressId: from.id, to: to.address, subject, body: 'b' } })
      await app.settled()
      expect((await app.onlyEmail(to.id)).subject).to.equal(subject)
      await app.api('DELETE', `/addresses/${to.id}`)
    }
  })

  it('composes a long email in a thread, with the same result', async () => {
    const { app, receiver, from } = world
    const body = `${'Where is my order? '.repeat(2_000)}\n`
    const bodyHtml = `<p>${'Where is <b>my order</b>? '.repeat(2_000)}</p>`
    const email = await sendEmail(app, from.id, { body, bodyHtml })
    await app.settled()
    expect(await email.read()).to.deep.include({ type: 'sent', status: 'sent', from: from.address, fromName: '', bodyText: body, bodyHtml })
    const parsed = await simpleParser(receiver.mails[0]!.source)
    expect([parsed.text, parsed.html, parsed.messageId]).to.deep.equal([body, bodyHtml, `<${email.id}@mail.localhost>`])
    const raw = await app.api('GET', `/emails/${email.id}/raw`)
    expect(raw.body.equals(receiver.mails[0]!.source)).to.equal(true)
    await app.advance({ hours: 1 }) // after the time at which a message without an email is discarded
    expect((await email.read()).bodyText).to.equal(body)
  })

  it('discards a long email whose address is deleted while it is composed', async () => {
    const { app, from } = world
    const body = 'Where is my order? '.repeat(2_000)
    const sending = app.api('POST', '/emails', { body: { fromAddressId: from.id, to: 'ada@example.org', subject: 'late', body } })
    const deleted = await app.api('DELETE', `/addresses/${from.id}`)
    expect(deleted.status).to.equal(200)
    expect((await sending).status).to.be.oneOf([404, 202]) // 202 when the email was queued before, and is deleted with its address
    await app.advance({ hours: 1 })
    expect((await countMailRows(app)).messages).to.equal(0)
  })

  it('can be read at once by its id, and is listed and counted as sent', async () => {
    const { app, from } = world
    const email = await sendEmail(app, from.id)
    expect((await email.read()).status).to.be.oneOf(['queued', 'sending', 'sent'])
    await app.settled()
    const listed = (await app.api('GET', '/emails?type=sent')).body
    expect(listed.total).to.equal(1)
    expect(listed.data[0]).to.include({ id: email.id, type: 'sent', status: 'sent', to: 'ada@example.org', preview: 'Hello, where is it?' })
    expect((await app.api('GET', '/emails?type=received')).body.total).to.equal(0)
    expect((await app.api('GET', `/addresses/${from.id}`)).body.data).to.include({ emailCount: 0, lastEmailAt: null })
  })

  it('has limits in characters, not in bytes or UTF-16 units', async () => {
    const { app, from } = world
    const send = (changes: object) => app.api('POST', '/emails', {
      body: { fromAddressId: from.id, to: 'ada@example.org', subject: 's', body: 'b', ...changes },
    })
    expect((await send({ subject: '😀'.repeat(200), body: '字'.repeat(50_000) })).status).to.equal(202)
    expect((await send({ subject: '😀'.repeat(201) })).body.details[0].path).to.equal('body.subject')
    expect((await send({ body: '😀'.repeat(50_001) })).body.details[0].path).to.equal('body.body')
    await app.settled()
    const parsed = await simpleParser(world.receiver.mails[0]!.source)
    expect(parsed.subject).to.equal('😀'.repeat(200))
    expect(parsed.text).to.equal('字'.repeat(50_000))
  })

  it('is refused from an address that has expired, is of another account or mode, or does not exist', async () => {
    const { app, from } = world
    const send = async (fromAddressId: string, key = app.key) => app.api('POST', '/emails', {
      key, body: { fromAddressId, to: 'ada@example.org', subject: 's', body: 'b' },
    })
    const short = await app.newAddress({ expiresIn: 60 })
    const gone = await app.newAddress()
    await app.api('DELETE', `/addresses/${gone.id}`)
    await app.advance({ minutes: 1 })
    const expired = await send(short.id)
    expect(expired.status).to.equal(409)
    expect(expired.body).to.deep.equal({ error: `${short.address} has expired. Send from an active address.`, code: 'CONFLICT' })
    const unknown = { error: 'body.fromAddressId: There is no address with this id.', code: 'NOT_FOUND' }
    for (const answer of [await send(gone.id), await send(from.id, await app.newKey())]) {
      expect(answer.status).to.equal(404)
      expect(answer.body).to.deep.equal(unknown)
    }
    expect((await send(from.id.toUpperCase())).status).to.equal(202)
    await app.settled()
    expect(world.receiver.mails).to.have.length(1)
  })

  it('is captured with a test key, in any mode of delivery', async () => {
    const { app, receiver } = world
    const key = await app.newKey({ isTest: true })
    const { body: { data: address } } = await app.api('POST', '/addresses', { key, body: {} })
    const { body: { data: { id } } } = await app.api('POST', '/emails', {
      key, body: { fromAddressId: address.id, to: 'ada@example.org', subject: 's', body: 'b' },
    })
    await app.settled()
    expect((await app.api('GET', `/emails/${id}`, { key })).body.data).to.include({ status: 'captured', sentAt: null, failureReason: null })
    expect(receiver.connections).to.equal(0)
  })

  it('is delivered without the network when its recipient is an address of this server', async () => {
    const { app, receiver, from } = world
    const to = await app.newAddress({ alias: 'neighbour' })
    const email = await sendEmail(app, from.id, { to: 'Neighbour+tag@Mail.localhost' })
    const lost = await sendEmail(app, from.id, { to: 'nobody@mail.localhost' })
    await app.settled()
    expect(await app.onlyEmail(to.id)).to.deep.include({
      type: 'received', from: from.address, to: 'neighbour+tag@mail.localhost', subject: 'Where is my order?', authentication: null,
    })
    expect(await email.read()).to.include({ status: 'sent' })
    expect(await lost.read()).to.include({ status: 'failed', failureReason: 'No such mailbox here' })
    expect(receiver.connections).to.equal(0)
  })

  it('is cancelled by deleting its address', async () => {
    const { app, receiver, from } = world
    receiver.replies.rcpt = () => ({ code: 451, text: 'Later' })
    await sendEmail(app, from.id)
    await app.settled()
    receiver.replies.rcpt = undefined
    await app.api('DELETE', `/addresses/${from.id}`)
    await app.advance({ days: 6 })
    expect(receiver.mails).to.have.length(0)
  })
})

describe('Sending an email: delivery', () => {
  it('Sent email, none: POST emails → queued, until a worker claims its job', async () => {
    await using app = await openTestApp()
    const from = await app.newAddress()
    await app.app.worker.close()
    const email = await sendEmail(app, from.id)
    await app.advance({ hours: 1 })
    expect(await email.read()).to.include({ status: 'queued', sentAt: null, failureReason: null })
    await app.app.close()
    await using again = await openTestApp({ database: app.app.config.database })
    await again.settled()
    expect((await again.api('GET', `/emails/${email.id}`, { key: app.key })).body.data).to.include({ status: 'captured' })
  })

  it('stays on this host by default', async () => {
    await using app = await openTestApp()
    const from = await app.newAddress()
    const email = await sendEmail(app, from.id)
    await app.settled()
    expect(await email.read()).to.include({ status: 'captured', sentAt: null })
  })

  it('uses the smart host', async () => {
    await using receiver = await openReceiver({ auth: { user: 'mayfly', pass: 'p@ss' } })
    await using app = await openTestApp({ env: { MAYFLY_OUTBOUND: `smtp://mayfly:p%40ss@127.0.0.1:${receiver.port}` } })
    const from = await app.newAddress()
    const email = await sendEmail(app, from.id)
    await app.settled()
    expect(receiver.mails.map(({ recipients }) => recipients)).to.deep.equal([['ada@example.org']])
    expect(await email.read()).to.include({ status: 'sent' })
  })
})
