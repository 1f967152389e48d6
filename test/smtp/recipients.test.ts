import { expect } from 'chai'
import { openTestApp, type TestApp } from '../support/app.ts'
import { playSession, type Step } from '../support/play-session.ts'
import { delivery, hello, rawMails } from './mailbox.ts'

const from: Step = ['MAIL FROM:<shop@example.org>', 250]

describe('SMTP recipients', () => {
  let app: TestApp
  before(async () => { app = await openTestApp() })
  after(() => app[Symbol.asyncDispose]())

  it('are each accepted or refused with 550', async () => {
    const { id, address } = await app.newAddress()
    await playSession(app.smtp, [
      hello, from, ['RCPT TO:<nobody@mail.localhost>', 550], [`RCPT TO:<${address}>`, 250],
      ['RCPT TO:<nobody@mail.localhost>', 550], ['DATA', 354], ['hello\r\n.', 250],
    ])
    expect(await rawMails(app, id)).to.deep.equal(['hello\r\n'])
  })

  it('are refused with the same reply for any reason, against enumeration of addresses', async () => {
    await app.newAddress({ alias: 'late', expiresIn: 60 })
    const gone = await app.newAddress({ alias: 'gone' })
    await app.api('DELETE', `/addresses/${gone.id}`)
    await app.advance({ seconds: 61 })
    const wrong = [
      'nobody@mail.localhost', 'late@mail.localhost', 'gone@mail.localhost', 'live@example.org', 'live@sub.mail.localhost',
      'live@127.0.0.1', 'live@[127.0.0.1]', 'grüße@mail.localhost', 'a..b@mail.localhost', '+tag@mail.localhost', 'postmaster',
      `${'a'.repeat(1500)}@mail.localhost`, 'live@mail.localhost.', '%@mail.localhost', 'live%example.org@mail.localhost',
    ]
    const replies = await playSession(app.smtp, [hello, from, ...wrong.map((address): Step => [`RCPT TO:<${address}>`, 550])])
    expect(new Set(replies.slice(2))).to.deep.equal(new Set(['550 5.1.1 No such address here']))
  })

  it('are refused when they are malformed', async () => {
    await playSession(app.smtp, [hello, from, ['RCPT TO:<>', 501], ['RCPT TO:<live>', 501], ['RCPT TO:<a@b@c>', 501], ['RCPT TO:live@mail.localhost', 501]])
  })

  it('are found in any case, with a tag, and by their domain in capitals', async () => {
    const { id } = await app.newAddress({ alias: 'live' })
    for (const address of ['LIVE@mail.localhost', 'Live+Shop@mail.localhost', 'live@MAIL.localhost', 'live+a+b@mail.localhost']) {
      await playSession(app.smtp, [hello, ...delivery(address)])
    }
    await app.settled()
    const emails = await app.listEmails({ address_id: id })
    expect(emails.map(({ to }) => to).reverse()).to.deep.equal([
      'live@mail.localhost', 'live+shop@mail.localhost', 'live@mail.localhost', 'live+a+b@mail.localhost',
    ])
  })

  it('get one mail each when they are repeated; the first spelling is kept', async () => {
    const { id } = await app.newAddress({ alias: 'twice' })
    const other = await app.newAddress({ alias: 'other' })
    await playSession(app.smtp, [
      hello, from, ['RCPT TO:<twice+one@mail.localhost>', 250], ['RCPT TO:<other@mail.localhost>', 250],
      ['RCPT TO:<twice@mail.localhost>', 250], ['RCPT TO:<TWICE+one@mail.localhost>', 250], ['RCPT TO:<twice+two@mail.localhost>', 250],
      ['DATA', 354], ['hello\r\n.', 250],
    ])
    expect((await app.onlyEmail(id)).to).to.equal('twice+one@mail.localhost')
    expect((await app.onlyEmail(other.id)).to).to.equal('other@mail.localhost')
  })

  it('are limited to 100: further ones are answered 452, and the mail is delivered to the 100', async () => {
    const addresses: { id: string, address: string }[] = []
    for (let i = 0; i < 101; i++) addresses.push(await app.newAddress({ alias: `a${i}` }))
    const replies = await playSession(app.smtp, [
      hello, from, ...addresses.map(({ address }, i): Step => [`RCPT TO:<${address}>`, i < 100 ? 250 : 452]),
      ['RCPT TO:<a0@mail.localhost>', 250], ['DATA', 354], ['hello\r\n.', 250],
    ])
    expect(replies[102]).to.match(/^452 4\.5\.3 /)
    for (const [i, { id }] of addresses.entries()) expect(await rawMails(app, id)).to.have.length(i < 100 ? 1 : 0)
  })

  it('do not carry over to the next mail', async () => {
    const one = await app.newAddress()
    const two = await app.newAddress()
    await playSession(app.smtp, [hello, ...delivery(one.address, 'one\r\n'), ...delivery(two.address, 'two\r\n')])
    expect(await rawMails(app, one.id)).to.deep.equal(['one\r\n'])
    expect(await rawMails(app, two.id)).to.deep.equal(['two\r\n'])
  })
})
