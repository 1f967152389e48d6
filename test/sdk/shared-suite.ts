import { expect } from 'chai'
import { InvalidRequestError, Mayfly, ServerError } from '@mayfly-mail/sdk'
import type { Address, Email } from '@mayfly-mail/sdk'
import type { DocumentOperation } from '../../openapi/document.ts'
import { operationsOf, readDocument } from '../../openapi/document.ts'
import type { Bdd } from './browser/recorder.ts'
import { rejectionOf } from './rejection.ts'

/** One side of the contract: the mock or the server. */
export interface SdkWorld extends AsyncDisposable {
  sdk: Mayfly
  /** A client with a test key. */
  testSdk: Mayfly
  /** Whether the side offers an operation; it answers 501 to other operations. */
  offers(operationId: string): boolean
  /** Whether the side has the classic dialect, too. */
  hasClassic: boolean
  /** Verifies a forwarding address, as its owner does by the link in the verification mail. */
  agree(email: string): Promise<void>
  /** Sends a mail, as its source, to an address, and returns when its authentication is checked, so that its email changes no more. */
  deliver(to: string, source: string): Promise<void>
}

/** The source of the email in the document's examples. */
export const exampleSource = exampleOf(operationsOf(readDocument()).find(({ operationId }) => operationId === 'emails.raw')!)

function exampleOf({ definition, status }: DocumentOperation): string {
  const { content } = definition.responses![status] as { content: Record<string, { examples: Record<string, { value: string }> }> }
  return content['message/rfc822']!.examples['source']!.value
}

/** Tests of the SDK that pass on every side of the contract: the same calls have the same answers. */
export function describeSdk(name: string, open: () => Promise<SdkWorld>, bdd: Bdd = globalThis) {
  const { describe, it, before, after } = bdd
  describe(name, () => {
    let world: SdkWorld
    let address: Address
    let email: Email

    before(async () => {
      world = await open()
      address = await world.sdk.addresses.create({ alias: 'Checkout-Test', expiresIn: 86_400 })
      await world.deliver(address.address, exampleSource)
      email = await world.sdk.emails.waitFor({ addressId: address.id, from: 'example shop', subject: /confirmation code/ })
    })
    after(() => world?.[Symbol.asyncDispose]())

    /** A test of one operation, or of its 501 where it is not offered. */
    function answers(operationId: string, run: (sdk: Mayfly) => Promise<void>) {
      it(operationId, async () => {
        if (world.offers(operationId)) return run(world.sdk)
        const error = await rejectionOf(run(world.sdk))
        expect(error).to.be.instanceOf(ServerError)
        expect(error).to.include({ status: 501, code: 'NOT_IMPLEMENTED' })
      })
    }

    answers('addresses.create', async () => {
      expect(address).to.include({
        address: 'checkout-test@mail.localhost', alias: 'checkout-test', isActive: true, emailCount: 0, unreadCount: 0, lastEmailAt: null, forwarding: null,
      })
      expect(address.expiresAt.getTime() - address.createdAt.getTime()).to.equal(86_400_000)
    })

    answers('addresses.list', async (sdk) => {
      const page = await sdk.addresses.list({ status: 'active', limit: 20, offset: 0 })
      expect(page).to.include({ limit: 20, offset: 0, hasMore: false, total: page.addresses.length })
      const listed = page.addresses.find(({ id }) => id === address.id)!
      expect(listed.createdAt).to.deep.equal(address.createdAt)
      expect(listed.lastEmailAt).to.be.instanceOf(Date)
    })

    answers('addresses.get', async (sdk) => {
      const { id, alias, emailCount, lastEmailAt } = await sdk.addresses.get(address.id)
      expect({ id, alias }).to.deep.equal({ id: address.id, alias: 'checkout-test' })
      expect(emailCount).to.be.at.least(1)
      expect(lastEmailAt).to.be.instanceOf(Date)
    })

    it('request, in each dialect', async () => {
      const { sdk, hasClassic } = world
      const primary = await sdk.request<{ data: { id: string, address: string } }>('GET', `/addresses/${address.id}`, { dialect: 'primary' })
      expect([primary.data.id, primary.data.address]).to.deep.equal([address.id, 'checkout-test@mail.localhost'])
      if (!hasClassic) return
      const { success, data } = await sdk.request<{ success: true, data: { id: string, email: string, createdAt: string } }>(
        'GET', `/addresses/${address.id}`, { dialect: 'classic' })
      expect([success, data.id, data.email]).to.deep.equal([true, `addr_${address.id}`, 'checkout-test@mail.localhost'])
      expect(data.createdAt).to.be.a('string')
      const error = await rejectionOf(sdk.request('POST', '/addresses', { dialect: 'classic', body: { alias: 'ab' } }))
      expect(error).to.be.instanceOf(InvalidRequestError).and.to.include({ status: 400, code: 'INVALID_REQUEST' })
      expect(error).to.have.nested.property('details[0].path', 'body.alias')
    })

    it('emails.waitFor', () => {
      expect(email).to.include({
        addressId: address.id, type: 'received', from: 'no-reply@shop.example', fromName: 'Example Shop', isRead: false,
      })
      expect(email.codes[0]).to.equal('482913')
      expect(email.links[0]).to.deep.equal({ url: 'https://shop.example/confirm?t=Zk3v9', host: 'shop.example', text: 'confirm your address' })
    })

    answers('emails.wait', async (sdk) => {
      const { email: found, cursor } = await sdk.emails.wait({ addressId: address.id, after: new Date(0), from: 'SHOP', timeout: 1 })
      expect(found).to.deep.equal(email)
      expect(cursor).to.match(/^c1-\d+$/)
    })

    answers('events.stream', async (sdk) => {
      for await (const event of sdk.events.subscribe({ lastEventId: '0', events: ['email.received'] })) {
        if (event.type !== 'email.received') throw new Error(`${event.type} was not asked for`)
        expect(event.data).to.include({ from: 'no-reply@shop.example', subject: '482913 is your confirmation code' })
        expect(event.data.receivedAt).to.be.instanceOf(Date)
        expect(event.createdAt.getTime()).to.equal(event.timestamp)
        expect(event.lastEventId).to.match(/^[\w-]{22}$/)
        break
      }
    })

    answers('emails.list', async (sdk) => {
      const page = await sdk.emails.list({ addressId: address.id, type: 'received', isDeleted: false, limit: 50 })
      expect(page).to.include({ limit: 50, offset: 0, hasMore: false, total: page.data.length })
      expect(page.cursor).to.be.a('string')
      const listed = page.data.find(({ id }) => id === email.id)!
      expect(listed).to.include({ subject: '482913 is your confirmation code', hasAttachments: true, isTruncated: false })
      expect(listed.codes).to.deep.equal(['482913'])
      expect(listed.preview).to.include('Your confirmation code is 482913')
      expect(listed.receivedAt).to.deep.equal(email.receivedAt)
    })

    answers('emails.get', async (sdk) => {
      const read = await sdk.emails.get(email.id)
      expect(read).to.deep.equal(email)
      expect(read.receivedAt).to.be.instanceOf(Date)
      expect(read.headers['Subject']).to.equal('482913 is your confirmation code')
      expect(read.bodyText).to.include('Your confirmation code is 482913.')
      expect(read.size).to.equal(exampleSource.length)
    })

    answers('emails.raw', async (sdk) => {
      const source = await sdk.emails.raw(email.id)
      expect(source.type).to.equal('message/rfc822')
      expect(await source.text()).to.equal(exampleSource)
    })

    answers('emails.attachment', async (sdk) => {
      const [attachment] = email.attachments
      expect(attachment).to.include({ filename: 'terms.txt', contentType: 'text/plain', size: 31, isInline: false })
      const file = await sdk.emails.attachment(email.id, attachment!.id)
      expect(file).to.include({ name: 'terms.txt', size: 31 })
      expect(await file.text()).to.equal('Terms and conditions apply.\r\n\r\n')
    })

    answers('emails.update', async (sdk) => {
      const read = await sdk.emails.update(email.id, { isRead: true })
      expect(read).to.include({ id: email.id, isStarred: false })
      expect(read.isRead).to.be.a('boolean')
    })

    answers('emails.send', async (sdk) => {
      const { id } = await sdk.emails.send({
        fromAddressId: address.id, to: 'support@shop.example', subject: 'Where is my order?', body: 'It is number 1042.',
      })
      expect(id).to.match(/^[0-9a-f-]{36}$/)
    })

    answers('domains.create', async (sdk) => {
      const { domain, status, createdAt, dnsRecords } = await sdk.domains.create({ domain: 'qa.example.com' })
      expect({ domain, status }).to.deep.equal({ domain: 'qa.example.com', status: 'pending' })
      expect(createdAt).to.be.instanceOf(Date)
      expect(dnsRecords.mx).to.include({ type: 'MX', host: 'qa.example.com', priority: 10 })
      expect(dnsRecords.txt).to.include({ type: 'TXT', host: 'qa.example.com' })
      expect(dnsRecords.txt.value).to.match(/^mayfly-verify=[0-9a-f]{32}$/)
    })

    answers('domains.list', async (sdk) => {
      const [domain] = await sdk.domains.list()
      expect(domain).to.include({ domain: 'qa.example.com', status: 'pending' }).and.not.have.property('dnsRecords')
      expect(domain!.createdAt).to.be.instanceOf(Date)
    })

    answers('domains.verify', async (sdk) => {
      const { domain, status, message } = await sdk.domains.verify(await domainId(sdk))
      expect(domain).to.equal('qa.example.com')
      expect(status).to.be.oneOf(['pending', 'verified'])
      expect(message).to.include('qa.example.com')
    })

    answers('domains.delete', async (sdk) => {
      expect((await sdk.domains.delete(await domainId(sdk))).message).to.be.a('string')
    })

    answers('forwardingAddresses.create', async (sdk) => {
      await sdk.forwardingAddresses.create({ email: 'ada@example.com' })
      await world.agree('ada@example.com')
      const created = await sdk.forwardingAddresses.create({ email: 'grace@example.com' })
      expect(created).to.include({ email: 'grace@example.com', isVerified: false })
      expect(created.createdAt).to.be.instanceOf(Date)
    })

    answers('forwardingAddresses.list', async (sdk) => {
      const page = await sdk.forwardingAddresses.list({ limit: 20 })
      expect(page).to.include({ limit: 20, offset: 0, hasMore: false, total: page.addresses.length })
      const [grace, ada] = page.addresses
      expect(page.addresses).to.have.length(2)
      expect(grace).to.include({ email: 'grace@example.com', isVerified: false, verifiedAt: null })
      expect(ada).to.include({ email: 'ada@example.com', isVerified: true })
      expect(ada!.verifiedAt).to.be.instanceOf(Date)
    })

    answers('forwardingAddresses.get', async (sdk) => {
      const ada = await sdk.forwardingAddresses.get(await forwardingAddressId(sdk, 1))
      expect(ada).to.include({ email: 'ada@example.com', isVerified: true })
      expect(ada.createdAt).to.be.instanceOf(Date)
      expect(ada.verifiedAt!.getTime()).to.be.at.least(ada.createdAt.getTime())
    })

    answers('forwardingAddresses.resendVerification', async (sdk) => {
      const { message } = await sdk.forwardingAddresses.resendVerification(await forwardingAddressId(sdk))
      expect(message).to.include('grace@example.com')
    })

    const shopRule = async (sdk: Mayfly) => ({
      forwardToId: await forwardingAddressId(sdk, 1), forwardToEmail: 'ada@example.com', filterSender: '@shop.example', filterSubject: null, isActive: true,
    })

    answers('forwardingRules.update', async (sdk) => {
      const wanted = await shopRule(sdk)
      const { id, ...rule } = await sdk.forwardingRules.update(address.id, {
        forwardToId: wanted.forwardToId, filterSender: '@shop.example', isActive: true,
      })
      expect(id).to.match(/^[0-9a-f-]{36}$/)
      expect(rule).to.deep.equal(wanted)
    })

    answers('forwardingRules.get', async (sdk) => {
      const { id, ...rule } = await sdk.forwardingRules.get(address.id)
      expect(id).to.be.a('string')
      expect(rule).to.deep.equal(await shopRule(sdk))
    })

    answers('forwardingAddresses.delete', async (sdk) => {
      expect((await sdk.forwardingAddresses.delete(await forwardingAddressId(sdk))).message).to.be.a('string')
    })

    answers('webhooks.create', async (sdk) => {
      const { url, events, secret, createdAt } = await sdk.webhooks.create({
        url: 'https://hooks.example.com/mayfly', events: ['email.received', 'address.expired'],
      })
      expect({ url, events }).to.deep.equal({ url: 'https://hooks.example.com/mayfly', events: ['email.received', 'address.expired'] })
      expect(secret).to.match(/^whsec_/)
      expect(createdAt).to.be.instanceOf(Date)
    })

    answers('webhooks.list', async (sdk) => {
      const [webhook] = await sdk.webhooks.list()
      expect(webhook).to.include({ url: 'https://hooks.example.com/mayfly', isActive: true, disabledAt: null, disabledReason: null })
      expect(webhook).not.to.have.property('secret')
    })

    answers('webhooks.get', async (sdk) => {
      expect(await sdk.webhooks.get(await webhookId(sdk))).to.include({ isActive: true, disabledReason: null })
    })

    answers('webhooks.test', async (sdk) => {
      const delivery = await sdk.webhooks.test(await webhookId(sdk))
      expect(delivery).to.include({ attempt: 1, status: 'pending', event: 'email.received' })
      expect(delivery.dueAt).to.be.instanceOf(Date)
    })

    answers('webhooks.deliveries', async (sdk) => {
      const page = await sdk.webhooks.deliveries(await webhookId(sdk), { limit: 20 })
      expect(page).to.include({ limit: 20, offset: 0, hasMore: false, total: page.data.length })
      expect(page.data[0]!.eventId).to.be.a('string')
    })

    answers('webhooks.redeliver', async (sdk) => {
      const id = await webhookId(sdk)
      const [delivery] = (await sdk.webhooks.deliveries(id)).data
      expect(await sdk.webhooks.redeliver(id, delivery!.id)).to.include({ attempt: 1, event: 'email.received' })
    })

    answers('webhooks.rotateSecret', async (sdk) => {
      expect((await sdk.webhooks.rotateSecret(await webhookId(sdk))).secret).to.match(/^whsec_/)
    })

    answers('webhooks.update', async (sdk) => {
      expect(await sdk.webhooks.update(await webhookId(sdk), { isActive: true })).to.include({ isActive: true })
    })

    answers('webhooks.delete', async (sdk) => {
      expect((await sdk.webhooks.delete(await webhookId(sdk))).message).to.be.a('string')
    })

    answers('test.createEmail', async () => {
      const sdk = world.testSdk
      const { address: to } = await sdk.addresses.create()
      const { id } = await sdk.test.createEmail({ to, raw: exampleSource })
      expect(id).to.match(/^[0-9a-f-]{36}$/)
      const received = await sdk.emails.get(id)
      for (const member of ['from', 'fromName', 'subject', 'codes', 'links'] as const) expect(received[member]).to.deep.equal(email[member])
    })

    answers('analytics.get', async (sdk) => {
      const counters = await sdk.analytics.get()
      expect(Object.values(counters)).to.have.length(6)
      for (const counter of Object.values(counters)) expect(counter).to.be.a('number')
    })

    answers('analytics.daily', async (sdk) => {
      const days = await sdk.analytics.daily({ days: 2 })
      expect(days).to.have.length(2)
      expect(days[1]!.day.getTime() - days[0]!.day.getTime()).to.equal(86_400_000)
      expect(days[1]!.received).to.be.at.least(1)
    })

    answers('auditLogs.list', async (sdk) => {
      const page = await sdk.auditLogs.list({ limit: 20, offset: 0 })
      expect(page).to.include({ limit: 20, offset: 0 })
      expect(page.data[0]!.createdAt).to.be.instanceOf(Date)
    })

    answers('emails.delete', async (sdk) => {
      expect(await sdk.emails.delete(email.id)).to.deep.equal({ id: email.id, deleted: true })
      expect((await sdk.emails.list({ addressId: address.id, isDeleted: true })).data.map(({ id }) => id)).to.include(email.id)
    })

    answers('addresses.delete', async (sdk) => {
      expect(await sdk.addresses.delete(address.id)).to.deep.equal({ id: address.id, deleted: true })
    })

    // an operation that is not offered answers 501 to any id
    const domainId = async (sdk: Mayfly) => world.offers('domains.list') ? (await sdk.domains.list())[0]!.id : address.id
    const forwardingAddressId = async (sdk: Mayfly, index = 0) =>
      world.offers('forwardingAddresses.list') ? (await sdk.forwardingAddresses.list()).addresses[index]!.id : address.id
    const webhookId = async (sdk: Mayfly) => world.offers('webhooks.list') ? (await sdk.webhooks.list())[0]!.id : address.id
  })
}
