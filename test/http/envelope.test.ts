import { expect } from 'chai'
import { openTestApp, type TestApp } from '../support/app.ts'
import { playSession, type Step } from '../support/play-session.ts'
import { emitted } from '../support/store/events.ts'
import { hello } from '../smtp/mailbox.ts'

describe('Emails: envelope', () => {
  let app: TestApp
  let inbox: { id: string, address: string }
  before(async () => { app = await openTestApp() })
  after(() => app[Symbol.asyncDispose]())
  beforeEach(async () => { inbox = await app.newAddress() })

  /** Sends a mail of an envelope sender, and reads it. */
  async function receive(sender: string, lines: string[], to = inbox.address) {
    const text = [...lines, '', 'hello', '.', ''].join('\r\n')
    await playSession(app.smtp, [hello, [`MAIL FROM:<${sender}>`, 250], [`RCPT TO:<${to}>`, 250], ['DATA', 354], [text, 250] as Step])
    return app.onlyEmail(inbox.id)
  }

  it('has the sender and the recipient of SMTP, beside those of the header', async () => {
    const email = await receive('bounces+42@esp.example', ['From: Shop <shop@shop.example>', 'To: you@elsewhere.example'], inbox.address.replace('@', '+tag@'))
    expect(email).to.deep.include({
      from: 'shop@shop.example', to: inbox.address.replace('@', '+tag@'),
      envelope: { from: 'bounces+42@esp.example', to: inbox.address.replace('@', '+tag@'), via: 'address' },
    })
  })

  it('has for each address its own recipient', async () => {
    const other = await app.newAddress()
    await playSession(app.smtp, [
      hello, ['MAIL FROM:<a@b.example>', 250], [`RCPT TO:<${inbox.address}>`, 250], [`RCPT TO:<${other.address}>`, 250], ['DATA', 354], ['Subject: x\r\n\r\nx\r\n.\r\n', 250],
    ])
    expect((await app.onlyEmail(inbox.id)).envelope).to.deep.equal({ from: 'a@b.example', to: inbox.address, via: 'address' })
    expect((await app.onlyEmail(other.id)).envelope).to.deep.equal({ from: 'a@b.example', to: other.address, via: 'address' })
  })

  it('has an empty sender for delivery reports', async () => {
    expect(await receive('', ['From: MAILER-DAEMON@mx.example'])).to.deep.include({ from: 'MAILER-DAEMON@mx.example', envelope: { from: '', to: inbox.address, via: 'address' } })
  })

  for (const [header, fromName] of [['Subject: No From', ''], ['From:', ''], ['From: Shop', 'Shop'], ['From: Shop <>', 'Shop']] as const) {
    it(`has the sender that is shown where the header has none: ${header}`, async () => {
      const email = await receive('billing@esp.example', [header])
      expect(email).to.include({ from: 'billing@esp.example', fromName })
      expect((await emitted(app, 'email.received')).at(-1)!.data).to.include({ emailId: email.id, from: 'billing@esp.example' })
    })
  }

  it('has no sender that is shown where neither has one', async () => {
    expect(await receive('', ['Subject: x'])).to.deep.include({ from: '', envelope: { from: '', to: inbox.address, via: 'address' } })
  })

  it('has a sender that is found by waits and the search', async () => {
    const { id } = await receive('"ada.lovelace"@esp.example', ['Subject: x'])
    expect((await app.listEmails({ address_id: inbox.id, q: 'lovelace' })).map((email) => email.id)).to.deep.equal([id])
    expect((await app.api('GET', `/emails/wait?address_id=${inbox.id}&from=ada.lovelace%40esp.example&timeout=1&after=${inbox.id}`)).body.data.id).to.equal(id)
  })

  it('has the address in place of the return path in mail of an address of this server, and is null in sent email', async () => {
    const sender = await app.newAddress()
    const { body } = await app.api('POST', '/emails', { body: { fromAddressId: sender.id, to: inbox.address, subject: 'x', body: 'x' } })
    expect((await app.onlyEmail(inbox.id)).envelope).to.deep.equal({ from: sender.address, to: inbox.address, via: 'address' })
    expect((await app.api('GET', `/emails/${body.data.id}`)).body.data).to.include({ type: 'sent', envelope: null })
  })
})
