import { expect } from 'chai'
import { openForwardingWorld } from '../support/forwarding.ts'
import type { ForwardingWorld } from '../support/forwarding.ts'

describe('Scopes: members that belong to another resource', () => {
  let world: ForwardingWorld
  let forwardToId: string
  const keys: Record<string, string> = {}
  before(async () => {
    world = await openForwardingWorld({ env: { MAYFLY_ALLOW_PRIVATE_WEBHOOKS: 'true' } })
    forwardToId = (await world.newVerified()).id
    for (const scope of ['emails:read', 'emails:write', 'webhooks:manage']) {
      keys[scope] = await world.app.newKey({ account: world.app.account, scopes: [scope] })
    }
  })
  after(() => world[Symbol.asyncDispose]())

  const call = (scope: string, method: string, path: string, body?: object) =>
    world.app.api(method, path, { key: keys[scope]!, ...(body && { body }) })

  it('emails:write sets forwardToId of a new address, emails:read sees forwarding.to, and neither sees or changes rules', async () => {
    const { status, body: { data } } = await call('emails:write', 'POST', '/addresses', { alias: 'forwarded', forwardToId })
    expect([status, data.forwarding]).to.deep.equal([201, { forwardToId, forwardToEmail: 'ada@example.com', isActive: true }])
    await world.app.send({ to: data.address, subject: 'Hello' })
    await world.receiver.next()
    await world.app.settled()
    const [{ id }] = (await call('emails:read', 'GET', '/emails')).body.data
    expect((await call('emails:read', 'GET', `/emails/${id}`)).body.data.forwarding.to).to.equal('ada@example.com')
    for (const scope of ['emails:read', 'emails:write']) {
      for (const [method, path, body] of [
        ['GET', '/forwarding-addresses'], ['POST', '/forwarding-addresses', { email: 'eve@example.net' }],
        ['GET', `/forwarding-addresses/${forwardToId}`], ['DELETE', `/forwarding-addresses/${forwardToId}`],
        ['GET', `/addresses/${data.id}/forwarding`], ['PATCH', `/addresses/${data.id}/forwarding`, { isActive: false }],
      ] as const) expect((await call(scope, method, path, body)).body.code, `${scope}: ${method} ${path}`).to.equal('MISSING_SCOPE')
    }
  })

  it('emails:write reads the sender of the envelope in the answer of a bounce and a complaint, and nothing else of an email', async () => {
    const { address, id: addressId } = await world.app.newAddress({ alias: 'bounced' })
    await world.app.send({ to: address, subject: 'Hello', text: 'Your code is 482913.' })
    await world.app.settled()
    const { id } = await world.app.onlyEmail(addressId)
    for (const path of ['bounce', 'complain']) {
      const { status, body: { data } } = await call('emails:write', 'POST', `/emails/${id}/${path}`)
      expect([status, data]).to.deep.equal([201, { to: 'shop@example.org', outcome: 'captured', emailId: data.emailId }])
      for (const read of [id, data.emailId]) expect((await call('emails:write', 'GET', `/emails/${read}`)).body.code).to.equal('MISSING_SCOPE')
    }
  })

  it('webhooks:manage reads sender and subject in the bodies of deliveries, and nothing else of an email', async () => {
    const { address, id: addressId } = await world.app.newAddress({ alias: 'watched' })
    const { body: { data: webhook } } = await call('webhooks:manage', 'POST', '/webhooks', { url: 'http://127.0.0.1:9/', events: ['email.received'] })
    await world.app.send({ to: address, subject: 'Hello', text: 'Your code is 482913.' })
    await world.app.settled()
    const { id: emailId } = await world.app.onlyEmail(addressId)
    const [delivery] = (await call('webhooks:manage', 'GET', `/webhooks/${webhook.id}/deliveries`)).body.data
    const { data } = JSON.parse(delivery.requestBody) as { data: Record<string, string> }
    expect(data).to.deep.equal({ emailId, addressId, from: 'shop@example.org', subject: 'Hello', receivedAt: data['receivedAt'] })
    for (const path of ['/emails', `/emails/${emailId}`, `/emails/${emailId}/raw`, '/addresses', '/events']) {
      expect((await call('webhooks:manage', 'GET', path)).body.code, path).to.equal('MISSING_SCOPE')
    }
  })
})
