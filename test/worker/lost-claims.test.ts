import { expect } from 'chai'
import { pino } from 'pino'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { jobsOf, takeJobsOver } from '../support/store/jobs.ts'
import { refuseChanges } from '../support/store/faults.ts'
import { countRows } from '../support/store/rows.ts'
import { openWebhooksWorld } from '../webhooks/world.ts'

const lost = 'the claim of a job was lost: this run has no effect'

/** A log of warnings and errors. */
function openLog() {
  const lines: string[] = []
  return { lines, log: pino({ level: 'warn' }, { write: (line: string) => { lines.push((JSON.parse(line) as { msg: string }).msg) } }) }
}

/** Holds the calls of a function of the intake. @returns resolves at its first call; the calls go on with `release` */
function hold(app: TestApp, name: 'publish' | 'authenticate') {
  const { intake } = app.app
  const called = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const run = intake[name] as (...values: unknown[]) => Promise<never>
  intake[name] = async (...values: unknown[]) => {
    called.resolve()
    await released.promise
    return run(...values)
  }
  return { called: called.promise, release: released.resolve }
}

describe('Job queue: a job that another node has taken over', function () {

  it('records no result of a webhook delivery, and plans no other attempt', async () => {
    const { lines, log } = openLog()
    await using world = await openWebhooksWorld({ log })
    const { app, endpoint } = world
    const { id } = await world.subscribe({ events: ['address.created'] })
    let taken: unknown
    endpoint.answer = (_delivery, response) => {
      void takeJobsOver(app, 'deliver-webhook').then((claims) => {
        taken = claims[0]
        response.writeHead(500).end()
      })
      return null
    }
    await app.newAddress()
    await app.settled()
    expect(endpoint.deliveries).to.have.length(1)
    expect(await world.deliveriesOf(id)).to.have.length(1)
    expect((await world.deliveriesOf(id))[0]).to.include({ status: 'pending', responseStatus: null })
    const [job] = await jobsOf(app, 'deliver-webhook')
    expect({ id: job!.id, claimedBy: job!.claimedBy, attempts: job!.attempts }).to.deep.equal(taken)
    expect(lines).to.deep.equal([lost])
  })

  it('stores no authentication results', async () => {
    const { lines, log } = openLog()
    await using app = await openTestApp({ log })
    const completion = hold(app, 'authenticate')
    const { id, address } = await app.newAddress()
    await app.send({ to: address, text: 'short' })
    await completion.called
    await takeJobsOver(app, 'authenticate-message')
    completion.release()
    await app.settled()
    expect(await countRows(app, 'authentications')).to.equal(0)
    expect(await jobsOf(app, 'authenticate-message')).to.have.length(1)
    expect(await app.onlyEmail(id)).to.include({ authentication: null })
    expect(lines).to.deep.equal([lost])
  })

  it('publishes no mail', async () => {
    const { lines, log } = openLog()
    await using app = await openTestApp({ log })
    const publishing = hold(app, 'publish')
    const { address } = await app.newAddress()
    await app.send({ to: address, text: 'a line of a long mail\r\n'.repeat(60_000) })
    await publishing.called
    await takeJobsOver(app, 'parse-message')
    publishing.release()
    await app.settled()
    expect(await app.listEmails()).to.deep.equal([])
    expect(await countRows(app, 'messages')).to.equal(0)
    expect(await jobsOf(app, 'parse-message')).to.have.length(1)
    expect(app.app.arriving.size).to.equal(0)
    expect(lines).to.deep.equal([lost])
  })

  it('is run by the next claim of the same node once the former run has ended', async () => {
    const { lines, log } = openLog()
    await using app = await openTestApp({ log })
    const completion = hold(app, 'authenticate')
    const { id, address } = await app.newAddress()
    await app.send({ to: address, text: 'short' })
    await completion.called
    const [job] = await jobsOf(app, 'authenticate-message')
    await takeJobsOver(app, 'authenticate-message')
    app.app.worker.release({ id: job!.id, claimedBy: 'another node', attempts: 2 })
    while ((await jobsOf(app, 'authenticate-message'))[0]!.claimedBy !== app.app.node.id) await new Promise(setImmediate)
    completion.release()
    await app.settled()
    expect(await app.onlyEmail(id)).to.have.nested.property('authentication.spf')
    expect(await jobsOf(app, 'authenticate-message')).to.deep.equal([])
    expect(lines).to.deep.equal([lost])
  })
})

describe('Job queue: a claim that cannot be ended', () => {
  it('is ended when the database accepts it again: the job is not lost', async function () {
    const { lines, log } = openLog()
    await using world = await openWebhooksWorld({ log })
    const { app, endpoint } = world
    await world.subscribe({ events: ['address.created'] })
    const refused = Promise.withResolvers<() => Promise<void>>()
    endpoint.answer = (_delivery, response) => {
      void Promise.all([refuseChanges(app, 'update', 'jobs'), refuseChanges(app, 'update', 'webhook_deliveries')]).then((restores) => {
        refused.resolve(async () => { for (const restore of restores) await restore() })
        response.writeHead(200).end()
      })
      return null
    }
    await app.newAddress()
    const restore = await refused.promise
    while (!lines.includes('the claim of a job cannot be ended yet')) await new Promise(setImmediate)
    await restore()
    endpoint.answer = () => 200
    await app.settled()
    await app.advance({ minutes: 10 })
    expect(endpoint.deliveries).to.have.length(2)
    expect(await jobsOf(app, 'deliver-webhook')).to.deep.equal([])
    // a node of several also ends claims of which it does not know; the refusal of all changes of jobs also stops other claims
    const besides = ['jobs of silent nodes are due again', 'cannot claim jobs']
    expect(lines.filter((line) => !besides.includes(line))).to.deep.equal(['job failed', 'the claim of a job cannot be ended yet'])
  })
})
