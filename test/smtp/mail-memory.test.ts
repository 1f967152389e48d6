import { expect } from 'chai'
import { MailMemory } from '../../server/smtp/mail-memory.ts'

describe('SMTP memory for mail', () => {
  it('lets mails wait when it is full, but no small one, and the one in turn', () => {
    const memory = new MailMemory(100, 10)
    const [first, second, third] = [memory.open('a'), memory.open('a'), memory.open('a')]
    first.add(90)
    second.add(20)
    const read: string[] = []
    first.whenRoom(() => read.push('leader'))
    second.whenRoom(() => read.push('second'))
    third.whenRoom(() => read.push('small'))
    expect(read).to.deep.equal(['leader', 'small'])
    first.release(50)
    expect(read).to.deep.equal(['leader', 'small', 'second'])
    for (const share of [first, second, third]) share.close()
    expect(memory.heldBytes).to.equal(0)
  })

  it('gives room to the senders in rotation', () => {
    const memory = new MailMemory(100, 0)
    const full = memory.open('x')
    full.add(100)
    full.whenRoom(() => {}) // it is in turn
    const order: string[] = []
    for (const sender of ['a', 'a', 'a', 'b']) {
      const share = memory.open(sender)
      share.add(1)
      share.whenRoom(() => order.push(sender))
    }
    full.close()
    expect(order).to.deep.equal(['a', 'b', 'a', 'a'])
  })

  it('passes the turn on when its client sends nothing', () => {
    const memory = new MailMemory(100, 0)
    const [stalled, other] = [memory.open('a'), memory.open('b')]
    stalled.add(100)
    other.add(1)
    let resumed = 0
    stalled.whenRoom(() => {})
    other.whenRoom(() => { resumed++ })
    memory.replaceStalled()
    expect(resumed).to.equal(0) // it has sent something since the last look
    memory.replaceStalled()
    expect(resumed).to.equal(1)
  })
})
