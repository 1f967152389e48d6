import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect } from 'chai'
import { openWriteTurns, writeTurnAt } from '../../../server/store/changes/write-turns.ts'

/** Work that lasts until it is ended. */
function pending() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { run: () => promise, end: resolve }
}

const later = () => new Promise((resolve) => setTimeout(resolve, 20))

describe('Write turns', () => {
  it('each thread gets a turn, even while one thread writes without a pause', async () => {
    const turns = openWriteTurns()
    const [greedy, other] = [turns.join(false), turns.join(false)].map(writeTurnAt)
    const order: string[] = []
    const flood = (async () => {
      for (let i = 0; i < 100; i++) await greedy!(async () => { order.push('greedy') })
    })()
    const first = pending()
    const begun = greedy!(first.run)
    for (let i = 0; i < 3; i++) void other!(async () => { order.push('other') })
    first.end()
    await Promise.all([begun, flood])
    expect(order.slice(0, 20)).to.include('other')
  })

  it('an urgent thread goes first, but not twice in a row', async () => {
    const turns = openWriteTurns()
    const [holder, ordinary] = [turns.join(false), turns.join(false)].map(writeTurnAt)
    const urgent = [turns.join(true), turns.join(true)].map(writeTurnAt)
    const order: string[] = []
    const first = pending()
    const all = [
      holder!(first.run),
      ordinary!(async () => { order.push('ordinary') }),
      urgent[0]!(async () => { order.push('urgent 1') }),
      urgent[1]!(async () => { order.push('urgent 2') }),
    ]
    await later()
    first.end()
    await Promise.all(all)
    expect(order).to.deep.equal(['urgent 1', 'ordinary', 'urgent 2'])
  })

  it('a thread with other work uses its turn at once', async () => {
    const turns = openWriteTurns()
    const [first, next] = [turns.join(false), turns.join(false)]
    const place = turns.join(true)
    const isAsking = () => Atomics.load(new Int32Array(place.memory), 2 + place.slot) === 1
    const begun = pending()
    const holding = writeTurnAt(first)(begun.run)
    const worker = new Worker(new URL('./busy-writer.ts', import.meta.url), { workerData: { place, busyMs: 500 } })
    const order: string[] = []
    worker.on('message', (message: string) => order.push(message))
    const ended = once(worker, 'exit')
    while (!isAsking()) await later()
    await later() // after this time it does its other work, unless it blocks
    const written = writeTurnAt(next)(async () => { order.push('written by another') })
    begun.end()
    await Promise.all([holding, written, ended])
    expect(order).to.have.members(['written', 'written by another', 'other work done'])
    expect(order.at(-1)).to.equal('other work done')
  })

  it('the turn of a thread that has ended passes to the next thread', async () => {
    const turns = openWriteTurns()
    const dying = turns.join(false)
    void writeTurnAt(dying)(pending().run)
    const next = writeTurnAt(turns.join(false))(async () => 'written')
    turns.leave(dying)
    expect(await next).to.equal('written')
  })

  it('a thread writes without a turn after a maximum wait', async () => {
    const turns = openWriteTurns()
    void writeTurnAt(turns.join(false))(pending().run)
    expect(await writeTurnAt(turns.join(true))(async () => 'written')).to.equal('written')
  })
})
