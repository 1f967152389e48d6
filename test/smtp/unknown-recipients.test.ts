import { expect } from 'chai'
import type { SmtpLimits } from '../../server/smtp/limits.ts'
import { shareTestApp, type TestApp } from '../support/app.ts'
import { openSession, playSession, type SmtpSession, type Step } from '../support/play-session.ts'
import { openListener } from '../support/smtp-listener.ts'
import { delivery, hello, rawMails } from './mailbox.ts'

const from: Step = ['MAIL FROM:<shop@example.org>', 250]
const unknown = 'RCPT TO:<nobody@mail.localhost>'

describe('SMTP unknown recipients', () => {
  const newAccount = shareTestApp()
  const openApp = async (limits: Partial<SmtpLimits>) =>
    openListener(await newAccount(), { guesses: 1, guessesPerSecond: 0.001, ...limits })

  /** The first unknown recipient, which is answered at once. */
  async function useUp(app: TestApp) {
    await playSession(app.smtp, [hello, from, [unknown, 550]])
    while (app.app.smtp.connections > 0) await new Promise(setImmediate)
  }

  /** Opens a session whose reply to an unknown recipient is delayed. */
  async function openDelayed({ smtp, api }: TestApp) {
    const session = await openSession(smtp)
    await session.play([hello, from])
    session.send(`${unknown}\r\n`)
    await api('GET', '/addresses') // a request later than the command: the server has read that
    return session
  }
  const hasReply = (session: SmtpSession) => {
    let is = false
    session.reply().then(() => { is = true }, () => { is = true })
    return () => is
  }

  it('are refused at once while they are few', async () => {
    const app = await newAccount()
    await playSession(app.smtp, [hello, from, ...Array.from({ length: 50 }, (): Step => [unknown, 550])])
  })

  it('are answered with a delay when a network has tried many, while its other sessions deliver mail', async () => {
    await using app = await openApp({ guessDelayMs: 600_000 })
    const { id, address } = await app.newAddress()
    await useUp(app)
    await using guesser = await openDelayed(app)
    const isAnswered = hasReply(guesser)
    for (let i = 0; i < 10; i++) await playSession(app.smtp, [hello, ...delivery(address), ['QUIT', 221]])
    expect(await rawMails(app, id)).to.have.length(10)
    expect(isAnswered()).to.equal(false)
  })

  it('do not delay accepted recipients of a session that had some', async () => {
    await using app = await openApp({ guessDelayMs: 10 })
    const { id, address } = await app.newAddress()
    await playSession(app.smtp, [hello, from, [unknown, 550], [unknown, 550], ...delivery(address).slice(1)])
    expect(await rawMails(app, id)).to.have.length(1)
  })

  it('end a session that had several replies delayed', async () => {
    await using app = await openApp({ guessDelayMs: 10, delayedGuesses: 2 })
    const session = await openDelayed(app)
    await session.reply()
    const replies = await session.play([[unknown, 550], [unknown, 550], [unknown, 421]])
    expect(replies.at(-1)).to.equal('421 4.7.0 Too many unknown recipients or wrong passwords')
    expect(await session.ended()).to.equal('')
  })

  it('do not end a session that delivers mail in between', async () => {
    await using app = await openApp({ guessDelayMs: 10, delayedGuesses: 2 })
    const { address } = await app.newAddress()
    const mail = [from, [unknown, 550], [unknown, 550], ...delivery(address).slice(1)] satisfies Step[]
    await playSession(app.smtp, [hello, ...Array.from({ length: 5 }, () => mail).flat()])
  })

  it('at foreign domains and with invalid syntax count too', async () => {
    await using app = await openApp({ guessDelayMs: 10, delayedGuesses: 1, guesses: 2 })
    await playSession(app.smtp, [
      hello, from, ['RCPT TO:<ada@example.com>', 550], ['RCPT TO:<a..b@mail.localhost>', 550], ['RCPT TO:<ada@example.com>', 550], ['RCPT TO:<ada@example.com>', 421],
    ])
  })

  it('with delayed replies do not exclude other clients of their address', async () => {
    await using app = await openApp({ guessDelayMs: 600_000, connectionsPerAddress: 3, evictableMs: 0 })
    const { id, address } = await app.newAddress()
    await useUp(app)
    const guessers = [await openDelayed(app), await openDelayed(app), await openDelayed(app)]
    try {
      await playSession(app.smtp, [hello, ...delivery(address)])
      expect(await guessers[0]!.ended()).to.equal('421 4.3.2 Too many connections from your address\r\n')
      expect(await rawMails(app, id)).to.have.length(1)
    } finally {
      for (const guesser of guessers) await guesser[Symbol.asyncDispose]()
    }
  })

  it('with delayed replies make room when there are too many connections', async () => {
    await using app = await openApp({ guessDelayMs: 600_000, connections: 2, evictableMs: 0 })
    const { id, address } = await app.newAddress()
    await useUp(app)
    await using first = await openDelayed(app)
    await using second = await openDelayed(app)
    await playSession(app.smtp, [hello, ...delivery(address)])
    expect(await Promise.race([first, second].map((session) => session.ended()))).to.match(/^421 4\.3\.2 Too many connections/)
    expect(await rawMails(app, id)).to.have.length(1)
  })

  it('leave no timer behind when the client disconnects before the reply', async () => {
    await using app = await openApp({ guessDelayMs: 600_000 })
    await useUp(app)
    const session = await openDelayed(app)
    session.socket.resetAndDestroy()
    while (app.app.smtp.connections > 0) await new Promise(setImmediate)
  })
})
