import { expect } from 'chai'
import type { Clock } from '../../server/clock.ts'
import { testClock } from '../support/clock.ts'
import { openEndpoint } from '../support/endpoint.ts'
import { openNodes, startNodes } from '../support/nodes.ts'
import { newPostgresDatabase } from '../support/postgres.ts'
import { nodesOf } from '../support/store/nodes.ts'
import { rawSql } from '../support/store/raw-sql.ts'

const beatMs = 5_000

/** A clock for one node, whose beats end before the time goes on. */
function beatingClock({ now, at }: Clock) {
  let isStopped = false
  let plannedFor = 0
  return {
    now,
    at(time: number, task: () => void) {
      if (time === now() + beatMs) plannedFor = time
      return at(time, () => { if (!isStopped) task() })
    },
    stop() { isStopped = true },
    /** Waits for the end of a beat, which plans the next one. */
    async planned() {
      while (!isStopped && plannedFor <= now()) await new Promise(setImmediate)
    },
  }
}

describe('Nodes: start', function () {

  it('of five at once on an empty database makes one schema, one account with one key, one secret, and one job for each sweep', async () => {
    const started = await startNodes(5, await newPostgresDatabase({ isEmpty: true }))
    try {
      expect(started.filter(({ first }) => first)).to.have.length(1)
      const { db } = started[0]!.app
      const [counts] = await rawSql(db, `select (select count(*) from accounts) as accounts, (select count(*) from api_keys) as keys,
        (select count(*) from secrets) as secrets, (select count(*) from nodes) as nodes`)
      expect(counts).to.deep.equal({ accounts: 1, keys: 1, secrets: 1, nodes: 5 })
      expect(new Set(started.map(({ app }) => app.secret.toString('hex'))).size).to.equal(1)
      for (const { app } of started) await app.worker.settled()
      const sweeps = await rawSql(db, `select lane, count(*) as jobs from jobs where task = 'sweep' group by lane order by lane`)
      expect(sweeps).to.deep.equal([{ lane: 'emails', jobs: 1 }, { lane: 'rows', jobs: 1 }])
    } finally {
      for (const { app } of started) await app.close()
    }
  })

  it('leaves the jobs of a living node alone, and 20 seconds after its death others have them', async () => {
    await using endpoint = await openEndpoint()
    const begun = Promise.withResolvers<void>()
    const taken = Promise.withResolvers<void>()
    endpoint.answer = (_delivery, response) => {
      if (endpoint.deliveries.length === 1) {
        begun.resolve()
        response.socket!.pause() // no answer
        return null
      }
      taken.resolve()
      return 200
    }
    const clock = testClock()
    const [mortal, survivor] = [beatingClock(clock), beatingClock(clock)]
    await using world = await openNodes(1, { clock: mortal, env: { MAYFLY_ALLOW_PRIVATE_WEBHOOKS: 'true' }, webhookTimeoutMs: 600_000 })
    const [a] = world.nodes as [typeof world.nodes[0]]
    await a.api('POST', '/webhooks', { body: { url: endpoint.url, events: ['address.created'] } })
    await a.newAddress()
    await begun.promise

    const b = await world.open({ clock: survivor })
    const pass = async (seconds: number) => {
      for (let i = 0; i < seconds; i++) {
        await clock.advance(1_000, async () => {
          for (const { planned } of [mortal, survivor]) await planned()
        })
      }
    }
    await pass(40)
    expect(endpoint.deliveries).to.have.length(1)
    mortal.stop()
    const isRegistered = async () => (await nodesOf(b.app.db)).length === 2
    await pass(10)
    expect(await isRegistered()).to.equal(true)
    await pass(10)
    expect(await isRegistered()).to.equal(false)
    while (endpoint.deliveries.length < 2) {
      await pass(1) // a claim that has failed is tried again later
      await new Promise(setImmediate)
    }
    await taken.promise
    await b.app.worker.settled()
    expect(endpoint.deliveries.map(({ headers }) => headers['webhook-id'])).to.deep.equal(Array(2).fill(endpoint.deliveries[0]!.headers['webhook-id']))
  })
})
