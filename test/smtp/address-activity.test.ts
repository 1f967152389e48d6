import { expect } from 'chai'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { openSession, playSession } from '../support/play-session.ts'
import type { Step } from '../support/play-session.ts'
import { rowsOf } from '../support/store/rows.ts'

const plain = (username: string, password: string) => Buffer.from(`\0${username}\0${password}`).toString('base64')

describe('Addresses: SMTP activity', () => {
  let app: TestApp
  beforeEach(async () => { app = await openTestApp() })
  afterEach(() => app[Symbol.asyncDispose]())

  const activity = async (id: string, query = '') => (await app.api('GET', `/addresses/${id}/activity${query}`)).body

  /** The tries of an address, once there are as many. */
  async function tries(id: string, count: number) {
    for (;;) {
      const { data } = await activity(id)
      if (data.length >= count) return data
      await new Promise(setImmediate)
    }
  }

  it('has accepted mail, with its client, its reply and its email', async () => {
    const { id, address } = await app.newAddress()
    const replies = await playSession(app.smtp, [
      ['EHLO app.example', 250], ['MAIL FROM:<shop@shop.example>', 250], [`RCPT TO:<${address}>`, 250], ['DATA', 354], ['Subject: a\r\n\r\nb\r\n.', 250],
    ])
    expect(replies.at(-1)).to.equal('250 2.6.0 Accepted')
    await app.settled()
    const { id: emailId } = await app.onlyEmail(id)
    expect(await activity(id)).to.deep.equal({
      data: [{
        id: emailId, createdAt: '2026-03-14T09:00:00.000Z', stage: 'end', client: { address: '127.0.0.1', helo: 'app.example' },
        from: 'shop@shop.example', recipients: [address], recipientsTotal: 1, code: 250, enhancedCode: '2.6.0', text: 'Accepted', emailId,
      }],
      total: 1, limit: 20, offset: 0, hasMore: false,
    })
    await app.api('DELETE', `/emails/${emailId}`)
    expect((await activity(id)).data).to.deep.equal([])
  })

  it('has the address of this server that sent a mail, never its internal return path', async () => {
    const [sender, inbox] = [await app.newAddress(), await app.newAddress()]
    const send = () => app.api('POST', '/emails', { body: { fromAddressId: sender.id, to: inbox.address, subject: 's', body: 'b' } })
    await send()
    await app.settled()
    await app.api('PUT', `/addresses/${inbox.id}/smtp-faults`, { body: { steps: [{ at: 'rcpt', code: 550 }] } })
    await send()
    await app.settled()
    const { data } = await activity(inbox.id)
    expect(data.map(({ code, from }: { code: number, from: string }) => [code, from])).to.deep.equal([[550, ''], [250, sender.address]])
  })

  it('has each refusal of a login: a wrong password, and the commands after its end', async () => {
    const { body: { data: { id, smtp: { username, password } } } } = await app.api('POST', '/addresses', { body: { smtpLogin: true } })
    await playSession(app.smtp, [['EHLO app.example', 250], [`AUTH PLAIN ${plain(username, 'wrong')}`, 535]])
    await tries(id, 1)
    await using session = await openSession(app.smtp)
    await session.play([['EHLO app.example', 250], [`AUTH PLAIN ${plain(username, password)}`, 235], ['MAIL FROM:<a@b.example>', 250]])
    await app.api('DELETE', `/addresses/${id}/smtp-login`)
    await session.play([['RCPT TO:<ada@customer.example>', 535], ['RSET', 250], ['MAIL FROM:<a@b.example>', 535]])
    const found = await tries(id, 3)
    const ended = { code: 535, enhancedCode: '5.7.8', text: 'This login has ended. Log in again', from: 'a@b.example', emailId: null }
    expect(found[0]).to.deep.include({ ...ended, stage: 'mail', recipients: [] })
    expect(found[1]).to.deep.include({ ...ended, stage: 'rcpt', recipients: ['ada@customer.example'] })
    expect(found[2]).to.deep.include({ stage: 'auth', code: 535, text: 'The user name or the password is wrong', from: '', recipients: [] })
  })

  it('has a mail that is too large, at each address with its own recipient alone', async () => {
    await using small = await openTestApp({ env: { MAYFLY_MAX_MESSAGE_BYTES: '100000' } })
    const [mine, theirs] = [await small.newAddress(), await small.newAddress()]
    await playSession(small.smtp, [
      ['EHLO app.example', 250], ['MAIL FROM:<>', 250], [`RCPT TO:<${mine.address}>`, 250], [`RCPT TO:<${theirs.address}>`, 250], ['DATA', 354],
      [`Subject: a\r\n\r\n${'long line\r\n'.repeat(10_000)}.`, 552],
    ])
    for (const { id, address } of [mine, theirs]) {
      const { body: { data } } = await small.api('GET', `/addresses/${id}/activity`)
      expect(data).to.have.length(1)
      expect(data[0]).to.deep.include({ stage: 'end', code: 552, from: '', recipients: [address], recipientsTotal: 1, emailId: null })
    }
  })

  it('has a mail whose client went away, without a code', async () => {
    const { id, address } = await app.newAddress()
    await using session = await openSession(app.smtp)
    await session.play([['EHLO app.example', 250], ['MAIL FROM:<a@b.example>', 250], [`RCPT TO:<${address}>`, 250], ['DATA', 354]])
    session.send('Subject: a\r\n\r\nhalf')
    session.socket.destroy()
    expect((await tries(id, 1))[0]).to.include({ stage: 'end', code: null, enhancedCode: null, text: 'The client went away before the end of the mail' })
  })

  it('is a list with pages in which refused and accepted tries follow each other in time', async () => {
    const { body: { data: { id, address, smtp: { username } } } } = await app.api('POST', '/addresses', { body: { smtpLogin: true } })
    for (let round = 1; round <= 3; round++) {
      await playSession(app.smtp, [['EHLO app.example', 250], [`AUTH PLAIN ${plain(username, 'wrong')}`, 535]])
      await tries(id, 2 * round - 1)
      await app.advance({ seconds: 1 })
      await app.send({ to: address, subject: 'accepted', text: 'accepted' })
      await tries(id, 2 * round)
      await app.advance({ seconds: 1 })
    }
    const codes = (data: { code: number }[]) => data.map(({ code }) => code)
    const first = await activity(id, '?limit=4')
    expect([codes(first.data), first.total, first.hasMore]).to.deep.equal([[250, 535, 250, 535], 6, true])
    const second = await activity(id, `?limit=4&before=${first.data[3].id}`)
    expect([codes(second.data), second.hasMore]).to.deep.equal([[250, 535], false])
    expect(codes((await activity(id, '?limit=2&offset=1')).data)).to.deep.equal([535, 250])
    expect(codes((await activity(id, '?limit=2&offset=6')).data)).to.deep.equal([])
  })

  it('has the first 10 recipients of a mail, and their number', async () => {
    const { body: { data: { id, smtp: { username, password } } } } = await app.api('POST', '/addresses', { body: { smtpLogin: true } })
    const recipients = Array.from({ length: 30 }, (_, i) => `ada${i}@customer.example`)
    const mail = [['MAIL FROM:<a@b.example>', 250], ...recipients.map((to) => [`RCPT TO:<${to}>`, 250]), ['DATA', 354]] as Step[]
    await app.api('PUT', `/addresses/${id}/smtp-faults`, { body: { steps: [{ at: 'end', code: 451 }] } })
    await playSession(app.smtp, [
      ['EHLO app.example', 250], [`AUTH PLAIN ${plain(username, password)}`, 235],
      ...mail, ['Subject: a\r\n\r\nb\r\n.', 451], ...mail, ['Subject: a\r\n\r\nb\r\n.', 250],
    ])
    const found = await tries(id, 2)
    expect(found.map(({ code }: { code: number }) => code)).to.deep.equal([250, 451])
    for (const row of found) expect(row).to.deep.include({ recipients: recipients.slice(0, 10), recipientsTotal: 30 })
  })

  it('has 320 characters of a sender', async () => {
    const key = await app.newKey({ isTest: true })
    const { id, address } = (await app.api('POST', '/addresses', { key, body: {} })).body.data
    await app.api('PUT', `/addresses/${id}/smtp-faults`, { key, body: { steps: [{ at: 'end', code: 451 }] } })
    const sender = `${'a'.repeat(100)}@${'b.'.repeat(120)}example`
    const raw = `From: ${sender}\r\nTo: ${address}\r\n\r\nb`
    expect((await app.api('POST', '/test/emails', { key, body: { to: address, raw } })).status).to.equal(409)
    const { body: { data: [{ from }] } } = await app.api('GET', `/addresses/${id}/activity`, { key })
    expect(from).to.equal(sender.slice(0, 320))
  })

  it('has 320 characters of a recipient', async () => {
    const { body: { data: { id, smtp: { username, password } } } } = await app.api('POST', '/addresses', { body: { smtpLogin: true } })
    const to = `${'a'.repeat(400)}@customer.example`
    await playSession(app.smtp, [
      ['EHLO app.example', 250], [`AUTH PLAIN ${plain(username, password)}`, 235], ['MAIL FROM:<a@b.example>', 250], [`RCPT TO:<${to}>`, 550],
    ])
    expect((await tries(id, 1))[0]).to.deep.include({ code: 550, recipients: ['a'.repeat(320)], recipientsTotal: 1 })
  })

  it('has no refusal while the server is low on space', async () => {
    let free = 999
    await using low = await openTestApp({ env: { MAYFLY_MIN_FREE_BYTES: '1000' }, freeBytes: async () => free })
    const { id, address } = await low.newAddress()
    await low.api('PUT', `/addresses/${id}/smtp-faults`, { body: { steps: [{ at: 'rcpt', code: 451, times: 2 }] } })
    const total = async () => (await low.api('GET', `/addresses/${id}/activity`)).body.total
    const refused: Step[] = [['EHLO app.example', 250], ['MAIL FROM:<a@b.example>', 250], [`RCPT TO:<${address}>`, 451]]
    await playSession(low.smtp, refused)
    expect(await total()).to.equal(0)
    free = 1000
    await playSession(low.smtp, refused)
    expect(await total()).to.equal(1)
  })

  it('is removed after the retention time of mail', async () => {
    const { body: { data: { id, smtp: { username } } } } = await app.api('POST', '/addresses', { body: { smtpLogin: true, expiresIn: 30 * 86_400 } })
    const guess = () => playSession(app.smtp, [['EHLO app.example', 250], [`AUTH PLAIN ${plain(username, 'wrong')}`, 535]])
    await guess()
    await tries(id, 1)
    await app.advance({ days: 6 })
    await guess()
    expect(await tries(id, 2)).to.have.length(2)
    await app.advance({ days: 2 })
    expect((await activity(id)).total).to.equal(1)
    expect(await rowsOf(app, 'smtp_activity')).to.have.length(1)
  })

  it('goes with its address', async () => {
    const { body: { data: { id, smtp: { username } } } } = await app.api('POST', '/addresses', { body: { smtpLogin: true } })
    await playSession(app.smtp, [['EHLO app.example', 250], [`AUTH PLAIN ${plain(username, 'wrong')}`, 535]])
    await tries(id, 1)
    await app.api('DELETE', `/addresses/${id}`)
    await app.settled()
    expect(await rowsOf(app, 'smtp_activity')).to.deep.equal([])
  })
})
