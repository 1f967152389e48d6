import { expect } from 'chai'
import { Mayfly, NotFoundError, RateLimitError, webhooks, WebhookVerificationError } from '@mayfly-mail/sdk'
import { rejectionOf } from '../rejection.ts'
import type { Bdd } from './recorder.ts'
import type { Host, Settings } from './world.ts'

/** Tests for pages alone: CORS headers, waits, streams, and the verification of webhooks. */
export function describePage(open: () => Host & Settings, { describe, it, before }: Bdd) {
  describe('in a page', () => {
    let world: Host & Settings
    let mayfly: Mayfly
    const mail = (subject: string) => `From: Shop <shop@example.org>\r\nSubject: ${subject}\r\n\r\nYour code is 482913.\r\n`

    before(() => {
      world = open()
      mayfly = new Mayfly({ apiKey: world.key, baseUrl: world.url })
    })

    it('waits for future mail', async () => {
      await using inbox = await mayfly.inboxes.create()
      const waiting = inbox.waitFor({ subject: /code/ })
      await world.deliver(inbox.address, mail('news'))
      await world.deliver(inbox.address, mail('the code'))
      const { subject, codes } = await waiting
      expect({ subject, codes }).to.deep.equal({ subject: 'the code', codes: ['482913'] })
    })

    it('waits until a signal ends it', async () => {
      await using inbox = await mayfly.inboxes.create()
      const controller = new AbortController()
      const waiting = rejectionOf(inbox.waitFor({ signal: controller.signal }))
      const reason = new Error('the page is left')
      controller.abort(reason)
      expect(await waiting).to.equal(reason)
    })

    it('follows events, and continues after one of them', async () => {
      const events = mayfly.events.subscribe({ lastEventId: '0', events: ['address.created', 'email.received'] })
      await using inbox = await mayfly.inboxes.create()
      let lastEventId = ''
      for await (const event of events) {
        if (event.type !== 'address.created' || event.data.addressId !== inbox.id) continue
        lastEventId = event.lastEventId
        break
      }
      await world.deliver(inbox.address, mail('after that'))
      for await (const event of mayfly.events.subscribe({ lastEventId })) {
        if (event.type !== 'email.received') continue
        expect(event.data).to.include({ addressId: inbox.id, subject: 'after that' })
        expect(event.data.receivedAt).to.be.instanceOf(Date)
        break
      }
    })

    it('verifies and signs deliveries of webhooks', async () => {
      const { id, secret = '' } = await mayfly.webhooks.create({ url: world.endpoint, events: ['address.created'] })
      await using inbox = await mayfly.inboxes.create()
      const [delivery] = await world.webhookDeliveries()
      await mayfly.webhooks.delete(id)
      const { body, headers } = delivery!
      const event = await webhooks.verify(body, new Headers(headers), secret)
      if (event.type !== 'address.created') throw new Error(`${event.type} was not asked for`)
      expect(event.data).to.deep.equal({ addressId: inbox.id, address: inbox.address, expiresAt: inbox.expiresAt })
      expect(await webhooks.verify(new TextEncoder().encode(body), headers, [secret])).to.deep.equal(event)
      expect(await rejectionOf(webhooks.verify(body, { ...headers, 'webhook-id': undefined }, secret))).to.be.instanceOf(WebhookVerificationError)
      expect(await rejectionOf(webhooks.verify(body.replace('created', 'deleted'), headers, secret))).to.be.instanceOf(WebhookVerificationError)
      const signed = await webhooks.sign(event, secret)
      expect(await webhooks.verify(signed.body, signed.headers, secret)).to.deep.equal(event)
    })

    it('reads attachments as blobs, byte for byte', async () => {
      await using inbox = await mayfly.inboxes.create()
      const bytes = Uint8Array.from({ length: 256 }, (_, i) => i)
      await world.deliver(inbox.address, [
        'From: shop@example.org', 'Subject: All bytes', 'MIME-Version: 1.0', 'Content-Type: application/octet-stream',
        'Content-Transfer-Encoding: base64', "Content-Disposition: attachment; filename*=UTF-8''gr%C3%BC%C3%9Fe.bin", '',
        btoa(String.fromCharCode(...bytes)), '',
      ].join('\r\n'))
      const { id, attachments: [attachment] } = await inbox.waitFor()
      const file = await mayfly.emails.attachment(id, attachment!.id)
      expect(file).to.be.instanceOf(Blob).and.instanceOf(File).and.include({ name: 'grüße.bin', size: 256, type: 'application/octet-stream' })
      expect(new Uint8Array(await file.arrayBuffer())).to.deep.equal(bytes)
      expect(await (await mayfly.emails.raw(id)).text()).to.include('Subject: All bytes\r\n')
    })

    it('can read the headers of answers', async () => {
      const { response, rateLimit } = await mayfly.addresses.list().withResponse()
      expect(response.requestId).to.match(/^[0-9a-f-]{36}$/)
      expect(rateLimit!.limit).to.equal(1_000_000)
      expect(rateLimit!.remaining).to.be.within(1, 999_999)
      expect(rateLimit!.resetAt).to.be.instanceOf(Date)
      const error = await rejectionOf(mayfly.addresses.get('019ceb92-ea80-752e-bca9-6513269e0d37'))
      expect(error).to.be.instanceOf(NotFoundError)
      expect((error as NotFoundError).requestId).to.match(/^[0-9a-f-]{36}$/)
    })

    it('can request a fault, and reads Retry-After', async () => {
      const tester = new Mayfly({ apiKey: world.testKey, baseUrl: world.url, maxRetries: 0 })
      const error = await rejectionOf(tester.addresses.list({}, { headers: { 'X-Mayfly-Fault': 'status=429' } }))
      expect(error).to.be.instanceOf(RateLimitError)
      expect((error as RateLimitError).retryAfterMs).to.be.a('number')
    })

    it('can repeat a change, and reads that it was a repetition', async () => {
      const idempotencyKey = crypto.randomUUID()
      const create = () => mayfly.addresses.create({}, { idempotencyKey }).withResponse()
      const [first, again] = [await create(), await create()]
      expect(again.data).to.deep.equal(first.data)
      expect([first, again].map(({ response }) => response.headers.get('idempotency-replayed'))).to.deep.equal([null, 'true'])
      await mayfly.addresses.delete(first.data.id)
    })
  })
}
