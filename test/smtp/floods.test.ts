import { expect } from 'chai'
import { openTestApp, type TestApp } from '../support/app.ts'
import { openSession, playSession, type Step } from '../support/play-session.ts'
import { openListener } from '../support/smtp-listener.ts'
import { delivery, hello, rawMails } from './mailbox.ts'

const mailFrom = 'MAIL FROM:<a@example.org>'
const from: Step = [mailFrom, 250]
const tooMuch = '421 4.7.0 Too many commands without a mail'

describe('SMTP floods', () => {
  let app: TestApp
  before(async () => { app = await openTestApp({ smtpLimits: { unproductiveDelayMs: 20 } }) })
  after(() => app[Symbol.asyncDispose]())

  it('of one repeated recipient end the session', async () => {
    const { address } = await app.newAddress()
    await using session = await openSession(app.smtp)
    const rcpt = `RCPT TO:<${address}>`
    await session.play([hello, from, [rcpt, 250], ...Array.from({ length: 99 }, (): Step => [rcpt, 250])])
    session.send(`${rcpt}\r\n`)
    expect(await session.reply()).to.equal(tooMuch)
    expect(await session.ended()).to.equal('')
  })

  it('of recipients look each address up once', async () => {
    const { address } = await app.newAddress()
    const { db } = app.app
    const { execute } = db
    let lookups = 0
    db.execute = (...query) => {
      if (query[1].includes(address)) lookups++
      return execute(...query)
    }
    try {
      await playSession(app.smtp, [hello, from, ...Array.from({ length: 50 }, (): Step => [`RCPT TO:<${address}>`, 250])])
    } finally {
      db.execute = execute
    }
    expect(lookups).to.equal(1)
  })

  it('of recipients that RSET takes back end the session', async () => {
    const { address } = await app.newAddress()
    const [local, domain] = address.split('@')
    const round = `${mailFrom}\r\n${Array.from({ length: 100 }, (_, i) => `RCPT TO:<${local}+${i}@${domain}>\r\n`).join('')}RSET\r\n`
    await using session = await openSession(app.smtp)
    session.send(`EHLO x\r\n${round.repeat(3)}`)
    const replies = await session.ended()
    expect(replies).to.contain(tooMuch)
    expect(replies.match(/^250 2\.1\.5/gm)).to.have.length(100 + 97)
  })

  it('of recipients beyond the limit are answered 452 up to a thousand, then 421', async () => {
    const { address } = await app.newAddress()
    const [local, domain] = address.split('@')
    await using session = await openSession(app.smtp)
    session.send(`EHLO x\r\n${mailFrom}\r\n${Array.from({ length: 1200 }, (_, i) => `RCPT TO:<${local}+${i}@${domain}>\r\n`).join('')}`)
    const replies = await session.ended()
    expect(replies.match(/^250 2\.1\.5/gm)).to.have.length(100)
    expect(replies.match(/^452 4\.5\.3/gm)).to.have.length(900 + 99)
    expect(replies).to.contain(tooMuch)
  })

  it('do not include a client with 1,000 recipients: its mails reach all of them, 100 per mail', async () => {
    const { id, address } = await app.newAddress()
    const [local, domain] = address.split('@')
    let waiting = Array.from({ length: 1000 }, (_, i) => `${local}+${i}@${domain}`)
    await using session = await openSession(app.smtp)
    await session.play([hello])
    for (let mail = 0; mail < 10; mail++) {
      session.send(`${mailFrom}\r\n${waiting.map((to) => `RCPT TO:<${to}>\r\n`).join('')}DATA\r\n`)
      await session.reply()
      const refused: string[] = []
      for (const to of waiting) if ((await session.reply()).startsWith('452')) refused.push(to)
      waiting = refused
      expect(await session.reply()).to.match(/^354/)
      await session.play([['hello\r\n.', 250]])
    }
    expect(waiting).to.deep.equal([])
    expect(await rawMails(app, id)).to.have.length(10)
  })

  it('of commands in one packet leave turns of the event loop to other sessions', async () => {
    await using tolerant = await openListener(app, { unproductiveCommands: 1e6 })
    const { address } = await app.newAddress()
    const [flood, other] = [await openSession(tolerant.smtp), await openSession(tolerant.smtp)]
    try {
      await flood.play([hello, from, [`RCPT TO:<${address}>`, 250]])
      let answered = 0
      flood.socket.on('data', (replies: Buffer) => { answered += String(replies).split('\r\n').length - 1 })
      flood.send(`RCPT TO:<${address}>\r\n`.repeat(1500))
      for (let i = 0; i < 3; i++) await other.play([['NOOP', 250]])
      expect(answered).to.be.lessThan(1000)
    } finally {
      await flood[Symbol.asyncDispose]()
      await other[Symbol.asyncDispose]()
    }
  })

  it('end after a pause in which no command is read, so that their clients cannot reconnect at once', async () => {
    await using slow = await openListener(app, { unproductiveDelayMs: 60_000 })
    await using session = await openSession(slow.smtp)
    session.send('NOOP\r\n'.repeat(150))
    for (let i = 0; i < 100; i++) expect(await session.reply()).to.match(/^250/)
    const next = session.reply().then(() => 'a reply', () => 'a reply')
    const { address } = await slow.newAddress()
    await playSession(slow.smtp, [hello, ...delivery(address)])
    expect(await Promise.race([next, new Promise((resolve) => setTimeout(resolve, 300, 'none'))])).to.equal('none')
  })
})
