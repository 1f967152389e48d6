import { expect } from 'chai'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { MayflyError, webhooks, WebhookVerificationError } from '@mayfly-mail/sdk'
import type { WebhookDraft, WebhookHeaders } from '@mayfly-mail/sdk'
import { isSigned, standardVerify } from '../support/endpoint.ts'
import { openWebhooksWorld } from '../webhooks/world.ts'
import { rejectionOf } from './rejection.ts'

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const other = 'whsec_plJ3nmyCDGBKInavdOK15jsl7G4b2Cws'
const now = new Date('2026-03-14T09:00:00.500Z')
const draft: WebhookDraft = {
  id: '019ceb98-68c0-76ca-83c8-90c1d3ac94af',
  type: 'email.received',
  data: {
    emailId: '019ceb98-68c0-76ca-83c8-90c1d3ac94ae', addressId: '019ceb92-ea80-752e-bca9-6513269e0d37', from: 'no-reply@shop.example',
    subject: 'Grüße 😀', receivedAt: now,
  },
}
const only = (headers: Record<string, string>, start: RegExp) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => start.test(name)))
const standardOf = (headers: Record<string, string>) => only(headers, /^webhook-/)
const serviceOf = (headers: Record<string, string>) => only(headers, /^X-Service-/)

/** One delivery with the headers of Standard Webhooks alone, and one of form A. */
async function deliveries(): Promise<[WebhookDelivery, WebhookDelivery]> {
  const both = await webhooks.sign(draft, secret, { now })
  return [{ ...both, headers: standardOf(both.headers) }, await webhooks.sign(draft, secret, { now, form: 'a' })]
}

type WebhookDelivery = Awaited<ReturnType<typeof webhooks.sign>>

/** The message of a refused delivery. */
async function refusal(promise: Promise<unknown>): Promise<string> {
  const error = await rejectionOf(promise)
  expect(error).to.be.instanceOf(WebhookVerificationError).and.be.instanceOf(MayflyError)
  expect(error.name).to.equal('WebhookVerificationError')
  return error.message
}

/** The message about a mistake of the caller, as opposed to an invalid delivery. */
async function mistake(promise: Promise<unknown>): Promise<string> {
  const error = await rejectionOf(promise)
  expect(error).to.be.instanceOf(MayflyError).and.not.be.instanceOf(WebhookVerificationError)
  return error.message
}

describe('SDK: webhooks.verify', () => {
  it('accepts the server\'s deliveries of all five events', async () => {
    await using world = await openWebhooksWorld()
    const { app, endpoint } = world
    const { secret: given } = await world.subscribe()
    const { id: addressId, address } = await app.newAddress({ expiresIn: 60 })
    await app.send({ to: address, subject: 'Grüße 😀', text: 'Hello' })
    const { id: emailId } = await app.onlyEmail(addressId)
    await app.api('DELETE', `/emails/${emailId}`)
    await app.settled()
    await app.advance({ seconds: 60 })
    await app.api('DELETE', `/addresses/${addressId}`)
    await app.settled()
    const [at, types] = [new Date(world.now()), new Set<string>()]
    for (const { body, headers } of endpoint.deliveries) {
      const event = await webhooks.verify(body, headers, given, { now: at })
      types.add(event.type)
      expect(event.event).to.equal(event.type)
      expect(event.createdAt.getTime()).to.equal(event.timestamp)
      if (event.type === 'email.received') {
        expect(event.data).to.deep.equal({ emailId, addressId, from: 'shop@example.org', subject: 'Grüße 😀', receivedAt: event.createdAt })
      } else if (event.type === 'email.deleted') {
        expect(event.data).to.deep.equal({ emailId, addressId })
      } else {
        expect(event.data).to.deep.equal({ addressId, address, expiresAt: at })
      }
    }
    expect([...types].sort()).to.deep.equal(['address.created', 'address.deleted', 'address.expired', 'email.deleted', 'email.received'])
  })

  it('accepts both secrets during a rotation, and a retry hours later', async () => {
    await using world = await openWebhooksWorld()
    const { app, endpoint } = world
    endpoint.answer = () => 500
    const { id, secret: old } = await world.subscribe({ events: ['address.created'] })
    const { secret: fresh } = (await app.api('POST', `/webhooks/${id}/rotate-secret`)).body.data
    await app.newAddress()
    await app.settled()
    await app.advance({ minutes: 36 })
    expect(endpoint.deliveries).to.have.length(4)
    const { body, headers } = endpoint.deliveries.at(-1)!
    const options = { now: new Date(world.now()) }
    for (const known of [old, fresh, [fresh, old], [other, fresh]]) {
      expect((await webhooks.verify(body, headers, known, options)).type).to.equal('address.created')
    }
    expect(await refusal(webhooks.verify(body, headers, [other], options))).to.match(/^The signature is not that of this body/)
    const late = { now: new Date(world.now() + 301_000) }
    expect(await refusal(webhooks.verify(body, headers, old, late))).to.match(/^The delivery is from 301 seconds ago, more than 300 seconds/)
  })

  it('refuses a delivery of the form both that lacks the headers of Standard Webhooks', async () => {
    const { body, headers } = await webhooks.sign(draft, secret, { now })
    expect(await refusal(webhooks.verify(body, serviceOf(headers), secret, { now }))).to.match(/^Headers of a delivery are missing: webhook-id/)
  })

  it('accepts signatures of the package of Standard Webhooks', async () => {
    const body = JSON.stringify({ ...draft, event: draft.type, createdAt: now, timestamp: now.getTime() })
    const seconds = Math.floor(now.getTime() / 1000)
    const headers = {
      'webhook-id': draft.id,
      'webhook-timestamp': String(seconds),
      'webhook-signature': new Webhook(secret).sign(draft.id!, new Date(seconds * 1000), body),
    }
    expect((await webhooks.verify(body, headers, secret, { now })).data).to.deep.equal(draft.data)
  })

  it('reads the body as text or bytes, and headers of any kind', async () => {
    for (const { body, headers: form } of await deliveries()) {
      const bytes = new TextEncoder().encode(body)
      const framed = new Uint8Array(bytes.length + 8)
      framed.set(bytes, 4)
      const change = (to: (name: string, value: string) => [string, string | string[]]): WebhookHeaders =>
        Object.fromEntries(Object.entries(form).map(([name, value]) => to(name, value)))
      const kinds: WebhookHeaders[] = [
        form,
        new Headers(form),
        change((name, value) => [name.toLowerCase(), value]),
        change((name, value) => [name.toUpperCase(), value]),
        change((name, value) => [name, [value]]),
        { ...form, 'x-other': undefined, 'set-cookie': ['a', 'b'] },
      ]
      for (const kind of kinds) expect((await webhooks.verify(body, kind, secret, { now })).type).to.equal(draft.type)
      for (const raw of [bytes, Buffer.from(body), bytes.buffer, framed.subarray(4, -4)]) {
        expect((await webhooks.verify(raw, form, secret, { now })).data).to.deep.equal(draft.data)
      }
    }
  })

  it('accepts a delivery of any age with an infinite tolerance', async () => {
    const { body, headers } = await webhooks.sign(draft, secret, { now })
    expect((await webhooks.verify(body, headers, secret, { toleranceSeconds: Infinity })).id).to.equal(draft.id)
  })

  it('reports mistakes in its arguments as such', async () => {
    const { body, headers } = await webhooks.sign(draft, secret, { now })
    for (const parsed of [undefined, 5, new Blob([body])] as unknown as string[]) {
      expect(await mistake(webhooks.verify(parsed, headers, secret, { now }))).to.match(/^webhooks.verify needs the body as it was received.* not the parsed JSON/)
    }
    expect(await mistake(webhooks.verify(body, headers, undefined as unknown as string, { now }))).to.match(/^webhooks.verify needs the secret of the webhook/)
    expect(await mistake(webhooks.verify(body, headers, secret, { now, toleranceSeconds: NaN }))).to.include('toleranceSeconds')
    expect(await mistake(webhooks.verify(body, headers, secret, { now: new Date('x') }))).to.include('not a valid Date')
  })

  it('names the missing headers, also of no headers', async () => {
    const { body } = await webhooks.sign(draft, secret, { now })
    for (const given of [undefined, null] as unknown as WebhookHeaders[]) {
      expect(await refusal(webhooks.verify(body, given, secret, { now }))).to.match(/^Headers of a delivery are missing/)
    }
  })

  it('refuses a signed body that is nested too deeply, and returns events of any name', async () => {
    const signed = (body: string) => ({ 'webhook-id': 'x', 'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign('x', now, body) })
    const nested = (open: string, close: string, levels: number) =>
      `{"type":"email.opened","createdAt":"2026-03-14T09:00:00.000Z","data":${open.repeat(levels)}{}${close.repeat(levels)}}`
    for (const body of [nested('{"a":', '}', 200_000), nested('[', ']', 500_000)]) {
      expect(await refusal(webhooks.verify(body, signed(body), secret, { now }))).to.equal('The body is signed, but it is not an event of Mayfly')
    }
    for (const type of ['constructor', '__proto__']) {
      const body = JSON.stringify({ type, createdAt: now, data: { at: now } })
      const event: unknown = await webhooks.verify(body, signed(body), secret, { now })
      expect(event).to.deep.equal({ type, event: type, createdAt: now, timestamp: now.getTime(), data: { at: now.toISOString() } })
    }
  })

  it('refuses a delivery with any change', async () => {
    const [both, formA] = await deliveries()
    const damage = fc.record({ at: fc.nat(), mask: fc.integer({ min: 1, max: 255 }) })
    await fc.assert(fc.asyncProperty(fc.constantFrom(both, formA), damage, async ({ body, headers }, { at, mask }) => {
      const changed = Buffer.from(body)
      changed[at % changed.length]! ^= mask
      await refusal(webhooks.verify(changed, headers, secret, { now }))
    }), { numRuns: 200 })
    const { body, headers } = await webhooks.sign(draft, secret, { now })
    const bytes = Buffer.from(body)
    // X-Service-Signature covers the body alone
    const signed = ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'X-Service-Signature']
    const character = fc.string({ minLength: 1, maxLength: 1, unit: 'grapheme-ascii' })
    await fc.assert(fc.asyncProperty(fc.constantFrom(...signed), fc.nat(), character, async (name, seed, put) => {
      const { body, headers: form } = name.startsWith('webhook') ? both : formA
      const value = form[name]!
      const at = seed % value.length
      fc.pre(value[at] !== put)
      const changed = { ...form, [name]: value.slice(0, at) + put + value.slice(at + 1) }
      await refusal(webhooks.verify(body, changed, secret, { now }))
    }), { numRuns: 400 })
    await fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 64 }), fc.boolean(), async (noise, isAfter) => {
      fc.pre(noise.length > 0)
      await refusal(webhooks.verify(Buffer.concat(isAfter ? [bytes, noise] : [noise, bytes]), headers, secret, { now }))
    }), { numRuns: 50 })
  })
})

describe('SDK: webhooks.sign', () => {
  it('makes the server\'s deliveries, byte for byte', async () => {
    await using world = await openWebhooksWorld()
    const { app, endpoint } = world
    const { id, secret: old } = await world.subscribe()
    const { secret: fresh } = (await app.api('POST', `/webhooks/${id}/rotate-secret`)).body.data
    const { id: addressId, address } = await app.newAddress()
    await app.send({ to: address, subject: 'Grüße 😀', text: 'Hello' })
    await app.onlyEmail(addressId)
    expect(endpoint.deliveries).to.have.length(2)
    for (const { body, headers } of endpoint.deliveries) {
      const event = await webhooks.verify(body, headers, fresh, { now: new Date(world.now()) })
      const deliveryId = String(headers['x-service-delivery-id'])
      const signed = await webhooks.sign(event, [fresh, old], { deliveryId, now: new Date(world.now()) })
      expect(signed.body).to.equal(body)
      expect(headers).to.include(Object.fromEntries(Object.entries(signed.headers).map(([name, value]) => [name.toLowerCase(), value])))
    }
  })

  it('makes deliveries that other libraries accept', async () => {
    const { body, headers } = await webhooks.sign({ type: 'email.deleted', data: { emailId: 'a', addressId: 'b' } }, secret, { now })
    const received = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
    expect(standardVerify({ headers: received, body }, secret, now.getTime())).to.deep.equal(JSON.parse(body))
    expect(isSigned({ headers: received, body }, secret)).to.equal(true)
    expect(() => standardVerify({ headers: received, body }, other, now.getTime())).to.throw('No matching signature')
    const uuid = /^[0-9a-f-]{36}$/
    expect(JSON.parse(body).id).to.match(uuid).and.equal(headers['webhook-id'])
    expect(headers['X-Service-Delivery-ID']).to.match(uuid)
    expect(JSON.parse(body)).to.include({ event: 'email.deleted', createdAt: now.toISOString(), timestamp: now.getTime() })
  })

  it('signs for the current time by default', async () => {
    const { body, headers } = await webhooks.sign(draft, secret)
    expect((await webhooks.verify(body, new Headers(headers), secret)).id).to.equal(draft.id)
  })
})
