import { expect } from 'chai'
import { openEndpoint } from '../support/endpoint.ts'
import { openHangingServer } from '../support/receiver.ts'
import { openWebhooksWorld } from './world.ts'

const events = 500

describe('Webhooks: an endpoint that hangs', () => {
  it(`delays only itself: another endpoint gets its events while ${events} wait for it`, async () => {
    await using hanging = await openHangingServer()
    await using world = await openWebhooksWorld({ isRealTime: true, webhookTimeoutMs: 600_000 })
    const { app, subscribe } = world
    const came = new Set<string>()
    await using quick = await openEndpoint(({ event }) => { came.add(event.data['addressId']) })
    const stuck = await subscribe({ url: `http://127.0.0.1:${hanging.port}/`, events: ['address.created'] })
    for (let i = 0; i < events; i++) await app.newAddress()
    await app.api('PATCH', `/webhooks/${stuck.id}`, { body: { events: ['address.deleted'] } })
    while (hanging.open < 4) await new Promise(setImmediate)

    await subscribe({ url: quick.url, events: ['address.created'] })
    for (let i = 0; i < 200; i++) {
      const { id } = await app.newAddress()
      while (!came.has(id)) await new Promise(setImmediate)
    }
    expect(hanging.open).to.equal(4)
    expect((await app.api('GET', `/webhooks/${stuck.id}/deliveries`)).body.total).to.equal(events)
  })

  it('delays only its account: an account with 100 hanging webhooks leaves capacity for other accounts', async () => {
    await using hanging = await openHangingServer()
    await using world = await openWebhooksWorld({ isRealTime: true, webhookTimeoutMs: 600_000 })
    const { app, endpoint, subscribe } = world
    const told = Promise.withResolvers<void>()
    endpoint.answer = () => told.resolve()
    for (let i = 0; i < 100; i++) await subscribe({ url: `http://host-${i}.localhost:${hanging.port}/`, events: ['address.created'] })
    for (let i = 0; i < 4; i++) await app.newAddress()
    while (hanging.open < 50) await new Promise(setImmediate)

    const other = await app.newKey()
    await subscribe({ events: ['address.created'] }, other)
    await app.api('POST', '/addresses', { key: other, body: {} })
    await told.promise
    expect(hanging.open).to.equal(50)
  })
})
