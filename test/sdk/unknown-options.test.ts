import { expect } from 'chai'
import { Mayfly, MayflyError, webhooks } from '@mayfly-mail/sdk'
import { openClient } from '../../sdk/runner.ts'
import { addressId, openFakeMailbox } from './fake-mailbox.ts'
import type { FakeMailbox } from './fake-mailbox.ts'
import { rejectionOf } from './rejection.ts'

const apiKey = 'svc_live_0123456789abcdefghijklmnopqrstuv'
const secret = 'whsec_0123456789'

describe('SDK: unknown options', () => {
  const refusedClients: [options: object, sentence: string][] = [
    [{ apiKey, baseURL: 'http://localhost:3000' }, 'new Mayfly(): unknown option baseURL. Did you mean baseUrl?'],
    [{ apikey: apiKey }, 'new Mayfly(): unknown option apikey. Did you mean apiKey?'],
    [{ apiKey, timeout: 5_000 }, 'new Mayfly(): unknown option timeout. Did you mean timeoutMs?'],
    [{ apiKey, base_url: undefined }, 'new Mayfly(): unknown option base_url. Did you mean baseUrl?'],
    [{ apiKey, retries: 5 }, 'new Mayfly(): unknown option retries. Did you mean maxRetries?'],
    [{ apiKey, constructor: Object }, 'new Mayfly(): unknown option constructor. Known are '],
    [{ apiKey, colour: 'red' }, 'new Mayfly(): unknown option colour. Known are '],
    [{ apiKey, hooks: { onretry() {} } }, 'new Mayfly(), hooks: unknown option onretry. Did you mean onRetry?'],
    [{ apiKey, hooks: console.log }, 'new Mayfly(), hooks: the options must be an object'],
    [apiKey as never, 'new Mayfly(): the options must be an object'],
  ]
  for (const [options, sentence] of refusedClients) {
    it(`are refused by the client: ${sentence}`, () => {
      expect(() => new Mayfly(options)).to.throw(MayflyError, sentence)
    })
  }

  it('are refused by the fixtures, also without a key', () => {
    const open = (options: object) => () => openClient(options, () => Infinity, 'elsewhere')
    expect(open({ apikey: apiKey })).to.throw(MayflyError, 'mayflyOptions: unknown option apikey. Did you mean apiKey?')
    expect(open({ apiKey, hooks: { onResponce: undefined } })).to.throw(MayflyError, 'mayflyOptions, hooks: unknown option onResponce. Did you mean onResponse?')
  })

  it('are refused by webhooks.verify and webhooks.sign', async () => {
    const event = { type: 'email.deleted', data: { emailId: 'a', addressId: 'b' } } as const
    const { body, headers } = await webhooks.sign(event, secret)
    const refused: [Promise<unknown>, string][] = [
      [webhooks.verify(body, headers, secret, { tolerance: 5 } as never), 'webhooks.verify: unknown option tolerance. Did you mean toleranceSeconds?'],
      [webhooks.sign(event, secret, { deliveryID: 'a' } as never), 'webhooks.sign: unknown option deliveryID. Did you mean deliveryId?'],
      [webhooks.sign({ ...event, created_at: new Date() } as never, secret), 'webhooks.sign: unknown option created_at. Did you mean createdAt?'],
    ]
    for (const [call, sentence] of refused) expect(await rejectionOf(call)).to.be.instanceOf(MayflyError).and.have.property('message', sentence)
    const received = await webhooks.verify(body, headers, secret)
    expect((await webhooks.sign({ ...received, lastEventId: '1' } as never, secret)).body).to.equal(body)
  })

  describe('of calls', () => {
    let mailbox: FakeMailbox
    let sdk: Mayfly
    before(async () => {
      mailbox = await openFakeMailbox()
      sdk = new Mayfly({ apiKey, baseUrl: mailbox.url, maxRetries: 0 })
    })
    after(() => mailbox[Symbol.asyncDispose]())

    const first = (list: AsyncIterable<unknown>) => list[Symbol.asyncIterator]().next()
    const refused: [run: (sdk: Mayfly, options: never) => Promise<unknown>, options: object, sentence: string][] = [
      [(sdk, options) => sdk.addresses.list({}, options), { timeout: 5 }, 'addresses.list: unknown option timeout. Did you mean timeoutMs?'],
      [(sdk, options) => first(sdk.addresses.list({}, options)), { Signal: 5 }, 'addresses.list: unknown option Signal. Did you mean signal?'],
      [(sdk, options) => sdk.addresses.create({}, options), { idempotencykey: undefined }, 'addresses.create: unknown option idempotencykey. Did you mean idempotencyKey?'],
      [(sdk, options) => sdk.addresses.create({}, options), { maxBytes: 5 }, 'addresses.create: unknown option maxBytes. Known are '],
      [(sdk, options) => sdk.addresses.create({}, options), { as: 'blob' }, 'addresses.create: unknown option as. Known are '],
      [(sdk, options) => sdk.addresses.create({}, options), 'key' as never, 'addresses.create: the options must be an object'],
      [(sdk, options) => sdk.domains.list(options), { limit: 5 }, 'domains.list: unknown option limit. Known are '],
      [(sdk, options) => sdk.emails.get(addressId, options), { header: {} }, 'emails.get: unknown option header. Did you mean headers?'],
      [(sdk, options) => sdk.emails.wait({}, options), { onresponse: 5 }, 'emails.wait: unknown option onresponse. Did you mean onResponse?'],
      [(sdk, options) => sdk.emails.raw(addressId, options), { AS: 'stream' }, 'emails.raw: unknown option AS. Did you mean as?'],
      [(sdk, options) => sdk.emails.list(options), { address_id: addressId }, 'emails.list: unknown option address_id. Did you mean addressId?'],
      [(sdk, options) => sdk.emails.list(options), { isdeleted: true }, 'emails.list: unknown option isdeleted. Did you mean isDeleted?'],
      [(sdk, options) => sdk.emails.wait(options), { timeoutMs: 5 }, 'emails.wait: unknown option timeoutMs. Did you mean timeout?'],
      [(sdk, options) => sdk.emails.waitFor(options), { timeout: 5 }, 'emails.waitFor: unknown option timeout. Did you mean timeoutMs?'],
      [(sdk, options) => sdk.emails.waitFor(options), { sender: undefined }, 'emails.waitFor: unknown option sender. Known are '],
      [(sdk, options) => sdk.emails.waitFor(options), { text: 'a' }, 'emails.waitFor: unknown option text. Known are '],
      [(sdk, options) => inboxOf(sdk).then((inbox) => inbox.list(options)), { addressId }, 'inbox.list: unknown option addressId. Known are '],
      [(sdk, options) => inboxOf(sdk).then((inbox) => inbox.list(options)), { limits: 5 }, 'inbox.list: unknown option limits. Did you mean limit?'],
      [(sdk, options) => inboxOf(sdk).then((inbox) => inbox.waitFor(options)), { addressId }, 'inbox.waitFor: unknown option addressId. Known are '],
      [(sdk, options) => inboxOf(sdk).then((inbox) => inbox.waitForCode(options)), { form: 'a' }, 'inbox.waitForCode: unknown option form. Did you mean from?'],
      [(sdk, options) => inboxOf(sdk).then((inbox) => inbox.waitForCode(options)), { url: 'a' }, 'inbox.waitForCode: unknown option url. Known are '],
      [(sdk, options) => inboxOf(sdk).then((inbox) => inbox.waitForLink(options)), { URL: 'a' }, 'inbox.waitForLink: unknown option URL. Did you mean url?'],
      [(sdk, options) => first(sdk.events.subscribe(options)), { event: [] }, 'events.subscribe: unknown option event. Did you mean events?'],
      [(sdk, options) => first(sdk.events.subscribe(options)), { events: ['email.received', 'deleted'] }, 'events.subscribe: unknown event deleted. Did you mean email.deleted? Known are email.deleted, '],
      [(sdk, options) => first(sdk.events.subscribe(options)), { events: [undefined] }, 'events.subscribe: unknown event undefined. Known are '],
    ]
    for (const [run, options, sentence] of refused) {
      it(`are refused without a request: ${sentence}`, async () => {
        const error = await rejectionOf(run(sdk, options as never))
        expect(error).to.be.instanceOf(MayflyError)
        expect(error.message.startsWith(sentence), error.message).to.equal(true)
        if (!sentence.endsWith(' ')) expect(error.message).to.equal(sentence)
        expect(error.message).to.not.match(/attemptTimeoutMs|maxBytes,|optionNames/)
        expect(mailbox.requests.filter((request) => !request.startsWith('POST /api/v1/addresses'))).to.deep.equal([])
      })
    }

    const inboxOf = (client: Mayfly) => client.inboxes.create()
  })
})
