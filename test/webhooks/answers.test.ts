import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { verifyDelivery } from '../support/endpoint.ts'
import { newDatabase } from '../support/new-database.ts'
import { openWebhooksWorld, shareWebhooksWorld } from './world.ts'

describe('Webhook endpoints: responses', () => {
  const newWorld = shareWebhooksWorld()
  const newWorldOfShortTimeout = shareWebhooksWorld({ webhookTimeoutMs: 300 })

  for (const [name, begin] of [
    ['says nothing', () => {}],
    ['sends its answer byte by byte, for ever', (response: import('node:http').ServerResponse) => {
      response.writeHead(200)
      const timer = setInterval(() => response.write('x'), 20)
      response.once('close', () => clearInterval(timer))
    }],
  ] as const) {
    it(`that ${name}: the delivery fails after the timeout`, async () => {
      await using world = await newWorldOfShortTimeout()
      const { app, endpoint, subscribe, deliveriesOf } = world
      endpoint.answer = (_delivery, response) => {
        begin(response)
        return null
      }
      const { id } = await subscribe()
      const startedAt = performance.now()
      await app.newAddress()
      await app.settled()
      const failed = (await deliveriesOf(id)).at(-1)!
      expect(failed).to.include({ status: 'failed', error: 'The endpoint did not answer within 0.3 seconds.' })
      expect(failed['durationMs']).to.be.within(290, performance.now() - startedAt)
      while (endpoint.open > 0) await new Promise(setImmediate)
    })
  }

  it('without an end count as success, and 4 kB of them are stored', async () => {
    await using world = await newWorld()
    const { app, endpoint, subscribe, deliveriesOf } = world
    endpoint.answer = (_delivery, response) => {
      response.writeHead(200)
      const pour = () => { while (!response.destroyed && response.write('é'.repeat(5000))); }
      response.on('drain', pour)
      pour()
      return null
    }
    const { id } = await subscribe()
    await app.newAddress()
    await app.settled()
    const [delivery] = await deliveriesOf(id)
    expect(delivery).to.include({ status: 'succeeded', responseStatus: 200, error: null, responseBody: 'é'.repeat(2048) })
    while (endpoint.open > 0) await new Promise(setImmediate)
  })

  it('of a failure are shown in the delivery, with U+FFFD in place of NUL, which not every database stores', async () => {
    await using world = await newWorld()
    const { app, endpoint, subscribe, deliveriesOf } = world
    endpoint.answer = (_delivery, response) => {
      response.writeHead(422).end('no such \0 hook\n')
      return null
    }
    const { id } = await subscribe()
    await app.newAddress()
    await app.settled()
    expect((await deliveriesOf(id)).at(-1)).to.include({ status: 'failed', responseStatus: 422, responseBody: 'no such \uFFFD hook\n' })
  })

  it('to a test event do not disable the webhook; the event has the first subscribed type, and is sent once', async () => {
    await using world = await newWorld()
    const { app, endpoint, subscribe, deliveriesOf, read, now } = world
    endpoint.answer = () => 410
    for (const event of ['email.received', 'email.deleted', 'address.created', 'address.expired', 'address.deleted']) {
      const { id, secret } = await subscribe({ events: [event, 'address.expired', 'email.received'].filter((name, i, all) => all.indexOf(name) === i) })
      const { status, body } = await app.api('POST', `/webhooks/${id}/test`)
      expect(status).to.equal(202)
      expect(body.data).to.include({ event, attempt: 1, status: 'pending', sentAt: null })
      await app.settled()
      await app.advance({ days: 1 })
      const delivery = endpoint.deliveries.at(-1)!
      verifyDelivery(delivery, secret, now() - 86_400_000)
      expect(delivery.event.event).to.equal(event)
      expect((await app.api('GET', `/addresses/${delivery.event.data['addressId']}`)).status).to.equal(404)
      expect(await deliveriesOf(id)).to.have.length(1)
      expect(await read(id)).to.include({ isActive: true })
      endpoint.answer = () => 500
    }
    expect(endpoint.deliveries).to.have.length(5)
  })

  it('to a redelivered event do not disable the webhook, which may be disabled already', async () => {
    await using world = await newWorld()
    const { app, endpoint, subscribe, deliveriesOf, read, now } = world
    endpoint.answer = () => 410
    const { id, secret } = await subscribe()
    await app.newAddress()
    await app.settled()
    await app.api('PATCH', `/webhooks/${id}`, { body: { isActive: false } })
    expect(await read(id)).to.include({ isActive: false })
    const [first] = await deliveriesOf(id)
    const { status, body } = await app.api('POST', `/webhooks/${id}/deliveries/${first!['id']}/redeliver`)
    expect(status).to.equal(202)
    expect(body.data).to.include({ eventId: first!['eventId'], status: 'pending', attempt: 1 }).and.have.property('id').not.equal(first!['id'])
    await app.settled()
    await app.advance({ days: 1 })
    const [one, two] = endpoint.deliveries
    expect(endpoint.deliveries).to.have.length(2)
    expect(two!.body).to.equal(one!.body)
    expect(two!.headers['x-service-delivery-id']).to.equal(body.data.id)
    verifyDelivery(two!, secret, now() - 86_400_000)
    const other = await subscribe()
    expect((await app.api('POST', `/webhooks/${other.id}/deliveries/${first!['id']}/redeliver`)).status).to.equal(404)
  })

  it('are listed page by page', async () => {
    await using world = await newWorld()
    const { app, subscribe } = world
    const { id } = await subscribe({ events: ['address.created'] })
    for (let i = 0; i < 3; i++) await app.newAddress()
    await app.settled()
    const { body } = await app.api('GET', `/webhooks/${id}/deliveries?limit=2`)
    expect(body).to.include({ total: 3, limit: 2, offset: 0, hasMore: true })
    const rest = (await app.api('GET', `/webhooks/${id}/deliveries?limit=2&offset=2`)).body
    expect(rest).to.include({ total: 3, hasMore: false }).and.have.property('data').length(1)
    const ids = [...body.data, ...rest.data].map((delivery: { id: string }) => delivery.id)
    expect(ids).to.deep.equal([...new Set(ids)].sort().reverse())
  })

  it('are requested again for a delivery during which the server was closed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mayfly-webhooks-'))
    const options = { database: await newDatabase(join(folder, 'mayfly.db')) }
    try {
      const first = await openWebhooksWorld(options)
      const asked = Promise.withResolvers<void>()
      first.endpoint.answer = () => {
        asked.resolve()
        return null
      }
      const { id } = await first.subscribe()
      await first.app.newAddress()
      await asked.promise
      await first.app[Symbol.asyncDispose]()
      first.endpoint.answer = () => 200
      await using second = await openWebhooksWorld(options)
      await second.app.settled()
      expect(new Set(first.endpoint.deliveries.map(({ headers }) => headers['x-service-delivery-id'])).size).to.equal(1)
      expect(first.endpoint.deliveries).to.have.length(2)
      const listed = await second.deliveriesOf(id, first.app.key)
      expect(listed).to.have.length(1)
      expect(listed[0]).to.include({ status: 'succeeded', attempt: 1 })
      await first.endpoint[Symbol.asyncDispose]()
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
