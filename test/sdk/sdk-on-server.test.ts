import { expect } from 'chai'
import { ConflictError, Mayfly, NotFoundError, RateLimitError } from '@mayfly-mail/sdk'
import type { ApiError } from '@mayfly-mail/sdk'
import { openTestApp } from '../support/app.ts'
import { openDnsServer } from '../support/dns-server.ts'
import { capturedLink, press } from '../support/forwarding.ts'
import { rejectionOf } from './rejection.ts'
import { describeSdk } from './shared-suite.ts'

describeSdk('the SDK on the server', async () => {
  const app = await openTestApp()
  return {
    sdk: new Mayfly({ apiKey: app.key, baseUrl: app.url }),
    testSdk: new Mayfly({ apiKey: await app.newKey({ isTest: true }), baseUrl: app.url }),
    offers: () => true,
    hasClassic: true,
    agree: async (email) => { await press(app, await capturedLink(app, email)) },
    async deliver(to, source) {
      await app.send({ envelope: { from: 'no-reply@shop.example', to }, raw: source })
      await app.settled() // it is authenticated then
    },
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  }
})

describe('SDK: on the server alone', () => {
  it('keeps marks and deletions', async () => {
    await using app = await openTestApp()
    const sdk = new Mayfly({ apiKey: app.key, baseUrl: app.url })
    const { id, address } = await sdk.addresses.create()
    await app.send({ to: address, subject: 'Hello', text: 'Hello' })
    const email = await sdk.emails.waitFor({ addressId: id })
    expect(await sdk.emails.update(email.id, { isRead: true, isStarred: true })).to.include({ isRead: true, isStarred: true })
    expect(await sdk.emails.update(email.id, { isStarred: false })).to.include({ isRead: true, isStarred: false })
    await sdk.emails.delete(email.id)
    expect((await sdk.emails.list({ addressId: id })).total).to.equal(0)
    expect((await sdk.emails.list({ addressId: id, isDeleted: true })).data.map((deleted) => deleted.id)).to.deep.equal([email.id])
    await sdk.addresses.delete(id)
    for (const gone of [() => sdk.addresses.get(id), () => sdk.emails.get(email.id), () => sdk.addresses.delete(id)]) {
      expect(await rejectionOf(gone())).to.be.instanceOf(NotFoundError)
    }
  })

  it('forwards mail after the forwarding address is verified', async () => {
    await using app = await openTestApp()
    const sdk = new Mayfly({ apiKey: app.key, baseUrl: app.url })
    const { id: forwardToId } = await sdk.forwardingAddresses.create({ email: 'ada@example.com' })
    expect(await rejectionOf(sdk.addresses.create({ forwardToId }))).to.be.instanceOf(ConflictError).and.include({ code: 'NOT_VERIFIED' })
    await sdk.forwardingAddresses.resendVerification(forwardToId)
    expect(await rejectionOf(sdk.forwardingAddresses.resendVerification(forwardToId)))
      .to.be.instanceOf(RateLimitError).and.include({ code: 'RATE_LIMITED', retryAfterMs: 60_000 })
    await press(app, await capturedLink(app, 'ada@example.com'))
    expect(await rejectionOf(sdk.forwardingAddresses.resendVerification(forwardToId)))
      .to.be.instanceOf(ConflictError).and.include({ code: 'ALREADY_VERIFIED' })
    const { id, address, forwarding } = await sdk.addresses.create({ forwardToId })
    expect(forwarding).to.deep.equal({ forwardToId, forwardToEmail: 'ada@example.com', isActive: true })
    await app.send({ to: address, subject: 'Hello', text: 'Hello' })
    const email = await sdk.emails.waitFor({ addressId: id })
    await app.settled()
    expect((await sdk.emails.get(email.id)).forwarding).to.include({ to: 'ada@example.com', status: 'captured' })
    expect(await sdk.forwardingRules.update(id, { forwardToId: null })).to.include({ isActive: false, forwardToEmail: null })
  })

  it('verifies a domain by its records, and receives its mail', async () => {
    await using dns = await openDnsServer()
    await using app = await openTestApp({ env: { MAYFLY_DNS_SERVERS: dns.servers } })
    const sdk = new Mayfly({ apiKey: app.key, baseUrl: app.url })
    const { id, domain, dnsRecords: { mx, txt } } = await sdk.domains.create({ domain: 'Äpfel.example' })
    expect(domain).to.equal('xn--pfel-koa.example')
    const missing = `The TXT record of ${domain} was not found. The MX record of ${domain} was not found.`
    expect(await sdk.domains.verify(id)).to.include({ status: 'pending', message: missing })
    expect(await rejectionOf(sdk.addresses.create({ domain }))).to.be.instanceOf(ConflictError).and.include({ code: 'NOT_VERIFIED' })

    dns.zone[domain] = { MX: [{ exchange: mx.value, priority: mx.priority }], TXT: [txt.value] }
    expect(await sdk.domains.verify(id)).to.include({ id, domain, status: 'verified', message: `${domain} is verified.` })
    const address = await sdk.addresses.create({ alias: 'box', domain: 'äpfel.example' })
    await app.send({ to: address.address, subject: 'Hello', text: 'Hello' })
    expect((await sdk.emails.waitFor({ addressId: address.id })).to).to.equal('box@xn--pfel-koa.example')

    const other = new Mayfly({ apiKey: await app.newKey(), baseUrl: app.url })
    expect(await rejectionOf(other.domains.create({ domain }))).to.be.instanceOf(ConflictError).and.include({ code: 'CONFLICT' })
    expect(await rejectionOf(other.domains.verify(id))).to.be.instanceOf(NotFoundError)
    expect(await rejectionOf(other.domains.delete(id))).to.be.instanceOf(NotFoundError)
    await sdk.domains.delete(id)
    expect(await sdk.domains.list()).to.deep.equal([])
  })

  it('returns errors with their codes', async () => {
    await using app = await openTestApp()
    const sdk = new Mayfly({ apiKey: app.key, baseUrl: app.url })
    await sdk.addresses.create({ alias: 'taken' })
    const errorOf = async (promise: Promise<unknown>) => {
      const { name, code, details } = await rejectionOf(promise) as ApiError
      return [name, code, ...details.map(({ path }) => path)]
    }
    expect(await errorOf(sdk.addresses.create({ alias: 'taken' }))).to.deep.equal(['ConflictError', 'CONFLICT'])
    expect(await errorOf(sdk.addresses.list({ limit: 101 }))).to.deep.equal(['InvalidRequestError', 'INVALID_REQUEST', 'query.limit'])
    expect(await errorOf(sdk.addresses.create({ expiresIn: 1 }))).to.deep.equal(['InvalidRequestError', 'INVALID_REQUEST', 'body.expiresIn'])
    expect(await errorOf(sdk.domains.create({ domain: 'co.uk' }))).to.deep.equal(['InvalidRequestError', 'INVALID_REQUEST', 'body.domain'])
    const reader = new Mayfly({ apiKey: await app.newKey({ scopes: ['emails:read'] }), baseUrl: app.url })
    expect(await errorOf(reader.addresses.create())).to.deep.equal(['PermissionError', 'MISSING_SCOPE'])
    const unauthenticated = new Mayfly({ apiKey: 'svc_live_wrong', baseUrl: app.url })
    expect(await errorOf(unauthenticated.emails.list())).to.deep.equal(['AuthenticationError', 'INVALID_API_KEY'])
  })
})
