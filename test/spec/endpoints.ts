import type { Row } from './rows.ts'
import { rows } from './rows.ts'
import { holds } from './endpoint.ts'
import type { Endpoint, World } from './endpoint.ts'
import { eachRow } from './table.ts'
import type { SpecTable } from './table.ts'
import { openSpecWorld } from './world.ts'

const each = (path: string, names: string) => names.split(' ').map((name) => `${path}.${name}`)
const page = ['total', 'limit', 'offset']
const limits = { limit: '1', offset: '0' }
const addressFields = 'id address alias isActive createdAt expiresAt emailCount'
const emailFields = 'id addressId type from fromName to subject bodyText bodyHtml isRead isStarred receivedAt'
const ruleFields = 'id forwardToId forwardToEmail filterSender filterSubject isActive'
const counters = 'totalAddresses activeAddresses totalEmailsReceived totalEmailsSent thisMonthReceived thisMonthSent'

const ofAddress = ({ address }: World) => [address.id]
const ofNew = (make: (world: World) => Promise<{ id: string }>) => async (world: World) => [(await make(world)).id]

/** The specification of each endpoint. */
export const endpointsOfSpec: Record<Row<'endpoint'>, Endpoint> = {
  'GET /api/v1/addresses': {
    scope: 'emails:read', query: () => ({ ...limits, status: 'active' }),
    reply: [...each('data.addresses[]', addressFields), ...each('data', 'total limit offset hasMore')],
  },
  'POST /api/v1/addresses': {
    scope: 'emails:write', status: 201,
    optional: async (world) => ({
      alias: world.next(), domain: (await world.hold(`${world.next()}.example`)).domain, expiresIn: 60, forwardToId: world.forwardTo.id,
    }),
    reply: [...each('data', addressFields), ...each('data.forwarding', 'forwardToId forwardToEmail isActive')],
  },
  'GET /api/v1/addresses/:id': { scope: 'emails:read', ids: ofAddress, reply: each('data', `${addressFields} lastEmailAt`) },
  'DELETE /api/v1/addresses/:id': {
    scope: 'emails:write', ids: ofNew(({ app }) => app.newAddress()), reply: ['message', ...each('data', 'deleted id')],
  },
  'GET /api/v1/emails': {
    scope: 'emails:read', query: ({ address }) => ({ ...limits, address_id: address.id, type: 'received', is_deleted: 'false' }),
    reply: [...each('data[]', `${emailFields} hasAttachments preview`), ...page],
  },
  'GET /api/v1/emails/:id': {
    scope: 'emails:read', ids: ({ emailId }) => [emailId], reply: each('data', `${emailFields} attachments[] headers`), without: ['data.hasAttachments'],
  },
  'POST /api/v1/emails': {
    scope: 'emails:write', status: 202,
    required: ({ address }) => ({ fromAddressId: address.id, to: 'ada@example.com', subject: 'Hello', body: 'Hello' }),
    optional: () => ({ bodyHtml: '<p>Hello</p>' }),
    reply: ['data.id', 'message'],
  },
  'DELETE /api/v1/emails/:id': {
    scope: 'emails:write', ids: async (world) => [await world.newMail(await world.app.newAddress())], reply: ['data.id', 'data.deleted', 'message'],
  },
  'GET /api/v1/emails/:emailId/attachments/:attachmentId': {
    scope: 'emails:read',
    async ids({ app, emailId }) {
      const { attachments } = (await app.api('GET', `/emails/${emailId}`)).body.data
      return [emailId, attachments[0].id]
    },
    headers: { 'content-type': 'text/plain', 'content-disposition': 'attachment; filename=a.txt' },
  },
  'GET /api/v1/domains': { scope: 'domains:read', reply: each('data[]', 'id domain status createdAt'), without: ['data[].dnsRecords'] },
  'POST /api/v1/domains': {
    scope: 'domains:manage', status: 201, required: ({ next }) => ({ domain: `${next()}.example` }),
    reply: [
      ...each('data', 'id domain status createdAt'), ...each('data.dnsRecords.mx', 'type host value priority'), ...each('data.dnsRecords.txt', 'type host value'),
    ],
  },
  'DELETE /api/v1/domains/:id': { scope: 'domains:manage', ids: ofNew((world) => world.add(`${world.next()}.example`)), reply: ['message'] },
  'GET /api/v1/forwarding-addresses': {
    scope: 'forwarding:manage', query: () => limits,
    reply: [...each('data.addresses[]', 'id email isVerified verifiedAt createdAt'), ...each('data', page.join(' '))],
  },
  'POST /api/v1/forwarding-addresses': {
    scope: 'forwarding:manage', status: 201, required: ({ next }) => ({ email: `${next()}@example.com` }),
    reply: [...each('data', 'id email isVerified createdAt'), 'message'], without: ['data.verifiedAt'],
  },
  'GET /api/v1/forwarding-addresses/:id': {
    scope: 'forwarding:manage', ids: ({ forwardTo }) => [forwardTo.id], reply: each('data', 'id email isVerified verifiedAt createdAt'),
  },
  'DELETE /api/v1/forwarding-addresses/:id': { scope: 'forwarding:manage', ids: ofNew((world) => world.newForwarding()), reply: ['message'] },
  'POST /api/v1/forwarding-addresses/:id/resend-verification': {
    scope: 'forwarding:manage', ids: ofNew((world) => world.newForwarding()), reply: ['message'],
  },
  'GET /api/v1/addresses/:addressId/forwarding': { scope: 'forwarding:manage', ids: ofAddress, reply: each('data', ruleFields) },
  'PATCH /api/v1/addresses/:addressId/forwarding': {
    scope: 'forwarding:manage', ids: ofAddress, reply: each('data', ruleFields),
    optional: ({ forwardTo }) => ({ forwardToId: forwardTo.id, filterSender: 'shop', filterSubject: 'order', isActive: true }),
  },
  'GET /api/v1/analytics': { scope: 'analytics:read', reply: counters.split(' ') },
  'GET /api/v1/audit-logs': {
    scope: 'analytics:read', query: () => limits,
    reply: [...each('data[]', 'id action method path status resourceId apiKeyId ipAddress userAgent createdAt'), ...page],
  },
  'POST /api/v1/webhooks': {
    scope: 'webhooks:manage', status: 201, required: ({ endpoint, next }) => ({ url: `${endpoint.url}?${next()}`, events: ['address.expired'] }),
    optional: () => ({ secret: `whsec_${Buffer.alloc(24, 'x').toString('base64')}` }), reply: each('data', 'id url events secret createdAt'),
  },
  'GET /api/v1/webhooks': {
    scope: 'webhooks:manage', reply: each('data[]', 'id url events isActive disabledAt disabledReason createdAt'), without: ['data[].secret'],
  },
  'DELETE /api/v1/webhooks/:id': { scope: 'webhooks:manage', ids: ofNew((world) => world.newWebhook()), reply: ['message'] },
}

export const endpoints: SpecTable<Row<'endpoint'>, World> = {
  async open() {
    const world = await openSpecWorld()
    await world.add('listed.example')
    await world.newWebhook()
    const address = await world.app.newAddress()
    return { ...world, address, emailId: await world.newMail(address), forwardTo: await world.newVerified() }
  },
  proofs: eachRow(rows.endpoint, (row) => (world) => holds(world, row, endpointsOfSpec[row])),
}
