import { expect } from 'chai'
import type { DocumentOperation } from '../../openapi/document.ts'
import { statusOf } from '../../server/errors.ts'
import type { ErrorCode } from '../../server/contract/types.gen.ts'
import { openTestApp } from '../support/app.ts'
import type { TestApp, TestOptions } from '../support/app.ts'
import { capturedLink, press } from '../support/forwarding.ts'
import { openMock } from '../support/mock.ts'
import type { Mock } from '../support/mock.ts'
import { rawRequest } from '../support/raw-request.ts'
import type { RawAnswer, RawRequest } from '../support/raw-request.ts'
import { loseTable, refuseWrites } from '../support/store/faults.ts'
import { allScopes, bearer, contracts, exampleRequest, fillPath, unknownId } from './requests.ts'

/** A server with an account that has one resource of each kind. */
interface World extends AsyncDisposable {
  app: TestApp
  /** A key of the account's test mode, which has the address checkout-test. */
  testKey: string
  /** The ids of its resources, by the first segment of the path or by the parameter's name. */
  ids: Record<string, string>
}

async function openWorld(options: TestOptions = {}): Promise<World> {
  const app = await openTestApp(options)
  const post = async (path: string, body?: unknown, key = app.key) => (await app.api('POST', path, { key, body })).body.data
  const testKey = await app.newKey({ isTest: true })
  await post('/addresses', { alias: 'checkout-test' }, testKey)
  const address = await app.newAddress()
  await app.send({ to: address.address, attachments: [{ filename: 'a.txt', content: 'a' }] })
  const email = await app.onlyEmail(address.id)
  const domain = await post('/domains', { domain: 'qa.example.org' })
  const forwarding = await post('/forwarding-addresses', { email: 'ada@example.org' })
  await app.advance({ minutes: 2 }) // past the delay between two verification mails
  const verified = await post('/forwarding-addresses', { email: 'grace@example.org' })
  await press(app, await capturedLink(app, verified.email))
  const webhook = await post('/webhooks', { url: 'https://hooks.example.com/', events: ['address.expired'] })
  const delivery = await post(`/webhooks/${webhook.id}/test`)
  const made = await post('/api-keys', { name: 'made', scopes: ['emails:read'] })
  for (const key of [app.key, testKey]) await app.api('POST', '/addresses', { key, body: {}, headers: { 'idempotency-key': 'used' } })
  return {
    app, testKey,
    ids: {
      'addresses': address.id, 'addressId': address.id, 'emails': email.id, 'emailId': email.id, 'attachmentId': email.attachments[0]!.id,
      'domains': domain.id, 'forwarding-addresses': forwarding.id, 'forwardToId': verified.id, 'webhooks': webhook.id, 'deliveryId': delivery.id,
      'api-keys': made.id,
    },
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  }
}

type Make = (world: World) => unknown

/** Valid bodies, where the document's example has ids that do not exist. */
const bodies: Record<string, Make> = {
  'addresses.create': () => ({}),
  'domains.update': ({ ids }) => ({ catchAllId: ids['addresses'] }),
  'emails.send': ({ ids }) => ({ fromAddressId: ids['addresses'], to: 'ada@example.org', subject: 'Hello', body: 'Hello' }),
  'emails.forward': ({ ids }) => ({ forwardToId: ids['forwardToId'] }),
  'forwardingRules.update': ({ ids }) => ({ forwardToId: ids['forwardToId'], filterSender: 'shop' }),
}
/** Bodies with an id that does not exist, for operations without an id in the path. */
const missing: Record<string, Make> = {
  'addresses.create': () => ({ forwardToId: unknownId }),
  'emails.changeAll': () => ({ action: 'markRead', addressId: unknownId }),
  'test.createEmail': () => ({ to: 'nobody@mail.localhost', subject: 'Hello' }),
  'webhooks.create': () => ({ url: 'https://hooks.example.com/', events: ['address.expired'], addressIds: [unknownId] }),
}
const queriesOfMissing: Record<string, string> = { 'emails.wait': `?addressId=${unknownId}` }

const json = (body: unknown) => ({ body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })

/** A request that succeeds. */
function valid(world: World, operation: DocumentOperation): RawRequest {
  const { operationId, path } = operation
  const idOf = (name: string) => world.ids[name] ?? world.ids[path.split('/')[3]!]!
  const asked = { ...exampleRequest(operation, {}, idOf), ...bodies[operationId] && json(bodies[operationId](world)) }
  return withHeaders(asked, bearer(keyFor(world, operation)))
}

const keyFor = ({ app, testKey }: World, { operationId }: DocumentOperation) => operationId === 'test.createEmail' ? testKey : app.key

/** A request with ids of resources that do not exist, by a key with every scope. */
function absent(world: World, operation: DocumentOperation): RawRequest {
  const { operationId } = operation
  const asked = { ...exampleRequest(operation, {}), ...missing[operationId] && json(missing[operationId](world)) }
  return withHeaders({ ...asked, path: fillPath(operation, () => unknownId) + (queriesOfMissing[operationId] ?? '') }, bearer(keyFor(world, operation)))
}

const withHeaders = (request: RawRequest, headers: Record<string, string>): RawRequest =>
  ({ ...request, headers: { ...request.headers, ...headers } })
const withType = (request: RawRequest, type: string, body: string) => ({ ...withHeaders(request, { 'content-type': type }), body })

/** How to get each error status from any operation that documents it. */
interface Draw {
  code: ErrorCode
  /** Opens the server that the status needs, when it is not the shared one. */
  open?(): Promise<World>
  request(world: World, operation: DocumentOperation): RawRequest | Promise<RawRequest>
}

const draws: Record<string, Draw> = {
  400: { code: 'INVALID_REQUEST', request: (world, operation) => ({ ...absent(world, operation), path: `${fillPath(operation, () => unknownId)}?other=1` }) },
  401: { code: 'INVALID_API_KEY', request: (world, operation) => withHeaders(absent(world, operation), { authorization: '' }) },
  403: {
    code: 'MISSING_SCOPE',
    async request(world, operation) {
      const scopes = allScopes.filter((scope) => scope !== operation.scope)
      return withHeaders(absent(world, operation), bearer(await world.app.newKey({ scopes })))
    },
  },
  404: { code: 'NOT_FOUND', request: absent },
  405: { code: 'METHOD_NOT_ALLOWED', request: (world, operation) => ({ ...absent(world, operation), method: operation.path.endsWith('/smtp-faults') ? 'PATCH' : 'PUT' }) },
  409: {
    code: 'CONFLICT',
    request: (world, operation) => withHeaders(absent(world, operation), { 'idempotency-key': 'used' }),
  },
  413: {
    code: 'PAYLOAD_TOO_LARGE',
    request: (world, operation) => withType(absent(world, operation), 'application/json', ' '.repeat((operation.operationId === 'emails.send' ? 15 : 1) * 1024 * 1024 + 1)),
  },
  415: { code: 'UNSUPPORTED_MEDIA_TYPE', request: (world, operation) => withType(absent(world, operation), 'text/plain', 'x') },
  429: {
    code: 'RATE_LIMITED',
    async open() {
      const app = await openTestApp({ env: { MAYFLY_RATE_LIMIT: '1' } })
      await app.api('GET', '/addresses')
      return { app, testKey: app.key, ids: {}, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
    },
    request: absent,
  },
  500: {
    code: 'INTERNAL_ERROR',
    async open() {
      const world = await openWorld()
      await loseTable(world.app, 'api_key_version') // each look-up of a key reads it
      return world
    },
    request: valid,
  },
  507: {
    code: 'STORAGE_FULL',
    async open() {
      let free = 1000
      const world = await openWorld({ env: { MAYFLY_MIN_FREE_BYTES: '1000' }, freeBytes: async () => free })
      free = 0
      const allow = await refuseWrites(world.app)
      return {
        ...world,
        async [Symbol.asyncDispose]() {
          await allow()
          await world[Symbol.asyncDispose]()
        },
      }
    },
    request: valid,
  },
}

const isError = (status: string) => Number(status) >= 400
const documented = (operation: DocumentOperation) => Object.keys(operation.definition.responses!)

/** Errors that the mock finds in the request itself; others are asked for with `Prefer`. */
const isSeenByMock = (code: ErrorCode) =>
  ['INVALID_REQUEST', 'INVALID_API_KEY', 'METHOD_NOT_ALLOWED', 'CONFLICT', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'].includes(code)

/** The body of an error. The numbers of a 429 depend on the server's limit and the time; a 507 has other words before the disk is full. */
const inWords = ({ status, text }: RawAnswer): unknown => JSON.parse(status === 429
  ? text.replaceAll(/\d+/g, '0')
  : text.replace(/This server (cannot store anything at the moment|is low on space)/, 'The disk of this server is full'))

const codeOf = ({ json }: RawAnswer) => json?.code ?? json?.error?.code

for (const { dialect, operations, headers } of contracts) describe(`Statuses: every operation answers with each of its documented statuses, in the same words as the mock, in the ${dialect} dialect`, () => {
  let shared: World
  let mock: Mock
  before(async function () {
    shared = await openWorld()
    mock = await openMock()
    for (const key of [shared.app.key, shared.testKey]) {
      const keyed = { ...bearer(key), 'content-type': 'application/json', 'idempotency-key': 'used' }
      await rawRequest(mock.url, { method: 'POST', path: '/api/v1/addresses', headers: keyed, body: '{}' })
    }
  })
  after(async () => {
    await mock[Symbol.asyncDispose]()
    await shared[Symbol.asyncDispose]()
  })

  for (const [status, { code, open, request }] of Object.entries(draws)) {
    it(`${status} ${code}`, async () => {
      expect(statusOf[code]).to.equal(Number(status))
      await using own = await open?.()
      const world = own ?? shared
      for (const operation of operations.filter((operation) => documented(operation).includes(status))) {
        const asked = withHeaders(await request(world, operation), headers)
        const answer = await rawRequest(world.app.url, asked)
        expect([answer.status, codeOf(answer)], `${operation.operationId}: ${answer.text}`).to.deep.equal([Number(status), code])
        const ofMock = await rawRequest(mock.url, isSeenByMock(code) ? asked : withHeaders(asked, { prefer: `code=${status}` }))
        expect([ofMock.status, inWords(ofMock)], `${operation.operationId} on the mock`).to.deep.equal([Number(status), inWords(answer)])
      }
    })
  }

  it('success', async () => {
    const order = ({ operationId, method }: DocumentOperation) => operationId === 'addresses.delete' ? 2 : method === 'delete' ? 1 : 0
    for (const operation of operations.toSorted((a, b) => order(a) - order(b))) {
      const { status, text } = await rawRequest(shared.app.url, withHeaders(valid(shared, operation), headers))
      expect(status, `${operation.operationId}: ${text}`).to.equal(operation.status)
    }
  })

  it('204, when a wait ends without an email', async () => {
    expect(operations.filter((operation) => documented(operation).includes('204')).map(({ operationId }) => operationId)).to.deep.equal(['emails.wait'])
    expect((await shared.app.api('GET', '/emails/wait?timeout=0', { headers })).status).to.equal(204)
  })

  it('the tests above cover every status of the document', () => {
    const errors = operations.flatMap(documented).filter(isError)
    expect([...new Set(errors)].sort()).to.deep.equal(Object.keys(draws).sort())
  })
})
