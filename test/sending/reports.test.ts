import { expect } from 'chai'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { simpleParser } from 'mailparser'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { openForwardingWorld } from '../support/forwarding.ts'
import { playSession } from '../support/play-session.ts'
import { sendRaw } from '../support/send-raw.ts'
import { newKey } from '../support/signed-mail.ts'

/** Receives a mail. @returns its email */
async function receive(app: TestApp, { from, to, key, utf8 = '' }: { from: string, to: string, key?: string, utf8?: '' | ' SMTPUTF8' }) {
  await playSession(app.smtp, [
    ['EHLO app.example', 250], [`MAIL FROM:<${from}>${utf8}`, 250], [`RCPT TO:<${to}>`, 250], ['DATA', 354],
    ['Subject: Order\r\nFrom: Shop <header@shop.example>\r\nX-Order: 1042\r\n\r\nbody\r\n.', 250],
  ])
  await app.settled()
  const { body } = await app.api('GET', '/emails?type=received', { ...key !== undefined && { key } })
  return body.data[0] as { id: string }
}

describe('Reports on an email', () => {
  let app: TestApp
  beforeEach(async () => { app = await openTestApp() })
  afterEach(() => app[Symbol.asyncDispose]())

  const raw = async (id: string) => Buffer.from((await app.api('GET', `/emails/${id}/raw`)).body).toString()

  it('bounce: one for a sender elsewhere is captured as a sent email', async () => {
    const { id: addressId, address } = await app.newAddress()
    const { id } = await receive(app, { from: 'app@shop.example', to: address })
    const { status, body: { data } } = await app.api('POST', `/emails/${id}/bounce`, { body: { status: '5.2.2', text: 'The mailbox is full' } })
    expect([status, data.to, data.outcome]).to.deep.equal([201, 'app@shop.example', 'captured'])
    await app.settled()
    const { body: { data: report } } = await app.api('GET', `/emails/${data.emailId}`)
    expect(report).to.include({ addressId, type: 'sent', status: 'captured', to: 'app@shop.example', subject: 'Undelivered Mail Returned to Sender' })
    expect(report.bodyText).to.include(address).and.include('5.2.2 The mailbox is full')
    const source = await raw(data.emailId)
    const { headers } = await simpleParser(source)
    expect(headers.get('content-type')).to.deep.include({ value: 'multipart/report' })
    expect(headers.get('auto-submitted')).to.equal('auto-replied')
    expect(source).to.include('Action: failed\r\nStatus: 5.2.2\r\nDiagnostic-Code: smtp; 550 5.2.2 The mailbox is full')
      .and.include(`Final-Recipient: rfc822; ${address}`)
    expect(source).to.include('X-Order: 1042').and.not.include('body\r\n')
  })

  it('are not signed: their reader could send them on in the name of the server', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mayfly-reports-'))
    await writeFile(join(folder, 'dkim.pem'), newKey('mail.localhost', { selector: 'mayfly' }).privateKey)
    {
      await using signing = await openTestApp({ env: { MAYFLY_DKIM_KEY: join(folder, 'dkim.pem') } })
      const { id: addressId, address } = await signing.newAddress()
      await signing.api('POST', '/emails', { body: { fromAddressId: addressId, to: 'ada@example.com', subject: 'sent', body: 'x' } })
      const { id } = await receive(signing, { from: 'app@shop.example', to: address })
      const { body: { data: { emailId } } } = await signing.api('POST', `/emails/${id}/bounce`)
      const sources = await Promise.all((await signing.listEmails({ type: 'sent' })).map(async (sent) =>
        [sent.id === emailId, /^dkim-signature:/im.test(Buffer.from((await signing.api('GET', `/emails/${sent.id}/raw`)).body).toString())]))
      expect(sources).to.deep.equal([[true, false], [false, true]])
    }
    await rm(folder, { recursive: true })
  })

  it('bounce: one for an address of the account arrives there, with the null sender', async () => {
    const [app1, inbox] = [await app.newAddress(), await app.newAddress()]
    const { id } = await receive(app, { from: app1.address, to: inbox.address })
    const { body: { data } } = await app.api('POST', `/emails/${id}/bounce`)
    expect(data).to.include({ to: app1.address, outcome: 'delivered' })
    await app.settled()
    const report = await app.onlyEmail(app1.id)
    expect(report).to.deep.include({ id: data.emailId, type: 'received', envelope: { from: '', to: app1.address, via: 'address' } })
    expect(report.from).to.equal('mailer-daemon@mail.localhost')
    const refused = await app.api('POST', `/emails/${report.id}/bounce`)
    expect([refused.status, refused.body.code]).to.deep.equal([409, 'CONFLICT'])
    expect(refused.body.error).to.equal('The email has no sender in its envelope, so that a report on it goes to nobody.')
  })

  it('bounce: those for an address of another account and for none are captured alike, and reach no address', async () => {
    const key = await app.newKey()
    const theirs = (await app.api('POST', '/addresses', { key, body: {} })).body.data
    const { address } = await app.newAddress()
    for (const from of [theirs.address, 'nothing-there@mail.localhost', 'postmaster@mail.localhost', 'app@web_1', 'root@localhost']) {
      const { id } = await receive(app, { from, to: address })
      const { status, body } = await app.api('POST', `/emails/${id}/bounce`)
      expect([status, body.data?.to, body.data?.outcome], JSON.stringify(body)).to.deep.equal([201, from, 'captured'])
      await app.api('DELETE', `/emails/${id}`)
    }
    await app.settled()
    expect((await app.api('GET', `/emails?address_id=${theirs.id}`, { key })).body.data).to.deep.equal([])
  })

  it('bounce: with a test key, none arrives at live addresses', async () => {
    const live = await app.newAddress()
    const key = await app.newKey({ account: app.account, isTest: true })
    const test = (await app.api('POST', '/addresses', { key, body: {} })).body.data
    const { id } = await receive(app, { from: live.address, to: test.address, key })
    expect((await app.api('POST', `/emails/${id}/bounce`, { key })).body.data).to.include({ outcome: 'captured' })
    await app.settled()
    expect(await app.listEmails({ address_id: live.id })).to.deep.equal([])
  })

  it('complain: a feedback report names the mail, its sender and its client', async () => {
    const { address } = await app.newAddress()
    const { id } = await receive(app, { from: 'app@shop.example', to: address })
    const { status, body: { data } } = await app.api('POST', `/emails/${id}/complain`)
    expect([status, data.outcome]).to.deep.equal([201, 'captured'])
    expect(await raw(data.emailId)).to.include('Feedback-Type: abuse\r\n').and.include('Version: 1\r\n').and.include('Original-Mail-From: <app@shop.example>')
      .and.include(`Original-Rcpt-To: <${address}>`).and.include('Source-IP: 127.0.0.1')
  })

  it('name recipients beyond ASCII in ASCII', async () => {
    const { address } = await app.newAddress()
    const { id } = await receive(app, { from: 'app@shop.example', to: address.replace('@', '+grüße@'), utf8: ' SMTPUTF8' })
    for (const path of ['bounce', 'complain']) {
      const { body: { data } } = await app.api('POST', `/emails/${id}/${path}`)
      await app.settled()
      const [, , report = ''] = (await raw(data.emailId)).split(/^--report-.*$/m)
      expect(report).not.to.match(/[^\0-\x7f]/)
      const named = `\r\nFinal-Recipient: utf-8; ${address.replace('@', '\\x{2B}gr\\x{FC}\\x{DF}e@')}\r\n`
      expect(report.includes(named)).to.equal(path === 'bounce')
      expect(report).not.to.include('Original-Rcpt-To')
    }
  })

  it('are refused for sent and unknown emails, and with members out of range', async () => {
    const { id: fromAddressId, address } = await app.newAddress()
    const { body: { data: sent } } = await app.api('POST', '/emails', { body: { fromAddressId, to: 'a@b.example', subject: 's', body: 'b' } })
    const { id } = await receive(app, { from: 'app@shop.example', to: address })
    for (const path of ['bounce', 'complain']) {
      expect((await app.api('POST', `/emails/${sent.id}/${path}`)).status).to.equal(409)
      expect((await app.api('POST', `/emails/${fromAddressId}/${path}`)).status).to.equal(404)
      expect((await app.api('POST', `/emails/${id}/${path}`, { key: await app.newKey() })).status).to.equal(404)
    }
    for (const body of [{ status: '2.0.0' }, { status: '5.1' }, { text: 'a\r\nb' }, { text: '' }, { other: 1 }]) {
      expect((await app.api('POST', `/emails/${id}/bounce`, { body })).status, JSON.stringify(body)).to.equal(400)
    }
  })

  for (const [named, from, utf8] of [['spaces', '"the shop"@shop.example', ''], ['characters beyond ASCII', 'grüße@shop.example', ' SMTPUTF8']] as const) {
    it(`are refused for a sender with ${named}, which cannot be written in a header`, async () => {
      const { id: addressId, address } = await app.newAddress()
      const { id } = await receive(app, { from, to: address, utf8 })
      for (const path of ['bounce', 'complain']) {
        const { status, body } = await app.api('POST', `/emails/${id}/${path}`)
        expect([status, body.code, body.error]).to.deep.equal([
          409, 'CONFLICT', 'The sender of the email cannot be written in a report: it has spaces, or characters beyond ASCII.',
        ])
      }
      await app.settled()
      expect((await app.listEmails({ address_id: addressId })).map((email) => email.id)).to.deep.equal([id])
    })
  }

  it('never leave the server, and count as mail that leaves', async () => {
    await using world = await openForwardingWorld({ env: { MAYFLY_MAX_DAILY_MAILS: '2' } })
    const { address } = await world.app.newAddress()
    const { id } = await receive(world.app, { from: 'app@shop.example', to: address })
    const statuses = []
    for (let i = 0; i < 3; i++) statuses.push((await world.app.api('POST', `/emails/${id}/bounce`)).status)
    await world.app.settled()
    expect(statuses).to.deep.equal([201, 201, 429])
    expect(world.receiver.mails).to.deep.equal([])
  })
})

describe('Forward of an email', () => {
  it('leaves once for each request, to a verified forwarding address alone', async () => {
    await using world = await openForwardingWorld()
    const { app, receiver } = world
    const target = await world.newVerified('ada@example.com')
    const { address } = await app.newAddress()
    const { id } = await receive(app, { from: 'app@shop.example', to: address })
    const forward = (forwardToId: string, of = id) => app.api('POST', `/emails/${of}/forward`, { body: { forwardToId } })
    const { status, body } = await forward(target.id)
    expect([status, body]).to.deep.equal([202, { data: { id }, message: 'The email is queued.' }])
    await app.settled()
    expect(receiver.mails.map(({ recipient }) => recipient)).to.deep.equal(['ada@example.com'])
    expect(receiver.mails[0]!.sourceText).to.include('Subject: Order').and.include('X-Forwarded-To: ada@example.com')
    expect((await app.api('GET', `/emails/${id}`)).body.data.forwarding).to.include({ status: 'sent', to: 'ada@example.com' })
    const other = await world.newVerified('bob@example.com')
    await forward(other.id)
    await app.settled()
    expect((await app.api('GET', `/emails/${id}`)).body.data.forwarding).to.include({ status: 'sent', to: 'bob@example.com' })

    const { body: { data: unverified } } = await app.api('POST', '/forwarding-addresses', { body: { email: 'cay@example.com' } })
    expect((await forward(unverified.id)).body.code).to.equal('NOT_VERIFIED')
    expect((await forward(id)).status).to.equal(404)
    expect((await forward(target.id, target.id)).status).to.equal(404)
    const { body: { data: sent } } = await app.api('POST', '/emails', {
      body: { fromAddressId: (await app.newAddress()).id, to: 'a@b.example', subject: 's', body: 'b' },
    })
    expect((await forward(target.id, sent.id)).body.code).to.equal('CONFLICT')
  })
  it('is refused for a mail that goes round in circles', async () => {
    await using world = await openForwardingWorld()
    const { app, receiver } = world
    const target = await world.newVerified('ada@example.com')
    const { address } = await app.newAddress()
    const forwardNewest = async () => {
      await app.settled()
      const [email] = await app.listEmails({ type: 'received' })
      return app.api('POST', `/emails/${email!.id}/forward`, { body: { forwardToId: target.id } })
    }
    await sendRaw(app.smtp.port, address, `${'Received: from a by b; x\r\n'.repeat(31)}Subject: long way\r\n\r\nbody\r\n`)
    const passedOn = await forwardNewest()
    expect([passedOn.status, passedOn.body.code, passedOn.body.error]).to.deep.equal([
      409, 'CONFLICT', 'Not forwarded: this mail was passed on more than 30 times, so it goes round in circles.',
    ])
    expect(receiver.mails).to.deep.equal([])
    await sendRaw(app.smtp.port, address, 'Subject: there and back\r\n\r\nbody\r\n')
    expect((await forwardNewest()).status).to.equal(202)
    await app.settled()
    await sendRaw(app.smtp.port, address, receiver.mails[0]!.sourceText)
    const returned = await forwardNewest()
    expect([returned.status, returned.body.code, returned.body.error]).to.deep.equal([
      409, 'CONFLICT', 'Not forwarded: this server forwarded this mail before, so it goes round in circles.',
    ])
    expect(receiver.mails).to.have.length(1)
  })
})
