import { expect } from 'chai'
import type { DocumentOperation } from '../../openapi/document.ts'
import { openTestApp } from '../support/app.ts'
import type { ApiAnswer, TestApp } from '../support/app.ts'
import { openDomainsWorld } from '../support/domains.ts'
import type { DomainsWorld } from '../support/domains.ts'
import { capturedLink, press } from '../support/forwarding.ts'
import { loseTable } from '../support/store/faults.ts'
import { examplesOf } from './document-examples.ts'
import { operations, unknownId } from './requests.ts'

type Provoke = (world: DomainsWorld) => Promise<ApiAnswer>

/** Requests to which a server answers with an example of the document, by operation, or by `*` for examples that operations share. */
const provocations: Record<string, Record<string, Provoke>> = {
  '*': {
    'invalid-request': ({ app }) => app.api('GET', '/emails?limit=101'),
    'unknown-member': ({ app }) => app.api('POST', '/addresses', { body: { expires: 60 } }),
    'malformed-id': ({ app }) => app.api('GET', '/emails/1'),
    'invalid-api-key': ({ app }) => app.api('GET', '/emails', { key: null }),
    'missing-scope': async ({ app }) => app.api('POST', '/addresses', { key: await app.newKey({ scopes: ['emails:read'] }) }),
    'plan-required': async ({ app }) => app.api('GET', '/emails', { key: await app.newKey({ plan: 'free' }) }),
    'not-found': ({ app }) => app.api('GET', `/addresses/${unknownId}`),
    'email-not-found': ({ app }) => app.api('GET', `/emails/${unknownId}`),
    'method-not-allowed': ({ app }) => app.api('PUT', '/addresses'),
    'conflict': async ({ app }) => {
      const headers = { 'idempotency-key': 'used' }
      await app.api('POST', '/addresses', { headers, body: {} })
      return app.api('POST', '/addresses', { headers, body: { alias: 'other' } })
    },
    'payload-too-large': ({ app }) => app.api('POST', '/addresses', { body: ' '.repeat(1024 * 1024 + 1) }),
    'unsupported-media-type': ({ app }) =>
      app.api('POST', '/addresses', { body: 'alias=a', headers: { 'content-type': 'application/x-www-form-urlencoded' } }),
    'rate-limited': async () => {
      await using app = await openTestApp({ env: { MAYFLY_RATE_LIMIT: '100' } })
      await app.advance({ seconds: 18 })
      for (let i = 0; i < 100; i++) await app.api('GET', '/addresses')
      return await app.api('GET', '/addresses')
    },
    'internal-error': async ({ app }) => {
      const restore = await loseTable(app, 'api_key_version')
      const answer = await app.api('GET', '/addresses')
      await restore()
      return answer
    },
  },
  'addresses.create': {
    'conflict': async ({ app }) => {
      await app.newAddress({ alias: 'checkout-test' })
      return app.api('POST', '/addresses', { body: { alias: 'checkout-test' } })
    },
    'domain-not-verified': ({ app }) => app.api('POST', '/addresses', { body: { domain: 'inbox.example.com' } }),
    'not-verified': async ({ app }) => app.api('POST', '/addresses', { body: { forwardToId: await forwarding(app) } }),
  },
  'forwardingRules.update': {
    'not-verified': async ({ app }) => {
      const { id } = await app.newAddress()
      return app.api('PATCH', `/addresses/${id}/forwarding`, { body: { forwardToId: await forwarding(app) } })
    },
  },
  'emails.send': {
    'conflict': expired,
    'expired': expired,
    'not-verified': async ({ app, hold }) => {
      const domain = await hold('qa.example.com')
      const { id } = await app.newAddress({ domain: domain.domain })
      await app.api('DELETE', `/domains/${domain.id}`)
      return send(app, id)
    },
  },
  'emails.bounce': { 'no-sender': ({ app }) => act(app, 'bounce') },
  'emails.complain': { 'no-sender': ({ app }) => act(app, 'complain') },
  'emails.forward': {
    'not-verified': async ({ app }) => act(app, 'forward', { forwardToId: await forwarding(app) }),
    'sent-email': async ({ app }) => {
      const { body: { data: sent } } = await send(app, (await app.newAddress()).id)
      return app.api('POST', `/emails/${sent.id}/forward`, { body: { forwardToId: await forwarding(app) } })
    },
  },
  'domains.create': {
    'conflict': async ({ app, add }) => {
      await add('qa.example.com')
      return app.api('POST', '/domains', { body: { domain: 'qa.example.com' } })
    },
  },
  'domains.verify': {
    'conflict': async ({ app, add, hold, verify }) => {
      const { id } = await add('qa.example.com')
      await hold('qa.example.com', await app.newKey())
      return await verify(id) as ApiAnswer
    },
  },
  'forwardingAddresses.create': {
    'conflict': async ({ app }) => {
      await forwarding(app)
      return app.api('POST', '/forwarding-addresses', { body: { email: 'grace@example.com' } })
    },
  },
  'forwardingAddresses.resendVerification': {
    'already-verified': async ({ app }) => {
      const id = await forwarding(app)
      await press(app, await capturedLink(app, 'grace@example.com'))
      return app.api('POST', `/forwarding-addresses/${id}/resend-verification`)
    },
  },
  'apiKeys.create': {
    'conflict': async ({ app }) => {
      const create = () => app.api('POST', '/api-keys', { body: { name: 'agent', scopes: ['emails:read'] } })
      let answer = await create()
      while (answer.status === 201) answer = await create()
      return answer
    },
  },
  'test.createEmail': {
    'smtp-fault': async ({ app }) => {
      const key = await app.newKey({ isTest: true })
      const { id, address } = (await app.api('POST', '/addresses', { key, body: {} })).body.data
      const steps = [{ at: 'rcpt', code: 451, enhanced: '4.3.0', text: 'Try again later' }]
      await app.api('PUT', `/addresses/${id}/smtp-faults`, { key, body: { steps } })
      return app.api('POST', '/test/emails', { key, body: { to: address } })
    },
  },
  'webhooks.create': {
    'conflict': async ({ app }) => {
      for (let i = 0; i < 100; i++) await addWebhook(app, i)
      return addWebhook(app, 100)
    },
    'taken-url': async ({ app }) => {
      await addWebhook(app, 1)
      return addWebhook(app, 1)
    },
  },
  'webhooks.update': {
    'taken-url': async ({ app }) => {
      const { url } = (await addWebhook(app, 1)).body.data
      const { id } = (await addWebhook(app, 2)).body.data
      return app.api('PATCH', `/webhooks/${id}`, { body: { url } })
    },
  },
}

/** Examples that no request of this test gets, each with its reason. */
const exceptions: Record<string, string> = {
  'storage-full': 'needs a small disk: test/store/full-disk.test.ts compares the words where a test may mount one',
}

const addWebhook = (app: TestApp, i: number) =>
  app.api('POST', '/webhooks', { body: { url: `https://hooks.example.com/${i}`, events: ['email.received'] } })

async function forwarding(app: TestApp): Promise<string> {
  return (await app.api('POST', '/forwarding-addresses', { body: { email: 'grace@example.com' } })).body.data.id
}

/** Does something with a received email, whose envelope has no sender. */
async function act(app: TestApp, verb: string, body?: object) {
  const { id, address } = await app.newAddress()
  await app.send({ envelope: { from: '', to: address }, to: address, subject: 'a', text: 'a' })
  await app.settled()
  const email = await app.onlyEmail(id)
  return app.api('POST', `/emails/${email.id}/${verb}`, body ? { body } : {})
}

async function expired({ app }: DomainsWorld) {
  const { id } = await app.newAddress({ alias: 'quiet-amber-fox-7k2m', expiresIn: 60 })
  await app.advance({ minutes: 2 })
  return send(app, id)
}

const send = (app: TestApp, fromAddressId: string) =>
  app.api('POST', '/emails', { body: { fromAddressId, to: 'ada@example.com', subject: 'Hello', body: 'Hello' } })

/** The examples of an operation's errors, and whether operations share them. */
const errorsOf = (operation: DocumentOperation) => examplesOf(operation).filter(({ status }) => status >= 400)
  .map(({ name, status, value }) => ({ name, status, body: value as unknown, isShared: '$ref' in operation.definition.responses![status]! }))

/** All of them, by operation, or by `*` for those that operations share. */
const documented = new Map<string, object>(operations.flatMap((operation) => errorsOf(operation).map(({ name, isShared, ...answer }) =>
  [`${isShared ? '*' : operation.operationId} ${name}`, answer] as const)))

describe('OpenAPI document: examples of refusals', function () {

  for (const [operationId, examples] of Object.entries(provocations)) {
    it(`are the words of a server: ${operationId}`, async () => {
      for (const [name, provoke] of Object.entries(examples)) {
        await using world = await openDomainsWorld({ env: { MAYFLY_DEFAULT_DOMAIN: 'mail.localhost' } })
        const { status, body } = await provoke(world)
        expect({ status, body }, name).to.deep.equal(documented.get(`${operationId} ${name}`))
      }
    })
  }

  it('are all compared, except those with a reason', () => {
    const known = new Set(Object.entries(provocations).flatMap(([id, examples]) => Object.keys(examples).map((name) => `${id} ${name}`)))
    expect([...documented.keys()].filter((name) => !known.has(name) && !exceptions[name.split(' ')[1]!])).to.deep.equal([])
    expect([...known].filter((name) => !documented.has(name)), 'compared, but not in the document').to.deep.equal([])
  })
})
