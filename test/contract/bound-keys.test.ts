import { expect } from 'chai'
import type { OpenAPIV3_1 } from 'openapi-types'
import { typesOfIds } from '../support/ids.ts'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { rawRequest } from '../support/raw-request.ts'
import { allScopes, bearer, exampleBodies, exampleRequest, operations, pathIdsOf } from './requests.ts'

type Operation = (typeof operations)[number]

/** Everything outside the bounds has this word in it: in names, addresses, texts, file names and URLs. */
const hidden = 'hidden'

/** The operations that are about addresses and their mail, or about the keys that the key made. */
const isOfAddresses = ({ operationId }: Operation) => /^(addresses|emails|forwardingRules|events|test|apiKeys)\./.test(operationId)

interface Mailbox {
  address: string
  email: string
  attachment: string
}

describe('A stolen key with bounds: every operation', () => {
  let app: TestApp
  let owner: string
  let inside: Mailbox
  let outside: Mailbox & Record<'domain' | 'forwarding-address' | 'webhook' | 'delivery' | 'api-key', string>
  /** By what binds them. */
  let keys: Record<'aliasPrefix' | 'addressIds', string>
  let before_: unknown

  before(async () => {
    app = await openTestApp()
    owner = await app.newKey({ account: app.account, isTest: true, scopes: allScopes })
    inside = await fill('ci-box', 'shown')
    outside = {
      ...await fill(`${hidden}-box`, hidden),
      domain: (await create('/domains', { domain: `${hidden}.example` })).id,
      'forwarding-address': (await create('/forwarding-addresses', { email: `${hidden}@example.com` })).id,
      webhook: (await create('/webhooks', { url: `https://${hidden}.example/`, events: ['address.expired'] })).id,
      delivery: '',
      'api-key': (await create('/api-keys', { name: hidden, scopes: ['emails:read'] })).id,
    }
    outside.delivery = (await create(`/webhooks/${outside.webhook}/test`, undefined)).id
    const newKey = async (bounds: object) => (await create('/api-keys', { name: 'stolen', scopes: allScopes, bounds })).key
    keys = { aliasPrefix: await newKey({ aliasPrefix: 'ci-' }), addressIds: await newKey({ addressIds: [inside.address] }) }
    before_ = await stateOutside()
  })
  after(() => app[Symbol.asyncDispose]())

  async function create(path: string, body: object | undefined) {
    const { status, body: answer } = await app.api('POST', path, { key: owner, body })
    expect(status, JSON.stringify(answer)).to.be.oneOf([200, 201, 202])
    return answer.data
  }

  async function fill(alias: string, word: string): Promise<Mailbox> {
    const { id, address } = await create('/addresses', { alias })
    await app.send({ to: address, subject: `${word} mail`, text: `${word} 123456`, attachments: [{ filename: `${word}.txt`, content: word }] })
    await app.settled()
    const email = (await app.api('GET', `/emails?address_id=${id}`, { key: owner })).body.data[0].id
    return { address: id, email, attachment: (await app.api('GET', `/emails/${email}`, { key: owner })).body.data.attachments[0].id }
  }

  /** All that the account shows outside the bounds. */
  async function stateOutside() {
    const { address, email } = outside
    const paths = [
      `/addresses/${address}`, `/addresses/${address}/forwarding`, `/addresses/${address}/smtp-faults`, `/addresses/${address}/activity`,
      `/emails?address_id=${address}`, `/emails/${email}`, '/domains', '/webhooks', '/forwarding-addresses',
    ]
    const answers = []
    for (const path of paths) {
      const { status, body } = await app.api('GET', path, { key: owner })
      expect(status, path).to.equal(200)
      answers.push({ ...body, cursor: undefined, serverTime: undefined })
    }
    const names = (await app.api('GET', '/api-keys', { key: owner })).body.data.map(({ name }: { name: string }) => name)
    return [answers, names.includes(hidden)]
  }

  const outsideIds = (name: string): string =>
    ({ emailId: outside.email, addressId: outside.address, attachmentId: outside.attachment, deliveryId: outside.delivery })[name] ?? ''

  const ofPath = ({ path }: Operation, box: Mailbox) => (name: string): string => {
    if (name !== 'id') return { ...outside, ...box }[name.replace(/Id$/, '') as keyof Mailbox]
    const kind = /([a-z-]+?)(?:es|s)\/\{id\}/.exec(path)![1]! as keyof Mailbox
    return { ...outside, ...box }[kind]
  }

  /** The body with ids from outside in place of its own. */
  function withOutsideIds(value: unknown, name = ''): unknown {
    if (Array.isArray(value)) return value.map((item) => withOutsideIds(item, name))
    if (value !== null && typeof value === 'object') return Object.fromEntries(Object.entries(value).map(([key, of]) => [key, withOutsideIds(of, key)]))
    const type = typesOfIds[name]
    if (type === 'address') return outside.address
    if (type === 'forwardingAddress') return outside['forwarding-address']
    return type === 'email' || type === 'any' ? outside.email : name === 'to' ? `${hidden}-box@mail.localhost` : value
  }

  /** Requests that name what is outside wherever the document lets them name something. */
  function requestsOf(operation: Operation) {
    const queries = ((operation.definition.parameters ?? []) as OpenAPIV3_1.ParameterObject[]).filter((parameter) => parameter.in === 'query')
      .flatMap(({ name }) => name === 'q' ? ['?q=hidden', '?q=123456', '?q=%22hidden%20mail%22', '?q=is:unread'] : name === 'to' ? ['?to=hidden-box@mail.localhost']
        : typesOfIds[name] ? [`?${name}=${typesOfIds[name] === 'address' ? outside.address : outside.email}`] : [])
    const bodies = exampleBodies(operation)
    return [outside, inside].flatMap((box) => ['', ...queries].flatMap((query) => (bodies.length > 0 ? bodies : [undefined]).map((body) => {
      const request = exampleRequest(operation, {}, ofPath(operation, box))
      const glue = request.path.includes('?') ? '&' : '?'
      const end = operation.operationId === 'emails.wait' ? 'timeout=0' : ''
      const path = operation.operationId === 'emails.wait'
        ? `${request.path.split('?')[0]}${query || '?after=c1-0'}&${end}` : request.path + (query && glue + query.slice(1))
      return { ...request, path, body: body === undefined ? undefined : JSON.stringify(withOutsideIds(body)) }
    })))
  }

  for (const bound of ['aliasPrefix', 'addressIds'] as const) {
    for (const operation of operations) {
      it(`${operation.operationId} shows and changes nothing outside, with a key bound by ${bound}`, async () => {
        for (const request of requestsOf(operation)) {
          const headers = { ...request.headers, ...bearer(keys[bound]), ...request.body === undefined ? {} : { 'content-type': 'application/json' } }
          const { status, text, json } = await rawRequest(app.url, { ...request, headers })
          const what = `${request.method} ${request.path} ${request.body ?? ''}: ${status} ${text}`
          expect(status, what).to.be.lessThan(500)
          const echoed = JSON.stringify(json?.details ?? json?.error ?? '').includes(hidden) // a refusal may repeat what it refuses
          if (!echoed || status < 400) expect(text, what).to.not.include(hidden)
          if (!isOfAddresses(operation)) expect([status, json.error], what).to.deep.equal([403, boundText])
          if (status < 300 && /^(emails|addresses)\.list$/.test(operation.operationId)) {
            expect((json.total ?? json.data.total), what).to.be.at.most(5)
          }
        }
        expect(await stateOutside()).to.deep.equal(before_)
      })
    }
  }

  for (const operation of operations.filter(isOfAddresses)) {
    it(`${operation.operationId} is open to it within the bounds`, async () => {
      const request = exampleRequest(operation, bearer(keys.aliasPrefix), ofPath(operation, inside))
      const { status, text } = await rawRequest(app.url, { ...request, headers: { ...request.headers, ...bearer(keys.aliasPrefix) } })
      expect(text, `${status}`).to.not.include(boundText)
      expect(pathIdsOf(operation).map(ofPath(operation, inside))).to.not.include(undefined)
    })
  }

  it('knows the ids of everything outside', () => {
    expect(['emailId', 'addressId', 'attachmentId', 'deliveryId'].map(outsideIds)).to.not.include('')
  })
})

const boundText = 'This key is bound to some addresses, and this is not of one of them. Use a key without bounds.'
