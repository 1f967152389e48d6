import { createHmac } from 'node:crypto'
import addFormats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect } from 'chai'
import type { OpenAPIV3_1 } from 'openapi-types'
import { resolveRef } from '../../openapi/document.ts'
import { classicDocument, document } from '../../server/contract/document.ts'
import { closedAnswers } from '../support/closed-answers.ts'
import type { ReceivedDelivery } from '../support/endpoint.ts'
import { isSigned, standardVerify } from '../support/endpoint.ts'
import { shareWebhooksWorld } from './world.ts'
import type { WebhooksWorld } from './world.ts'

/** The headers of a delivery as they were sent, sorted, without those of the connection. */
function headersOf({ rawHeaders }: ReceivedDelivery): string[] {
  const lines = rawHeaders.flatMap((name, index) => index % 2 === 0 ? [`${name}: ${rawHeaders[index + 1]}`] : [])
  return lines.filter((line) => !/^(host|connection|content-length):/i.test(line)).sort()
}

const documents = { primary: document, classic: classicDocument() }
const schemas = Object.fromEntries(Object.entries(documents).map(([dialect, described]) =>
  [dialect, addFormats.default(new Ajv2020({ strict: false })).addSchema(closedAnswers(described), 'document')] as const))
const names = { a: 'FormA', b: 'FormB', both: 'Event' }

/** Compares a delivery of `address.created` with the document: its body with the schema of its form alone, its headers with their list. */
function expectDescribed({ body, rawHeaders }: ReceivedDelivery, dialect: keyof typeof documents, form: keyof typeof names) {
  const schemaOf = (name: string) => schemas[dialect]!.getSchema(`document#/components/schemas/AddressCreated${name}`)!
  const accepts = (name: string) => schemaOf(name)(JSON.parse(body)) === true
  expect(accepts('Body')).to.equal(true)
  expect(Object.values(names).filter(accepts)).to.deep.equal([names[form]])
  const { parameters } = (documents[dialect].webhooks!['address.created'] as OpenAPIV3_1.PathItemObject).post!
  const described = parameters!.map((parameter) => resolveRef<OpenAPIV3_1.ParameterObject>(documents[dialect], parameter as never))
  const sent = rawHeaders.filter((name, index) => index % 2 === 0 && /^(x-|webhook-)/i.test(name))
  expect(described.map(({ name }) => name)).to.include.members(sent)
  expect(sent).to.include.members(described.filter(({ required }) => required).map(({ name }) => name))
  const ofForm = described.filter(({ required, description }) => required || description!.includes(`\`${form}\``))
  expect(sent).to.have.members(ofForm.map(({ name }) => name))
}

describe('Webhooks: forms', () => {
  const newWorld = shareWebhooksWorld()
  let world: WebhooksWorld

  beforeEach(async () => { world = await newWorld() })
  afterEach(() => world[Symbol.asyncDispose]())

  const keyOf = (dialect: 'primary' | 'classic') => world.app.newKey({ account: world.app.account, dialect })

  for (const dialect of ['primary', 'classic'] as const) {
    for (const form of ['a', 'b', 'both'] as const) {
      it(`${form} in the ${dialect} dialect: headers and body to the byte, in the first attempt and in a retry`, async () => {
        const { app, endpoint, now } = world
        const { id: webhookId, secret } = await world.subscribe({ form, events: ['address.created'] }, await keyOf(dialect))
        expect(await world.read(webhookId)).to.include({ form, dialect })
        endpoint.answer = () => endpoint.deliveries.length === 1 ? 500 : 200
        const start = now()
        const { id, address, expiresAt } = (await app.api('POST', '/addresses', { body: {} })).body.data
        await app.settled()
        await app.advance({ minutes: 1 })

        const listed = (await world.deliveriesOf(webhookId)).reverse()
        const event = { id: listed[0]!['eventId'], time: new Date(start).toISOString() }
        const data = dialect === 'classic'
          ? `{"addressId":"addr_${id}","email":"${address}","expiresAt":"${expiresAt}"}`
          : `{"addressId":"${id}","address":"${address}","expiresAt":"${expiresAt}"}`
        const body = {
          a: `{"event":"address.created","timestamp":${start},"data":${data}}`,
          b: `{"id":"${event.id}","type":"address.created","createdAt":"${event.time}","data":${data}}`,
          both: `{"id":"${event.id}","type":"address.created","event":"address.created","createdAt":"${event.time}","timestamp":${start},"data":${data}}`,
        }[form]
        expect(endpoint.deliveries.map((delivery) => delivery.body)).to.deep.equal([body, body])
        expect(listed.map(({ requestBody }) => requestBody)).to.deep.equal([body, body])
        for (const [index, delivery] of endpoint.deliveries.entries()) {
          const sentAt = start + index * 60_000
          const ofForm = {
            a: [`X-Service-Timestamp: ${sentAt}`],
            b: ['X-Service-Event: address.created', `X-Service-Delivery-ID: ${listed[index]!['id']}`],
          }
          const standard = [
            `webhook-id: ${event.id}`, `webhook-timestamp: ${Math.floor(sentAt / 1000)}`,
            `webhook-signature: ${delivery.headers['webhook-signature'] as string}`,
          ]
          expect(headersOf(delivery)).to.deep.equal([
            'Content-Type: application/json', 'User-Agent: Mayfly',
            `X-Service-Signature: sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
            ...form === 'both' ? [...ofForm.a, ...ofForm.b, ...standard] : ofForm[form],
          ].sort())
          if (form === 'both') standardVerify(delivery, secret, sentAt)
          expectDescribed(delivery, dialect, form)
        }
      })
    }
  }

  it('gives the ids of emails a prefix in the classic dialect, and no other member', async () => {
    const { app, endpoint } = world
    await world.subscribe({ form: 'b', events: ['email.received', 'email.deleted'] }, await keyOf('classic'))
    const { id: addressId, address } = await app.newAddress()
    await app.send({ to: address, subject: 'address email', text: 'Hello' })
    const { id, receivedAt } = await app.onlyEmail(addressId)
    await app.api('DELETE', `/emails/${id}`)
    await app.settled()
    const ids = { emailId: `email_${id}`, addressId: `addr_${addressId}` }
    expect(endpoint.deliveries.map(({ event }) => event.data)).to.deep.equal([
      { ...ids, from: 'shop@example.org', subject: 'address email', receivedAt }, ids,
    ])
  })

  it('change for later events; a redelivery has the bytes of the first, and a test event the form of now', async () => {
    const { app, endpoint } = world
    const { id, secret } = await world.subscribe({ form: 'a', events: ['address.created'] })
    await app.newAddress()
    await app.settled()
    const changed = await app.api('PATCH', `/webhooks/${id}`, { body: { form: 'b' } })
    expect(changed.body.data).to.include({ form: 'b', dialect: 'primary' })
    const [first] = await world.deliveriesOf(id)
    await app.api('POST', `/webhooks/${id}/deliveries/${first!['id']}/redeliver`)
    await app.settled()
    await app.api('POST', `/webhooks/${id}/test`)
    await app.settled()
    await app.newAddress()
    await app.settled()
    expect(endpoint.deliveries.map(({ event }) => Object.keys(event).join(' '))).to.deep.equal([
      'event timestamp data', 'event timestamp data', 'id type createdAt data', 'id type createdAt data',
    ])
    expect(endpoint.deliveries[1]!.body).to.equal(endpoint.deliveries[0]!.body)
    const names = ['x-service-timestamp', 'x-service-event', 'x-service-delivery-id', 'webhook-id']
    expect(endpoint.deliveries.map(({ headers }) => names.filter((name) => name in headers))).to.deep.equal([
      names.slice(0, 1), names.slice(0, 1), names.slice(1, 3), names.slice(1, 3),
    ])
    for (const delivery of endpoint.deliveries) expect(isSigned(delivery, secret)).to.equal(true)
  })

  it('are both where none is given; other values and a dialect in the body are refused', async () => {
    const { app, endpoint } = world
    const { id } = await world.subscribe()
    expect(await world.read(id)).to.include({ form: 'both', dialect: 'primary' })
    expect((await app.api('GET', '/webhooks')).body.data[0]).to.include({ form: 'both', dialect: 'primary' })
    const body = { url: `${endpoint.url}/other`, events: ['address.created'] }
    for (const [refused, path] of [[{ form: 'c' }, 'body.form'], [{ dialect: 'classic' }, 'body.dialect']] as const) {
      for (const answer of [await app.api('POST', '/webhooks', { body: { ...body, ...refused } }), await app.api('PATCH', `/webhooks/${id}`, { body: refused })]) {
        expect(answer).to.include({ status: 400 }).and.have.nested.property('body.details[0].path', path)
      }
    }
  })
})
