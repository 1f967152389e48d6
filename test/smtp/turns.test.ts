import { expect } from 'chai'
import { shareTurns } from '../../server/smtp/turns.ts'

describe('SMTP turns of the event loop', () => {
  it('run no more commands in one turn than their limit, of each session in turn', async () => {
    const turns = shareTurns(4)
    const ran: string[] = []
    const perTurn: number[] = []
    const session = (name: string, commands: number) => {
      if (commands === 0) return
      turns.take(1, () => {
        ran.push(name)
        queueMicrotask(() => session(name, commands - 1))
      })
    }
    for (const name of ['a', 'b', 'c']) session(name, 4)
    await new Promise(setImmediate) // the first turn has begun before this one
    while (ran.length < 12) {
      const before = ran.length
      await new Promise(setImmediate)
      perTurn.push(ran.length - before)
    }
    expect(Math.max(...perTurn)).to.be.at.most(4)
    expect(ran.slice(0, 9).sort().join('')).to.equal('aaabbbccc')
  })

  it('count long pieces of a mail as many commands', async () => {
    const turns = shareTurns(4)
    let pieces = 0
    for (let i = 0; i < 3; i++) turns.take(4, () => { pieces++ })
    expect(pieces).to.equal(1)
    await new Promise(setImmediate)
    expect(pieces).to.equal(2)
  })
})
