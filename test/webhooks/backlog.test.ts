import { expect } from 'chai'
import { jobsOf } from '../support/store/jobs.ts'
import { addSecondAttempts, countSecondAttempts, disableWebhook } from '../support/store/webhooks.ts'
import { shareWebhooksWorld } from './world.ts'
import type { WebhooksWorld } from './world.ts'

const count = 1100
const atOnce = 250

describe('Webhook backlog: many deliveries', () => {
  const newWorld = shareWebhooksWorld()
  let world: WebhooksWorld
  let id: string

  beforeEach(async () => {
    world = await newWorld()
    id = (await world.subscribe({ events: ['address.created'] })).id
  })
  afterEach(() => world[Symbol.asyncDispose]())

  /** Counts the added deliveries, which are second attempts. */
  const left = (status: 'pending' | 'succeeded' | 'failed') => countSecondAttempts(world.app, id, status)
  const jobs = async () => (await jobsOf(world.app, 'deliver-webhook')).length

  for (const status of ['succeeded', 'pending'] as const) {
    it(`that are ${status} are removed in small steps when the webhook is deleted, and invisible at once`, async () => {
      const { steps } = await addSecondAttempts(world.app, id, status, count)
      expect((await world.app.api('DELETE', `/webhooks/${id}`)).status).to.equal(200)
      expect((await world.app.api('GET', `/webhooks/${id}/deliveries`)).status).to.equal(404)
      await world.app.settled()
      expect([await left(status), await jobs()]).to.deep.equal([0, 0])
      expect(Math.min(...steps)).to.equal(-atOnce)
      await world.app.advance({ hours: 2 })
      expect(world.endpoint.deliveries).to.deep.equal([])
    })
  }

  it('fail in small steps when the webhook is disabled, also when it is enabled again during the steps', async () => {
    const { app, endpoint } = world
    const { steps } = await addSecondAttempts(app, id, 'pending', count)
    const [off, on] = await Promise.all([false, true].map((isActive) => app.api('PATCH', `/webhooks/${id}`, { body: { isActive } })))
    expect([off!.status, on!.status]).to.deep.equal([200, 200])
    await app.api('PATCH', `/webhooks/${id}`, { body: { isActive: true } })
    await app.newAddress()
    await app.settled()
    expect(endpoint.deliveries).to.have.length(1)
    expect([await left('pending'), await left('failed')]).to.deep.equal([0, count])
    expect(Math.min(...steps)).to.equal(-atOnce)
    const { data } = (await app.api('GET', `/webhooks/${id}/deliveries?offset=1`)).body
    expect(data[0]).to.include({ status: 'failed', sentAt: null, error: 'The webhook was disabled before this attempt.' })
    await app.advance({ hours: 2 })
    expect(endpoint.deliveries).to.have.length(1)
    expect(await jobs()).to.equal(0)
  })

  it('are 10,000 at most: further events are recorded as failed, and not queued', async function () {
    this.timeout(60_000)
    const { app, endpoint } = world
    const other = await world.subscribe({ events: ['address.created'] })
    for (let i = 0; i < 10; i++) await addSecondAttempts(app, id, 'pending', 1_000)
    const queued = await jobs()
    await app.newAddress()
    await app.settled()
    expect(endpoint.deliveries).to.have.length(1)
    expect(await jobs()).to.equal(queued)
    const [[refused], [made]] = [await world.deliveriesOf(id), await world.deliveriesOf(other.id)]
    const error = '10000 deliveries of this webhook wait already.'
    expect([refused!['status'], refused!['error'], made!['status']]).to.deep.equal(['failed', error, 'succeeded'])
    for (const path of ['test', `deliveries/${refused!['id']}/redeliver`]) {
      const answer = await app.api('POST', `/webhooks/${id}/${path}`)
      expect([answer.status, answer.body.error]).to.deep.equal([429, `${error} Try again when some were made.`])
    }
    await app.api('PATCH', `/webhooks/${id}`, { body: { isActive: false } })
    await app.settled()
    expect((await app.api('POST', `/webhooks/${id}/test`)).status).to.be.below(300)
    await app.api('DELETE', `/webhooks/${id}`)
    await app.settled() // without its jobs, which other tests would run
  })

  it('are not posted while the webhook is disabled', async () => {
    const { app, endpoint } = world
    await disableWebhook(app, id)
    await addSecondAttempts(app, id, 'pending', count)
    await app.advance({ hours: 2 })
    await app.api('POST', `/webhooks/${id}/test`)
    await app.settled()
    expect(endpoint.deliveries).to.have.length(1)
    expect(await jobs()).to.equal(0)
  })
})
