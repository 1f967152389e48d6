import { expect } from 'chai'
import { openTestApp } from '../support/app.ts'
import { ownThreads } from '../support/worker-threads.ts'

describe('Intake threads', () => {
  it('have a bound for the young generation, which V8 does not shrink', async () => {
    const threads = await ownThreads()
    await using app = await openTestApp({ isRealTime: true, threads })
    const address = await app.newAddress()
    await app.send({ to: address.address, subject: 'one', text: 'short' })
    await app.send({ to: address.address, subject: 'two', text: 'long '.repeat(100_000) })
    await app.settled()
    expect(threads.workers.length).to.be.greaterThan(2) // for parsing, writing, and long mail at least
    for (const { resourceLimits } of threads.workers) expect(resourceLimits).to.include({ maxYoungGenerationSizeMb: 24 })
  })

  it('are replaced when they die, and end with the server', async () => {
    const threads = await ownThreads()
    const app = await openTestApp({ threads })
    try {
      const address = await app.newAddress()
      for (let i = 1; i <= 12; i++) { // three threads each time: more in all than the slots of threads that write
        await threads.kill()
        await app.send({ to: address.address, subject: `mail ${i}`, text: 'after a death' })
      }
      await app.settled()
      expect(await app.listEmails({ address_id: address.id, limit: '100' })).to.have.length(12)
    } finally {
      await app[Symbol.asyncDispose]()
    }
    expect(threads.workers.filter(({ threadId }) => threadId >= 0)).to.deep.equal([])
  })

  it('are not terminated before they have opened the database: while they load the addon of SQLite, that would abort the process', async () => {
    const threads = await ownThreads()
    const app = await openTestApp({ threads, intakeLimits: { timeoutMs: 1 } })
    const { intake, db } = app.app
    const startsThread = intake.check({ accountId: db.newId(), mode: 'live', bound: undefined }, db.newId())
    const worker = threads.workers.at(-1)!
    const calls: string[] = []
    worker.once('message', () => calls.push('opened'))
    const terminate = worker.terminate.bind(worker)
    worker.terminate = () => {
      calls.push('terminated')
      return terminate()
    }
    await Promise.allSettled([startsThread, app[Symbol.asyncDispose]()])
    expect(calls).to.deep.equal(['opened', 'terminated'])
    expect(threads.workers.filter(({ threadId }) => threadId >= 0)).to.deep.equal([])
  })
})
