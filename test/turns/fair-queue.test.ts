import { expect } from 'chai'
import { FairDispatcher, FairQueue } from '../../server/turns/fair-queue.ts'

describe('Fair queue', () => {
  it('takes an item of each name per round, in the order of its items', () => {
    const queue = new FairQueue<string>()
    for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) queue.push(item[0]!, item)
    expect([queue.size, queue.waitingOf('a'), queue.waitingOf('d')]).to.deep.equal([6, 3, 0])
    expect(Array.from({ length: 7 }, () => queue.shift())).to.deep.equal(['a1', 'b1', 'c1', 'a2', 'c2', 'a3', undefined])
    expect(queue.size).to.equal(0)
  })

  it('passes a name whose item may not start, which keeps its place', () => {
    const queue = new FairQueue<string>()
    for (const item of ['a1', 'b1', 'b2']) queue.push(item[0]!, item)
    expect(queue.shift((name) => name !== 'a')).to.equal('b1')
    expect(queue.shift(() => false)).to.equal(undefined)
    queue.remove('b', 'b2')
    queue.remove('b', 'unknown')
    expect([queue.shift(), queue.size]).to.deep.equal(['a1', 0])
  })
})

describe('Fair dispatcher', () => {
  it('starts as many as may run, in all and of a name', () => {
    const running: string[] = []
    const of = (name: string) => running.filter((item) => item.startsWith(name)).length
    const dispatcher = new FairDispatcher<string>({
      start: (item) => { running.push(item) }, isFull: () => running.length === 3, mayStart: (name) => of(name) < 2,
    })
    for (const item of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2']) dispatcher.push(item[0]!, item)
    expect(running).to.deep.equal(['a1', 'a2', 'b1'])
    const end = (item: string) => {
      running.splice(running.indexOf(item), 1)
      dispatcher.startNext()
    }
    end('b1')
    expect(running).to.deep.equal(['a1', 'a2', 'b2'])
    end('b2')
    expect([running, dispatcher.waitingOf('a')]).to.deep.equal([['a1', 'a2'], 2])
    end('a1')
    expect(running).to.deep.equal(['a2', 'a3'])
    dispatcher.remove('a', 'a4')
    end('a2')
    expect(running).to.deep.equal(['a3'])
  })
})
