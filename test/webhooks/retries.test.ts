import { expect } from 'chai'
import { verifyDelivery } from '../support/endpoint.ts'
import { ownerOf } from '../support/store/accounts.ts'
import { rowsOf } from '../support/store/rows.ts'
import { shareWebhooksWorld } from './world.ts'
import type { WebhooksWorld } from './world.ts'

describe('Webhook retries: a delivery that fails', () => {
  const newWorld = shareWebhooksWorld()
  let world: WebhooksWorld
  let webhook: { id: string, secret: string }
  /** Seconds from the start to each delivery. */
  let times: number[]

  async function open() {
    world = await newWorld()
    webhook = await world.subscribe({ events: ['address.created'] })
    const start = world.now()
    times = []
    answer(() => 500)
    function answer(status: () => number) {
      world.endpoint.answer = () => {
        times.push((world.now() - start) / 1000)
        return status()
      }
    }
    return answer
  }
  afterEach(() => world[Symbol.asyncDispose]())

  const fire = async () => {
    await world.app.newAddress()
    await world.app.settled()
  }
  const auditOf = async () => {
    const owner = await ownerOf(world.app)
    return (await rowsOf(world.app, 'audit_logs')).filter(({ accountId, action }) => accountId === owner.accountId && action === 'webhooks.disabled')
  }

  it('Webhook, active: 5 consecutive failed deliveries → disabled automatically; all had the same bytes', async () => {
    await open()
    const start = world.now()
    await fire()
    await world.app.advance({ hours: 2, minutes: 35, seconds: 59 })
    expect(times).to.deep.equal([0, 60, 360, 2160])
    expect(await world.read(webhook.id)).to.include({ isActive: true, disabledAt: null, disabledReason: null })
    expect(await auditOf()).to.deep.equal([])
    await world.app.advance({ seconds: 1 })
    expect(times).to.deep.equal([0, 60, 360, 2160, 9360])
    const { deliveries } = world.endpoint
    expect(new Set(deliveries.map(({ body }) => body)).size).to.equal(1)
    expect(new Set(deliveries.map(({ headers }) => headers['webhook-id'])).size).to.equal(1)
    expect(new Set(deliveries.map(({ headers }) => headers['x-service-delivery-id'])).size).to.equal(5)
    for (const [i, delivery] of deliveries.entries()) verifyDelivery(delivery, webhook.secret, start + times[i]! * 1000)

    const listed = (await world.deliveriesOf(webhook.id)).reverse()
    expect(listed.map(({ id }) => id)).to.deep.equal(deliveries.map(({ headers }) => headers['x-service-delivery-id']))
    for (const [i, delivery] of listed.entries()) {
      const at = new Date(start + times[i]! * 1000).toISOString()
      expect(delivery).to.include({
        eventId: deliveries[0]!.event.id, event: 'address.created', attempt: i + 1, status: 'failed', responseStatus: 500, responseBody: '',
        error: 'The endpoint answered 500.', dueAt: at, sentAt: at,
      })
    }
    expect(await world.read(webhook.id)).to.include({
      isActive: false, disabledAt: new Date(start + 9_360_000).toISOString(), disabledReason: '5 deliveries of one event failed.',
    })
    const [row, ...more] = await auditOf()
    expect(more).to.deep.equal([])
    expect(row).to.include({ resourceId: webhook.id, apiKeyId: null, mode: 'live', createdAt: start + 9_360_000 })
    const logs = (await world.app.api('GET', '/audit-logs')).body.data
    expect(logs.find(({ action }: { action: string }) => action === 'webhooks.disabled')).to.include({
      resourceId: webhook.id, apiKeyId: null, path: `/api/v1/webhooks/${webhook.id}`, method: '', ipAddress: '',
    })
    await world.app.advance({ days: 3 })
    expect(times).to.have.length(5)
  })

  it('Webhook retries: attempts have the delays of the table, to the second', async () => {
    await open()
    await Promise.all(Array.from({ length: 20 }, () => world.app.newAddress()))
    await world.app.settled()
    await world.app.advance({ hours: 2, minutes: 35, seconds: 59 })
    const listed = await world.deliveriesOf(webhook.id)
    const start = Date.parse(listed.at(-1)!['dueAt'])
    expect(new Set(listed.map(({ attempt, dueAt }) => `${attempt}: ${(Date.parse(dueAt) - start) / 1000}`))).to.deep.equal(
      new Set(['5: 9360', '4: 2160', '3: 360', '2: 60', '1: 0']))
    expect(listed).to.have.length(100)
  })

  it('does not disable the webhook when a later attempt succeeds: five failures of one event do', async () => {
    const answer = await open()
    for (let i = 0; i < 4; i++) {
      answer(() => 500)
      await fire()
      await world.app.advance({ minutes: 36 }) // four attempts
      answer(() => 204)
      await world.app.advance({ hours: 2 })
    }
    expect(times).to.have.length(20)
    expect(await world.read(webhook.id)).to.include({ isActive: true })
    const listed = await world.deliveriesOf(webhook.id)
    expect(listed.filter(({ status }) => status === 'succeeded').map(({ attempt }) => attempt)).to.deep.equal([5, 5, 5, 5])
    expect(listed[0]).to.include({ responseStatus: 204, error: null })
  })

  it('does not disable the webhook when a delivery of another event has succeeded since the first failure', async () => {
    await open()
    const { id: poison } = await world.app.newAddress()
    const { answer } = world.endpoint
    world.endpoint.answer = (delivery, response) => delivery.event.data['addressId'] === poison ? answer(delivery, response) : 204
    await world.app.settled()
    for (let i = 0; i < 11; i++) await fire()
    await world.app.advance({ days: 1 })
    expect(times).to.have.length(5)
    expect(await world.read(webhook.id)).to.include({ isActive: true, disabledReason: null })
    expect((await world.deliveriesOf(webhook.id)).filter(({ status }) => status === 'pending')).to.deep.equal([])
    expect(await auditOf()).to.deep.equal([])
  })

  it('disables the webhook when its last success was before the first of five failures', async () => {
    const answer = await open()
    answer(() => 204)
    await fire()
    answer(() => 500)
    await fire()
    await world.app.advance({ days: 1 })
    expect(await world.read(webhook.id)).to.include({ isActive: false, disabledReason: '5 deliveries of one event failed.' })
  })

  it('ends all pending deliveries when it disables the webhook, until the webhook is enabled again', async () => {
    const answer = await open()
    await fire()
    await world.app.advance({ hours: 2, minutes: 30, seconds: 30 })
    await fire() // its attempts are pending when those of the first event have failed
    await world.app.advance({ minutes: 6 })
    const { length } = times
    await fire() // queues no delivery while the webhook is disabled
    await world.app.advance({ days: 1 })
    expect(times).to.have.length(length)
    const dropped = (await world.deliveriesOf(webhook.id))[0]!
    expect(dropped).to.include({ status: 'failed', sentAt: null, error: 'The webhook was disabled before this attempt.' })

    answer(() => 200)
    const { body: { data } } = await world.app.api('PATCH', `/webhooks/${webhook.id}`, { body: { isActive: true } })
    expect(data).to.include({ isActive: true, disabledAt: null, disabledReason: null })
    await fire()
    expect(times).to.have.length(length + 1)

    answer(() => 500)
    await fire()
    await world.app.advance({ hours: 2 })
    expect(await world.read(webhook.id)).to.include({ isActive: true })
    await world.app.advance({ hours: 1 })
    expect(await world.read(webhook.id)).to.include({ isActive: false })
    expect(await auditOf()).to.have.length(2)
  })

  it('Webhook retries: 410 is a failure like any other status', async () => {
    const answer = await open()
    answer(() => 410)
    await fire()
    await world.app.advance({ hours: 2, minutes: 35, seconds: 59 })
    expect(times).to.deep.equal([0, 60, 360, 2160])
    expect(await world.read(webhook.id)).to.include({ isActive: true, disabledAt: null, disabledReason: null })
    await world.app.advance({ seconds: 1 })
    expect(times).to.deep.equal([0, 60, 360, 2160, 9360])
    expect(await world.read(webhook.id)).to.include({ isActive: false, disabledReason: '5 deliveries of one event failed.' })
    expect(await auditOf()).to.have.length(1)
  })

  for (const [name, retryAfter, expected] of [
    ['a longer pause', '600', [0, 600, 1200, 3000, 10_200]],
    ['a shorter pause than the table', '5', [0, 60, 360, 2160, 9360]],
    ['more than the longest pause', '86400', [0, 7200, 14_400, 21_600, 28_800]],
    ['nothing that can be read', 'soon', [0, 60, 360, 2160, 9360]],
  ] as const) {
    it(`with 503 and a Retry-After that asks for ${name}`, async () => {
      await open()
      const { answer } = world.endpoint
      world.endpoint.answer = (delivery, response) => {
        answer(delivery, response)
        response.setHeader('Retry-After', retryAfter)
        return 503
      }
      await fire()
      await world.app.advance({ days: 2 })
      expect(times).to.deep.equal(expected)
    })
  }

  it('with 429 and a date in Retry-After is tried at that date; with another status at its usual time', async () => {
    await open()
    const start = world.now()
    const { answer } = world.endpoint
    world.endpoint.answer = (delivery, response) => {
      answer(delivery, response)
      response.setHeader('Retry-After', new Date(start + 900_000).toUTCString())
      return times.length === 1 ? 429 : 500
    }
    await fire()
    await world.app.advance({ minutes: 20 })
    expect(times).to.deep.equal([0, 900, 1200])
  })

  it('fails at a redirect, which is not followed', async () => {
    await open()
    world.endpoint.answer = ({ path }, response) => {
      times.push(0)
      response.setHeader('Location', path === '/hook' ? '/elsewhere' : '/hook')
      return 307
    }
    await fire()
    expect(times).to.have.length(1)
    expect((await world.deliveriesOf(webhook.id)).at(-1))
      .to.include({ status: 'failed', responseStatus: 307, error: 'The endpoint answered 307; redirects are not followed.' })
  })

  it('for a closed port, or a response that is not HTTP', async () => {
    await open()
    await world.endpoint[Symbol.asyncDispose]()
    await fire()
    expect((await world.deliveriesOf(webhook.id)).at(-1))
      .to.include({ status: 'failed', responseStatus: null, responseBody: null, error: 'The endpoint could not be reached: it refused the connection.' })
    await world.app.api('PATCH', `/webhooks/${webhook.id}`, { body: { url: `http://127.0.0.1:${world.app.smtp.port}/` } })
    await world.app.api('POST', `/webhooks/${webhook.id}/test`)
    await world.app.settled()
    expect((await world.deliveriesOf(webhook.id))[0])
      .to.include({ status: 'failed', responseStatus: null, error: 'The answer of the endpoint is not HTTP.' })
    Object.assign(world.endpoint, { [Symbol.asyncDispose]: async () => {} })
  })
})
