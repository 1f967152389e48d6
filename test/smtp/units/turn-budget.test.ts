import { once } from 'node:events'
import { connect } from 'node:net'
import { expect } from 'chai'
import { TurnBudget } from '../../../server/smtp/client-limits.ts'
import { openTestApp } from '../../support/app.ts'
import { openSession } from '../../support/play-session.ts'
import { hello } from '../mailbox.ts'

describe('SMTP turn budget: commands per turn of the event loop', () => {
  it('run up to the limit, with the sessions in rotation', async () => {
    const turns = new TurnBudget(4)
    const ran: string[] = []
    const perTurn: number[] = []
    const session = (name: string, commands: number) => {
      if (commands === 0) return
      turns.run(name, 1, () => {
        ran.push(name)
        queueMicrotask(() => session(name, commands - 1))
      })
    }
    for (const name of ['a', 'b', 'c']) session(name, 4)
    await new Promise(setImmediate) // the first turn began before
    while (ran.length < 12) {
      const before = ran.length
      await new Promise(setImmediate)
      perTurn.push(ran.length - before)
    }
    expect(Math.max(...perTurn)).to.be.at.most(4)
    expect(ran.slice(0, 9).sort().join('')).to.equal('aaabbbccc')
  })

  it('count long pieces of a mail as many commands', async () => {
    const turns = new TurnBudget(4)
    let pieces = 0
    for (let i = 0; i < 3; i++) turns.run('a', 4, () => { pieces++ })
    expect(pieces).to.equal(1)
    await new Promise(setImmediate)
    expect(pieces).to.equal(2)
  })

  it('alternate between addresses, regardless of the number of sessions of each', async () => {
    const [sessions, round] = [50, 20]
    await using app = await openTestApp({ smtpLimits: { unproductiveCommands: 1e6, commandsPerTurn: 4 } })
    await using other = await openSession(app.smtp)
    await other.play([hello])
    let answered = 0
    const flood = await Promise.all(Array.from({ length: sessions }, async () => {
      const socket = connect({ ...app.smtp, localAddress: '127.0.0.2' })
      await once(socket, 'data')
      socket.on('data', (replies: Buffer) => { answered += String(replies).split('\r\n').length - 1 })
      socket.write('NOOP\r\n'.repeat(5_000))
      return socket
    }))
    try {
      while (answered < sessions) await new Promise(setImmediate)
      const before = answered
      for (let i = 0; i < round; i++) await other.play([['NOOP', 250]])
      // in the order of arrival, each of these would wait for a command of every other session
      expect(answered - before).to.be.lessThan(sessions * round / 2)
    } finally {
      for (const socket of flood) socket.destroy()
    }
  })
})
