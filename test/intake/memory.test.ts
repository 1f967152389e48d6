import { expect } from 'chai'
import type { Worker } from 'node:worker_threads'
import { openTestApp } from '../support/app.ts'
import { reusedThreads } from '../support/worker-threads.ts'

describe('Intake threads: memory', () => {
  it('has a bound for the young generation of every thread, which V8 does not shrink', async () => {
    const workers: Worker[] = []
    const threads = await reusedThreads()
    const start: typeof threads.start = (...args) => {
      const worker = threads.start(...args)
      workers.push(worker)
      return worker
    }
    await using app = await openTestApp({ isRealTime: true, threads: { ...threads, start } })
    const address = await app.newAddress()
    await app.send({ to: address.address, subject: 'one', text: 'short' })
    await app.send({ to: address.address, subject: 'two', text: 'long '.repeat(100_000) })
    await app.settled()
    expect(workers.length).to.be.greaterThan(2) // for parsing, writing, and long mail at least
    for (const { resourceLimits } of workers) expect(resourceLimits).to.include({ maxYoungGenerationSizeMb: 12 })
  })
})
