import { expect } from 'chai'
import { execFileSync } from 'node:child_process'
import { shareTestApp } from '../support/app.ts'
import { openSession, playSession, type Step } from '../support/play-session.ts'
import { openListener } from '../support/smtp-listener.ts'
import { delivery, hello, rawMails } from './mailbox.ts'

const from: Step = ['MAIL FROM:<a@example.org>', 250]

describe('SMTP connections', () => {
  const newAccount = shareTestApp()

  it('beyond the maximum end the session with the longest idle time in favour of the new one', async () => {
    await using app = await openListener(await newAccount(), { connections: 2, evictableMs: 0 })
    const { id, address } = await app.newAddress()
    await using busy = await openSession(app.smtp)
    await using idle = await openSession(app.smtp)
    await busy.play([hello, from])
    await playSession(app.smtp, [hello, ...delivery(address)])
    expect(await idle.ended()).to.equal('421 4.3.2 Too many connections, and this one is idle\r\n')
    await busy.play([[`RCPT TO:<${address}>`, 250], ['DATA', 354], ['hello\r\n.', 250]])
    expect(await rawMails(app, id)).to.have.length(2)
  })

  it('that send a mail are not ended while another session is idle', async () => {
    await using app = await openListener(await newAccount(), { connections: 2, evictableMs: 0 })
    const { id, address } = await app.newAddress()
    await using sending = await openSession(app.smtp)
    await sending.play([hello, ...delivery(address).slice(0, 3)])
    await using idle = await openSession(app.smtp)
    await idle.play([hello])
    sending.send('x'.repeat(600_000))
    while (app.app.smtp.heldBytes < 200_000) await new Promise(setImmediate)
    await using third = await openSession(app.smtp)
    expect(third.greeting).to.match(/^220/)
    expect(await idle.ended()).to.match(/^421 4\.3\.2/)
    await sending.play([['\r\n.', 250]])
    expect(await rawMails(app, id)).to.have.length(1)
  })

  it('whose mail waits for the disk do not time out', async () => {
    let release = () => {}
    const isHeld = new Promise<number>((resolve) => { release = () => resolve(1e12) })
    await using app = await openListener(await newAccount(), { idleMs: 500 }, { freeBytes: () => isHeld })
    const { id, address } = await app.newAddress()
    await using sending = await openSession(app.smtp)
    await sending.play([hello, ...delivery(address).slice(0, 3)])
    sending.send('x'.repeat(600_000))
    while (app.app.smtp.heldBytes < 262_144) await new Promise(setImmediate)
    for (let i = 0; i < 2; i++) {
      await using idle = await openSession(app.smtp)
      expect(await idle.ended()).to.match(/^421 4\.4\.2 Timeout/)
    }
    const answered = sending.play([['\r\n.', 250]]) // before the server waits for its client again
    release()
    await answered
    expect(await rawMails(app, id)).to.have.length(1)
  })

  it('cause no error when they are reset before they are accepted', async () => {
    const app = await newAccount()
    const reset = `const socket = require('node:net').connect(${app.smtp.port}, '127.0.0.1', () => socket.resetAndDestroy())`
    for (let i = 0; i < 3; i++) {
      execFileSync(process.execPath, ['-e', reset]) // blocks this process, so the reset precedes the accept
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    await using session = await openSession(app.smtp)
    expect(session.greeting).to.match(/^220/)
  })

  it('beyond the limit of their address end no other session', async () => {
    await using app = await openListener(await newAccount(), { connections: 2, connectionsPerAddress: 2, evictableMs: 0 })
    await using first = await openSession(app.smtp)
    await using second = await openSession(app.smtp)
    await using third = await openSession(app.smtp)
    expect(third.greeting).to.match(/^421/)
    for (const session of [first, second]) await session.play([['NOOP', 250]])
  })
})
