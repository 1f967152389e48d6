import { fork } from 'node:child_process'
import { once } from 'node:events'
import { randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { isSigned, openEndpoint } from '../support/endpoint.ts'
import { openTestApp } from '../support/app.ts'
import { newDatabase } from '../support/new-database.ts'
import { serverBuild } from '../support/server-build.ts'
import { ownerOf } from '../support/store/accounts.ts'
import { jobsOf } from '../support/store/jobs.ts'
import { countRows, rowsOf } from '../support/store/rows.ts'

const rounds = 50

describe('Webhook deliveries after a crash: a process is killed while it delivers events', () => {
  it(`every event is delivered at least once after ${rounds} kills, and repetitions have the same ids and bytes`, async function () {
    this.timeout(600_000)
    const folder = await mkdtemp(join(tmpdir(), 'mayfly-webhooks-'))
    await using endpoint = await openEndpoint((_delivery, response) => {
      setTimeout(() => response.writeHead(200).end(), randomInt(10)) // so that some deliveries are in progress at any time
      return null
    })
    const options = { database: await newDatabase(join(folder, 'mayfly.db')), env: { MAYFLY_ALLOW_PRIVATE_WEBHOOKS: 'true' }, isRealTime: true }
    try {
      const first = await openTestApp(options)
      const { id, secret } = (await first.api('POST', '/webhooks', { body: { url: endpoint.url, events: ['address.created'] } })).body.data
      const { accountId: account } = await ownerOf(first)
      await first[Symbol.asyncDispose]()

      const repeats: number[] = []
      for (let round = 0; round < rounds; round++) await killInTheMiddle(options.database, account)

      await using last = await openTestApp(options)
      // on a server of databases, other nodes take the jobs of a killed one over when they have not heard of it for 15 seconds
      while (await countRows(last, 'jobs') > (await jobsOf(last, 'sweep')).length) await last.settled()
      const events = (await rowsOf(last, 'outbox')).filter(({ event }) => event === 'address.created')
      const rows = await rowsOf(last, 'webhook_deliveries')
      const received = Map.groupBy(endpoint.deliveries, ({ headers }) => headers['webhook-id'] as string)
      for (const [eventId, deliveries] of received) {
        repeats.push(deliveries.length - 1)
        expect(new Set(deliveries.map(({ body }) => body)).size).to.equal(1)
        expect(new Set(deliveries.map(({ headers }) => headers['x-service-delivery-id'])).size).to.equal(1)
        expect(deliveries.every((delivery) => delivery.event.id === eventId && isSigned(delivery, secret))).to.equal(true)
      }
      const repeated = repeats.reduce((sum, n) => sum + n, 0)
      console.log(`      ${events.length} events, ${repeated} deliveries repeated`)
      expect(events.length).to.be.greaterThan(rounds)
      expect(new Set(received.keys())).to.deep.equal(new Set(events.map((event) => event.id)))
      expect(new Set(rows.map((row) => row.eventId))).to.deep.equal(new Set(received.keys()))
      expect(rows.every(({ status, attempt }) => status === 'succeeded' && attempt === 1)).to.equal(true)
      expect(rows).to.have.length(events.length)
      expect((await last.api('GET', `/webhooks/${id}`, { key: first.key })).body.data).to.include({ isActive: true })
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})

/** Starts a process that delivers events, and kills it at a random moment. */
async function killInTheMiddle(database: string, account: string) {
  const child = fork((await serverBuild()).programs['killed-worker'], [database, account])
  const exited = once(child, 'exit')
  await Promise.race([once(child, 'message'), exited.then(() => { throw new Error('the process did not start') })])
  await new Promise((resolve) => setTimeout(resolve, randomInt(20, 200)))
  child.kill('SIGKILL')
  await exited
}
