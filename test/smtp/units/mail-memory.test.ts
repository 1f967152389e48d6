import { expect } from 'chai'
import { MailMemory } from '../../../server/smtp/mail-memory.ts'

describe('SMTP memory for mail', () => {
  it('makes mails wait when it is full, except small ones and one leader', () => {
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

  it('lets the waiting senders continue in rotation', () => {
    const memory = new MailMemory(100, 0)
    const full = memory.open('x')
    full.add(100)
    full.whenRoom(() => {}) // becomes the leader
    const order: string[] = []
    for (const sender of ['a', 'a', 'a', 'b']) {
      const share = memory.open(sender)
      share.add(1)
      share.whenRoom(() => order.push(sender))
    }
    full.close()
    expect(order).to.deep.equal(['a', 'b', 'a', 'a'])
  })

  it('replaces a leader whose client sends nothing', () => {
    const memory = new MailMemory(100, 0)
    const [stalled, other] = [memory.open('a'), memory.open('b')]
    stalled.add(100)
    other.add(1)
    let resumed = 0
    stalled.whenRoom(() => {})
    other.whenRoom(() => { resumed++ })
    memory.replaceStalled()
    expect(resumed).to.equal(0) // the leader has sent bytes since the last check
    memory.replaceStalled()
    expect(resumed).to.equal(1)
  })
})
