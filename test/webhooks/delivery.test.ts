import { createServer } from 'node:https'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createSecureContext } from 'node:tls'
import { expect } from 'chai'
import { openDnsServer } from '../support/dns-server.ts'
import { isSigned, standardVerify, verifyDelivery } from '../support/endpoint.ts'
import { selfSigned } from '../support/receiver.ts'
import { ownerOf } from '../support/store/accounts.ts'
import { jobsOf } from '../support/store/jobs.ts'
import { openWebhooksWorld, shareWebhooksWorld } from './world.ts'
import type { WebhooksWorld } from './world.ts'

describe('Webhooks: delivery', () => {
  const newWorld = shareWebhooksWorld()
  let world: WebhooksWorld

  beforeEach(async () => { world = await newWorld() })
  afterEach(() => world[Symbol.asyncDispose]())

  it('posts an event of an email that can be read', async () => {
    const { app, endpoint, subscribe } = world
    await subscribe({ events: ['email.received'] })
    const { address } = await app.newAddress()
    await app.send({ to: address, subject: 'Hello', text: 'Hello' })
    await app.settled()
    const [{ event, headers }] = endpoint.deliveries as [typeof endpoint.deliveries[0]]
    expect(headers).to.include({ 'user-agent': 'Mayfly', 'host': `127.0.0.1:${endpoint.port}` })
    expect(endpoint.open).to.equal(0)
    expect((await app.api('GET', `/emails/${event.data['emailId']}`)).body.data).to.include({ subject: 'Hello' })
  })

  it('posts only the subscribed events, of the chosen addresses', async () => {
    const { app, endpoint, subscribe } = world
    const [one, two] = [await app.newAddress(), await app.newAddress()]
    const { id } = await subscribe({ addressIds: [one.id.toUpperCase(), one.id], events: ['email.received', 'address.deleted'] })
    for (const { address } of [one, two]) await app.send({ to: address, subject: address, text: 'Hello' })
    await app.settled()
    expect(endpoint.deliveries.map(({ event }) => event.data['subject'])).to.deep.equal([one.address])
    expect((await world.read(id))['addressIds']).to.deep.equal([one.id])
    const { status } = await app.api('PATCH', `/webhooks/${id}`, { body: { addressIds: null, events: ['address.deleted'] } })
    expect(status).to.equal(200)
    await app.send({ to: two.address, subject: 'unwanted', text: 'Hello' })
    for (const address of [one, two]) await app.api('DELETE', `/addresses/${address.id}`)
    await app.settled()
    expect(endpoint.deliveries.slice(1).map(({ event }) => [event.event, event.data['addressId']]))
      .to.have.deep.members([['address.deleted', one.id], ['address.deleted', two.id]])
  })

  it('is isolated by account and mode, and refuses addresses of others as a filter', async () => {
    const { app, endpoint, subscribe } = world
    const { accountId: account } = await ownerOf(app)
    const keys = [await app.newKey(), await app.newKey({ account, isTest: true })]
    for (const key of keys) await subscribe({}, key)
    const { id: addressId, address } = await app.newAddress()
    await app.send({ to: address, subject: 'private', text: 'private' })
    await app.settled()
    expect(endpoint.deliveries).to.deep.equal([])
    for (const key of keys) {
      const answer = await app.api('POST', '/webhooks', { key, body: { url: `${endpoint.url}/other`, events: ['email.received'], addressIds: [addressId] } })
      expect(answer.status).to.equal(404)
      expect(answer.body).to.deep.equal({ error: `body.addressIds: there is no address with the id ${addressId}.`, code: 'NOT_FOUND' })
    }
    await app.api('POST', '/addresses', { key: keys[1]!, body: {} })
    await app.settled()
    expect(endpoint.deliveries.map(({ event }) => event.event)).to.deep.equal(['address.created'])
  })

  it('shows the secret once, and accepts a secret of the user', async () => {
    const { app, endpoint, subscribe, now } = world
    const { id, secret } = await subscribe()
    expect(secret).to.match(/^whsec_[A-Za-z0-9+/]{43}=$/)
    for (const path of ['/webhooks', `/webhooks/${id}`]) expect(JSON.stringify((await app.api('GET', path)).body)).not.to.include('whsec_')
    const ownSecrets = [`whsec_${Buffer.alloc(9, 'x').toString('base64')}`, `whsec_${Buffer.alloc(64, 'x').toString('base64')}`, '8 "text"', 'ü'.repeat(200)]
    for (const own of ownSecrets) {
      endpoint.deliveries.length = 0
      const webhook = await subscribe({ secret: own, events: ['address.created'] })
      expect(webhook).to.include({ secret: own })
      await app.newAddress()
      await app.settled()
      expect(endpoint.deliveries.filter((delivery) => isSigned(delivery, own))).to.have.length(1)
      standardVerify(endpoint.deliveries.find((delivery) => isSigned(delivery, own))!, own, now())
      await app.api('DELETE', `/webhooks/${webhook.id}`)
    }
    for (const refused of ['7 chars', 'x'.repeat(201), 'with a\nline feed', 'with a \x7f']) {
      const body = { url: `${endpoint.url}/other`, events: ['address.created'], secret: refused }
      expect(await app.api('POST', '/webhooks', { body })).to.include({ status: 400 }).and.have.nested.property('body.details[0].path', 'body.secret')
    }
  })

  it('signs with two secrets for a day after the rotation', async () => {
    const { app, endpoint, subscribe, now } = world
    const { id, secret: old } = await subscribe({ events: ['address.created'] })
    const next = async () => {
      endpoint.deliveries.length = 0
      await app.newAddress()
      await app.settled()
      return endpoint.deliveries[0]!
    }
    const { status, body: { data: { secret: fresh, ...rest } } } = await app.api('POST', `/webhooks/${id}/rotate-secret`)
    expect(status).to.equal(200)
    expect(rest).to.include({ id, url: endpoint.url })
    expect(fresh).to.match(/^whsec_/).and.not.equal(old)
    for (const time of [{}, { hours: 23, minutes: 59, seconds: 59 }]) {
      await app.advance(time)
      const delivery = await next()
      expect(String(delivery.headers['webhook-signature']).split(' ')).to.have.length(2)
      for (const secret of [old, fresh]) standardVerify(delivery, secret, now())
      expect([isSigned(delivery, old), isSigned(delivery, fresh)]).to.deep.equal([true, false])
    }
    await app.advance({ seconds: 1 })
    const delivery = await next()
    verifyDelivery(delivery, fresh, now())
    expect(() => standardVerify(delivery, old, now())).to.throw('No matching signature')
  })

  it('is limited to 100 webhooks per account', async () => {
    const { app, subscribe, endpoint } = world
    const ids: string[] = []
    for (let i = 0; i < 100; i++) ids.push((await subscribe()).id)
    const answer = await app.api('POST', '/webhooks', { body: { url: endpoint.url, events: ['email.received'] } })
    expect(answer).to.include({ status: 409 }).and.have.nested.property('body.code', 'CONFLICT')
    expect((await app.api('GET', '/webhooks')).body.data.map(({ id }: { id: string }) => id)).to.deep.equal(ids.reverse())
    await app.api('DELETE', `/webhooks/${ids[0]}`)
    await subscribe()
    await subscribe({}, await app.newKey())
  })

  it('Webhook, any: DELETE webhook → removed, and gets nothing more', async () => {
    const { app, endpoint, subscribe } = world
    endpoint.answer = () => 500
    const { id } = await subscribe({ events: ['address.created'] })
    await app.newAddress()
    await app.settled()
    expect((await app.api('DELETE', `/webhooks/${id}`)).body).to.deep.equal({ message: 'The webhook is deleted.' })
    await app.advance({ days: 1 })
    expect(endpoint.deliveries).to.have.length(1)
    for (const path of ['', '/deliveries']) expect((await app.api('GET', `/webhooks/${id}${path}`)).status).to.equal(404)
    expect(await jobsOf(app, 'deliver-webhook')).to.deep.equal([])
  })

  it('connects to the address from DNS, with the host of the URL in TLS and HTTP', async () => {
    await using dns = await openDnsServer({ 'hooks.example': { A: ['127.0.0.1'] } })
    await using named = await openWebhooksWorld({ env: { MAYFLY_DNS_SERVERS: dns.servers } })
    const names: string[] = []
    const pair = selfSigned()
    const server = createServer({ ...pair, SNICallback: (name, done) => {
      names.push(name)
      done(null, createSecureContext(pair))
    } })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    try {
      const secure = await named.subscribe({ url: `https://hooks.example:${(server.address() as AddressInfo).port}/` })
      await named.subscribe({ url: `http://hooks.example:${named.endpoint.port}/a?b=c` })
      await named.app.newAddress()
      await named.app.settled()
      expect(names).to.deep.equal(['hooks.example'])
      const [failed] = (await named.deliveriesOf(secure.id)).filter(({ status }) => status === 'failed')
      expect(failed!['error']).to.match(/^The endpoint could not be reached: its certificate/)
      expect(named.endpoint.deliveries).to.have.length(1)
      expect(named.endpoint.deliveries[0]!.path).to.equal('/a?b=c')
      expect(named.endpoint.deliveries[0]!.headers.host).to.equal(`hooks.example:${named.endpoint.port}`)
    } finally {
      server.close()
    }
  })
})
