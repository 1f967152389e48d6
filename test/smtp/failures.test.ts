import { expect } from 'chai'
import { pino } from 'pino'
import { openTestApp, shareTestApp } from '../support/app.ts'
import { openSession } from '../support/play-session.ts'
import { openListener } from '../support/smtp-listener.ts'
import { delivery, hello, rawMails } from './mailbox.ts'

describe('SMTP temporary failures', () => {
  const newAccount = shareTestApp()

  it('answer 452 while the disk is full, and the session continues', async () => {
    let free = 100
    await using app = await openTestApp({ env: { MAYFLY_MIN_FREE_BYTES: '1000' }, freeBytes: async () => free })
    const { id, address } = await app.newAddress()
    await using session = await openSession(app.smtp)
    const long = `${'x'.repeat(1022)}\r\n`.repeat(2000)
    await session.play([hello])
    for (const text of ['short', long]) {
      const replies = await session.play([...delivery(address).slice(0, 3), [`${text}\r\n.`, 452]])
      expect(replies[3]).to.equal('452 4.3.1 No room for mail at the moment, try again later')
    }
    free = 1000
    await session.play(delivery(address, 'now\r\n'))
    expect(await rawMails(app, id)).to.deep.equal(['now\r\n'])
  })

  it('answer 451 after an internal error, which is only logged', async () => {
    const lines: string[] = []
    const log = pino({ level: 'debug' }, { write: (line) => { lines.push(line) } })
    let isBroken = true
    const freeBytes = async () => {
      if (isBroken) throw new Error('secret path')
      return 1e12
    }
    await using app = await openTestApp({ freeBytes, log })
    const { id, address } = await app.newAddress({ alias: 'private-name' })
    await using session = await openSession(app.smtp)
    await session.play([hello])
    const replies = await session.play([...delivery(address).slice(0, 3), ['secret text\r\n.', 451]])
    expect(replies[3]).to.equal('451 4.3.0 The mail cannot be taken at the moment, try again later')
    isBroken = false
    await session.play(delivery(address, 'secret text\r\n'))
    expect(await rawMails(app, id)).to.have.length(1)

    const mails = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'mail')
    expect(mails.map(({ outcome, bytes, recipients, domains }) => ({ outcome, bytes, recipients, domains }))).to.deep.equal([
      { outcome: 451, bytes: 0, recipients: 1, domains: ['mail.localhost'] },
      { outcome: 250, bytes: 13, recipients: 1, domains: ['mail.localhost'] },
    ])
    expect(lines.filter((line) => line.includes('secret path'))).to.have.length(1)
    expect(lines.join('')).to.not.match(/private-name|shop@|secret text/)
  })

  it('answer 451 when the recipient cannot be looked up', async () => {
    const app = await newAccount()
    const { address } = await app.newAddress()
    await using session = await openSession(app.smtp)
    await session.play([hello, ['MAIL FROM:<a@example.org>', 250]])
    const { db } = app.app
    const { execute } = db
    db.execute = () => { throw new Error('secret path') }
    const [refused] = await session.play([[`RCPT TO:<${address}>`, 451]])
    expect(refused).to.equal('451 4.3.0 The mail cannot be taken at the moment, try again later')
    db.execute = execute
    await session.play(delivery(address).slice(1))
  })
})

describe('SMTP listener', () => {
  const newAccount = shareTestApp()

  it('ends idle sessions when it closes, and accepts no more', async () => {
    await using app = await openListener(await newAccount())
    await using session = await openSession(app.smtp)
    const closed = app.app.smtp.close()
    expect(await session.ended()).to.equal('421 4.3.2 Server shutting down\r\n')
    await closed
    expect(await openSession(app.smtp).catch((error: Error) => error.message)).to.match(/ended/)
  })

  it('lets a mail in progress finish when it closes', async () => {
    await using app = await openListener(await newAccount())
    const { id, address } = await app.newAddress()
    await using session = await openSession(app.smtp)
    await session.play([hello, ...delivery(address).slice(0, 3)])
    const closed = app.app.smtp.close()
    session.send('last\r\n.\r\n')
    expect(await session.ended()).to.equal('250 2.6.0 Accepted\r\n421 4.3.2 Server shutting down\r\n')
    await closed
    expect(await rawMails(app, id)).to.deep.equal(['last\r\n'])
  })

  it('waits a limited time for a mail when it closes', async () => {
    await using app = await openListener(await newAccount(), { closeMs: 50 })
    const { id, address } = await app.newAddress()
    await using session = await openSession(app.smtp)
    await session.play([hello, ...delivery(address).slice(0, 3)])
    session.send('half\r\n')
    await app.app.smtp.close()
    expect(await session.ended()).to.equal('421 4.3.2 Server shutting down\r\n')
    expect(await rawMails(app, id)).to.deep.equal([])
  })

  it('can be closed twice, and tells its address', async () => {
    await using app = await openListener(await newAccount())
    expect(app.app.smtp.address).to.equal(`127.0.0.1:${app.smtp.port}`)
    await Promise.all([app.app.smtp.close(), app.app.smtp.close()])
    expect(app.app.smtp.connections).to.equal(0)
  })

  it('fails when its port is in use', async () => {
    const app = await newAccount()
    const error = await openTestApp({ env: { MAYFLY_SMTP_PORT: String(app.smtp.port) } }).catch((error: Error) => error)
    expect(error).to.have.property('code', 'EADDRINUSE')
  })
})
