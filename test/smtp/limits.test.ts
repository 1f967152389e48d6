import { expect } from 'chai'
import type { SmtpLimits } from '../../server/smtp/limits.ts'
import { openTestApp, type TestApp } from '../support/app.ts'
import { openSession, playSession, type SmtpSession, type Step } from '../support/play-session.ts'
import { openListener } from '../support/smtp-listener.ts'
import { delivery, hello, rawMails } from './mailbox.ts'

describe('SMTP limits', () => {
  let app: TestApp
  before(async () => { app = await openTestApp({ smtpLimits: { guesses: 1_000, unproductiveDelayMs: 20 }, env: { MAYFLY_MAX_MESSAGE_BYTES: '10000' } }) })
  after(() => app[Symbol.asyncDispose]())

  const openWith = (limits: Partial<SmtpLimits>) => openListener(app, { guesses: 1_000, ...limits })

  describe('on the size of a mail', () => {
    const lines = (bytes: number) => `${'x'.repeat(98)}\r\n`.repeat(bytes / 100)

    it('refuse a mail by its declared size, before it is sent', async () => {
      const { address } = await app.newAddress()
      const replies = await playSession(app.smtp, [
        hello, ['MAIL FROM:<a@example.org> SIZE=10001', 552], ['MAIL FROM:<a@example.org> SIZE=10000', 250], ...delivery(address).slice(1),
      ])
      expect(replies[1]).to.match(/^552 5\.3\.4 .* 10000$/)
    })

    it('are exact to the byte', async () => {
      const { id, address } = await app.newAddress()
      await playSession(app.smtp, [
        hello, ...delivery(address, lines(10_000)), ...delivery(address).slice(0, 3), [`${lines(9_900)}${'x'.repeat(99)}\r\n.`, 552],
      ])
      expect(await rawMails(app, id)).to.deep.equal([lines(10_000)])
    })

    it('refuse a mail that is longer than declared, drop the rest, and the session continues', async () => {
      const { id, address } = await app.newAddress()
      const replies = await playSession(app.smtp, [
        hello, ...delivery(address).slice(0, 3), [Buffer.from(`${lines(5_000_000)}.\r\n`), 552], ...delivery(address, 'small\r\n'), ['QUIT', 221],
      ])
      expect(replies[4]).to.equal('552 5.3.4 The mail is larger than this server takes')
      expect(await rawMails(app, id)).to.deep.equal(['small\r\n'])
    })

    it('count the stored bytes: a bare line feed is two bytes', async () => {
      const { id, address } = await app.newAddress()
      await playSession(app.smtp, [hello, ...delivery(address).slice(0, 3), [`${'\n'.repeat(6000)}\r\n.`, 552]])
      expect(await rawMails(app, id)).to.deep.equal([])
    })
  })

  describe('on commands', () => {
    it('end a session with a line that is too long, also without an end', async () => {
      for (const line of [`NOOP ${'x'.repeat(2050)}\r\n`, 'x'.repeat(2_000_000)]) {
        await using session = await openSession(app.smtp)
        session.send(line)
        expect(await session.reply()).to.equal('500 5.5.2 Command line too long')
        expect(await session.ended()).to.equal('')
      }
    })

    it('allow a line of 2,048 bytes', async () => {
      await playSession(app.smtp, [[`NOOP ${'x'.repeat(2043)}`, 250]])
    })

    for (const [command, code] of [
      ['FOO', 500], ['NOOP', 250], ['RSET', 250], ['VRFY a@mail.localhost', 252], ['EHLO x', 250], ['RCPT TO:<nobody@mail.localhost>', 550],
    ] as const) {
      it(`end a session after ${command} was sent 100 times`, async () => {
        await using session = await openSession(app.smtp)
        await session.play([['HELO x', 250], ['MAIL FROM:<a@example.org>', 250]])
        if (code !== 550) await session.play([['RSET', 250]])
        await session.play(Array.from({ length: code === 550 ? 99 : 98 }, (): Step => [command, code]))
        session.send(`${command}\r\n`)
        expect(await session.reply()).to.equal('421 4.7.0 Too many commands without a mail')
        expect(await session.ended()).to.equal('')
      })
    }

    it('do not count commands that deliver mail, nor recipients beyond 100', async () => {
      const { id, address } = await app.newAddress()
      const mails = Array.from({ length: 120 }, () => [...delivery(address), ['NOOP', 250] satisfies Step]).flat()
      await playSession(app.smtp, [hello, ...mails, ['QUIT', 221]])
      await app.settled()
      expect((await app.api('GET', `/emails?address_id=${id}`)).body.total).to.equal(120)
    })

    it('answer a thousand commands in one packet up to the limit', async () => {
      await using session = await openSession(app.smtp)
      session.send('NOOP\r\n'.repeat(1000))
      expect((await session.ended()).match(/^250/gm)).to.have.length(100)
    })
  })

  describe('on time', () => {
    it('end an idle session', async () => {
      await using limited = await openWith({ idleMs: 50 })
      await using session = await openSession(limited.smtp)
      expect(await session.ended()).to.match(/^421 4\.4\.2 Timeout/)
    })

    it('end a session that is idle within a mail, and store nothing of the mail', async () => {
      await using limited = await openWith({ idleMs: 50 })
      const { id, address } = await limited.newAddress()
      await using session = await openSession(limited.smtp)
      await session.play([hello, ...delivery(address).slice(0, 3)])
      session.send('Subject: half\r\n\r\nhalf\r\n')
      expect(await session.ended()).to.match(/^421 4\.4\.2 Timeout/)
      expect(await rawMails(limited, id)).to.deep.equal([])
    })

    it('end a session whose mail arrives too slowly, and store nothing of the mail', async () => {
      await using limited = await openWith({ dataMs: 80 })
      const { id, address } = await limited.newAddress()
      await using session = await openSession(limited.smtp)
      await session.play([hello, ...delivery(address).slice(0, 3)])
      expect(await trickle(session, 'x\r\n')).to.match(/^421 4\.4\.2 Timeout/)
      expect(await rawMails(limited, id)).to.deep.equal([])
    })

    it('end a session whose command arrives too slowly', async () => {
      await using limited = await openWith({ commandMs: 80 })
      await using session = await openSession(limited.smtp)
      expect(await trickle(session, 'x')).to.match(/^421 4\.4\.2 Timeout/)
    })
  })

  describe('on connections', () => {
    it('refuse further connections of one address, until one of them ends', async () => {
      await using limited = await openWith({ connectionsPerAddress: 2 })
      await using first = await openSession(limited.smtp)
      await using second = await openSession(limited.smtp)
      await using third = await openSession(limited.smtp)
      expect(third.greeting).to.equal('421 Too many connections from your address')
      expect(await third.ended()).to.equal('')
      await second.play([['QUIT', 221]])
      await second.ended()
      await playSession(limited.smtp, [['NOOP', 250]])
      await first.play([['NOOP', 250]])
    })

    it('refuse further connections in total', async () => {
      await using limited = await openWith({ connections: 2, evictableMs: 600_000 })
      await using first = await openSession(limited.smtp)
      await using second = await openSession(limited.smtp)
      await using third = await openSession(limited.smtp)
      expect(third.greeting).to.match(/^421 mail\.localhost Too many connected clients/)
      expect(await third.ended()).to.equal('')
      expect(limited.app.smtp.connections).to.equal(2)
      await first.play([['QUIT', 221]])
      await first.ended()
      await second.play([['NOOP', 250]])
      await playSession(limited.smtp, [['NOOP', 250]])
    })
  })
})

/** Opens a client that sends a piece every few milliseconds, until the server ends the session. */
async function trickle(session: SmtpSession, piece: string) {
  const ended = session.ended()
  while (!session.socket.destroyed && session.socket.readyState === 'open') {
    session.send(piece)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return await ended
}
