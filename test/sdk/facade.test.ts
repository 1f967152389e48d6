import { expect } from 'chai'
import { Mayfly, MayflyError } from '@mayfly-mail/sdk'
import { operationsOf, readDocument } from '../../openapi/document.ts'

/** What the SDK adds to the operations of the document. */
const additions = ['emails.waitFor']
/** What it offers in another form. */
const renamed: Record<string, string> = { 'events.stream': 'events.subscribe' }

describe('the methods of the SDK', () => {
  it('are the operations of the document, and waitFor', () => {
    const sdk = new Mayfly({ apiKey: 'svc_test_key' })
    const methods = Object.entries(sdk).flatMap(([noun, verbs]) => Object.keys(verbs as object).map((verb) => `${noun}.${verb}`))
    const operations = operationsOf(readDocument()).map(({ operationId }) => renamed[operationId] ?? operationId)
    expect(methods.sort()).to.deep.equal([...operations, ...additions].sort())
  })

  it('can be taken from their object', async () => {
    const sdk = new Mayfly({ apiKey: 'svc_test_key', fetch: async () => Response.json({ data: [] }) })
    const { list } = sdk.domains
    expect(await list()).to.deep.equal([])
  })
})

describe('ids', () => {
  const requests: Request[] = []
  const sdk = new Mayfly({
    apiKey: 'svc_test_key',
    fetch: async (request) => {
      requests.push(request)
      return Response.json({ data: [], total: 0, limit: 50, offset: 0, cursor: '019ceb98-68c0-76ca-83c8-90c1d3ac94af' })
    },
  })
  const missing = undefined as unknown as string

  const refusals: [string, () => Promise<unknown>, string][] = [
    ['addresses.get', () => sdk.addresses.get(''), 'addresses.get needs an address id'],
    ['addresses.delete', () => sdk.addresses.delete(missing), 'addresses.delete needs an address id'],
    ['emails.get', () => sdk.emails.get(''), 'emails.get needs an email id'],
    ['emails.get of another path', () => sdk.emails.get('..'), 'emails.get needs an email id'],
    ['emails.update', () => sdk.emails.update(' ', { isRead: true }), 'emails.update needs an email id'],
    ['emails.delete', () => sdk.emails.delete(missing), 'emails.delete needs an email id'],
    ['emails.raw', () => sdk.emails.raw(missing), 'emails.raw needs an email id'],
    ['emails.attachment', () => sdk.emails.attachment('a', ''), 'emails.attachment needs an attachment id'],
    ['emails.list', () => sdk.emails.list({ addressId: '' }), 'emails.list needs addressId to be an address id'],
    ['emails.list after nothing', () => sdk.emails.list({ after: '' }), 'emails.list needs after to be an email, an email id, a cursor or a Date'],
    ['emails.list after no date', () => sdk.emails.list({ after: new Date('x') }), 'emails.list: after is not a valid Date'],
    ['emails.waitFor', () => sdk.emails.waitFor({ addressId: missing }), 'emails.waitFor needs addressId to be an address id'],
    ['emails.wait', () => sdk.emails.wait({ addressId: '' }), 'emails.wait needs addressId to be an address id'],
    ['domains.delete', () => sdk.domains.delete(''), 'domains.delete needs a domain id'],
    ['domains.verify', () => sdk.domains.verify(''), 'domains.verify needs a domain id'],
    ['forwardingAddresses.get', () => sdk.forwardingAddresses.get(''), 'forwardingAddresses.get needs a forwarding address id'],
    ['forwardingAddresses.delete', () => sdk.forwardingAddresses.delete(''), 'forwardingAddresses.delete needs a forwarding address id'],
    ['forwardingAddresses.resendVerification', () => sdk.forwardingAddresses.resendVerification(''),
      'forwardingAddresses.resendVerification needs a forwarding address id'],
    ['forwardingRules.get', () => sdk.forwardingRules.get(''), 'forwardingRules.get needs an address id'],
    ['forwardingRules.update', () => sdk.forwardingRules.update('', {}), 'forwardingRules.update needs an address id'],
    ['webhooks.update', () => sdk.webhooks.update('', {}), 'webhooks.update needs a webhook id'],
    ['webhooks.delete', () => sdk.webhooks.delete(''), 'webhooks.delete needs a webhook id'],
  ]

  for (const [name, run, sentence] of refusals) {
    it(`that are missing are refused before any request: ${name}`, async () => {
      const error = await run().then(() => undefined, (reason: unknown) => reason as Error)
      expect(error).to.be.instanceOf(MayflyError)
      expect(error!.message).to.equal(sentence)
      expect(requests).to.deep.equal([])
    })
  }

  it('and the other parameters of emails.list are written as the document names them', async () => {
    const addressId = '019ceb92-ea80-752e-bca9-6513269e0d37'
    await sdk.emails.list({ addressId, type: 'sent', isDeleted: true, after: new Date('2026-03-14T09:00:00.000Z'), limit: 5, offset: 10 })
    const { pathname, searchParams } = new URL(requests.pop()!.url)
    expect(pathname).to.equal('/api/v1/emails')
    expect(Object.fromEntries(searchParams)).to.deep.equal({
      address_id: addressId, type: 'sent', is_deleted: 'true', after: '019ceb92-ea80-7000-8000-000000000000', limit: '5', offset: '10',
    })
  })
})
