import { expect } from 'chai'
import { Mayfly, MayflyError } from '@mayfly-mail/sdk'
import { documentFor, operationsOf } from '../../openapi/document.ts'
import { calls } from './calls.ts'

/** Methods of the SDK that are not operations of the document. */
const additions = ['emails.waitFor', 'inboxes.create', 'inboxes.open']
/** Operations that the SDK offers in another form. */
const renamed: Record<string, string> = { 'events.stream': 'events.subscribe' }

describe('SDK: methods', () => {
  it('match the operations of the document, plus the SDK\'s own such as waitFor', () => {
    const sdk = new Mayfly({ apiKey: 'svc_test_key' })
    const methods = Object.entries(sdk).flatMap(([noun, verbs]) => Object.keys(verbs as object).map((verb) => `${noun}.${verb}`))
    const operations = operationsOf(documentFor('api')).map(({ operationId }) => renamed[operationId] ?? operationId)
    expect(methods.sort()).to.deep.equal([...operations, ...additions].sort())
  })

  it('pass the operation of the document to the hooks', async () => {
    const operations: string[] = []
    const sdk = new Mayfly({
      apiKey: 'svc_test_key', maxRetries: 0, fetch: async () => new Response(null, { status: 404 }),
      hooks: { onRequest: ({ operation }) => operations.push(operation) },
    })
    const names = Object.keys(calls).filter((name) => ![...additions, 'request'].some((addition) => name.startsWith(addition)))
    for (const name of names) {
      await calls[name]!(sdk, {}).catch(() => {})
      expect(operations.pop(), name).to.equal(name.split(',')[0])
    }
    const documented = operationsOf(documentFor('api')).map(({ operationId }) => operationId).filter((name) => !(name in renamed))
    expect([...new Set(names.map((name) => name.split(',')[0]))].sort()).to.deep.equal(documented.sort())
  })

  it('work when they are called without their object', async () => {
    const sdk = new Mayfly({ apiKey: 'svc_test_key', fetch: async () => Response.json({ data: [] }) })
    const { list } = sdk.domains
    expect(await list()).to.deep.equal([])
  })
})

describe('SDK: ids', () => {
  const requests: Request[] = []
  const sdk = new Mayfly({
    apiKey: 'svc_test_key',
    fetch: async (request) => {
      requests.push(request)
      return Response.json({ data: [], total: 0, limit: 50, offset: 0, cursor: 'c1-4711', serverTime: new Date() })
    },
  })
  const missing = undefined as unknown as string

  const refusals: [string, () => Promise<unknown>, string][] = [
    ['addresses.get', () => sdk.addresses.get(''), 'addresses.get: id is missing or malformed'],
    ['addresses.delete', () => sdk.addresses.delete(missing), 'addresses.delete: id is missing or malformed'],
    ['emails.get', () => sdk.emails.get(''), 'emails.get: id is missing or malformed'],
    ['emails.get of another path', () => sdk.emails.get('..'), 'emails.get: id is missing or malformed'],
    ['emails.update', () => sdk.emails.update(' ', { isRead: true }), 'emails.update: id is missing or malformed'],
    ['emails.delete', () => sdk.emails.delete(missing), 'emails.delete: id is missing or malformed'],
    ['emails.raw', () => sdk.emails.raw(missing), 'emails.raw: id is missing or malformed'],
    ['emails.attachment', () => sdk.emails.attachment('a', ''), 'emails.attachment: attachmentId is missing or malformed'],
    ['emails.list', () => sdk.emails.list({ addressId: '' }), 'emails.list: addressId is missing or malformed'],
    ['emails.list after nothing', () => sdk.emails.list({ after: '' }), 'emails.list: after is missing or malformed'],
    ['emails.list after no date', () => sdk.emails.list({ after: new Date('x') }), 'emails.list: after is missing or malformed'],
    ['emails.waitFor', () => sdk.emails.waitFor({ addressId: missing }), 'emails.waitFor: addressId is missing or malformed'],
    ['emails.wait', () => sdk.emails.wait({ addressId: '' }), 'emails.wait: addressId is missing or malformed'],
    ['domains.delete', () => sdk.domains.delete(''), 'domains.delete: id is missing or malformed'],
    ['domains.verify', () => sdk.domains.verify(''), 'domains.verify: id is missing or malformed'],
    ['forwardingAddresses.get', () => sdk.forwardingAddresses.get(''), 'forwardingAddresses.get: id is missing or malformed'],
    ['forwardingAddresses.delete', () => sdk.forwardingAddresses.delete(''), 'forwardingAddresses.delete: id is missing or malformed'],
    ['forwardingAddresses.resendVerification', () => sdk.forwardingAddresses.resendVerification(''),
      'forwardingAddresses.resendVerification: id is missing or malformed'],
    ['forwardingRules.get', () => sdk.forwardingRules.get(''), 'forwardingRules.get: addressId is missing or malformed'],
    ['forwardingRules.update', () => sdk.forwardingRules.update('', {}), 'forwardingRules.update: addressId is missing or malformed'],
    ['webhooks.update', () => sdk.webhooks.update('', {}), 'webhooks.update: id is missing or malformed'],
    ['webhooks.delete', () => sdk.webhooks.delete(''), 'webhooks.delete: id is missing or malformed'],
  ]

  for (const [name, run, sentence] of refusals) {
    it(`are required: a missing one is refused before any request: ${name}`, async () => {
      const error = await run().then(() => undefined, (reason: unknown) => reason as Error)
      expect(error).to.be.instanceOf(MayflyError)
      expect(error!.message).to.equal(sentence)
      expect(requests).to.deep.equal([])
    })
  }

  it('and the other parameters of emails.list are sent with the names of the document', async () => {
    const addressId = '019ceb92-ea80-752e-bca9-6513269e0d37'
    await sdk.emails.list({ addressId, type: 'sent', isDeleted: true, after: new Date('2026-03-14T09:00:00.000Z'), limit: 5, offset: 10 })
    const { pathname, searchParams } = new URL(requests.pop()!.url)
    expect(pathname).to.equal('/api/v1/emails')
    expect(Object.fromEntries(searchParams)).to.deep.equal({
      address_id: addressId, type: 'sent', is_deleted: 'true', after: '019ceb92-ea80-7000-8000-000000000000', limit: '5', offset: '10',
    })
  })
})
