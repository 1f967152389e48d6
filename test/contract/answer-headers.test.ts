import { expect } from 'chai'
import type { OpenAPIV3_1 } from 'openapi-types'
import { resolveRef } from '../../openapi/document.ts'
import type { RawAnswer } from '../support/raw-request.ts'
import { answerWorlds, newMailbox } from './answer-worlds.ts'
import type { Call } from './answer-worlds.ts'
import { document, operations } from './requests.ts'

/** The status and the headers of an answer. */
interface Head {
  status: number
  contentType: string | undefined
  /** The names of the headers that the document names. */
  headers: string[]
}

/** The documented headers of an answer by their names in lower case, and whether each is required. */
function documented(operationId: string, status: number): Map<string, boolean> {
  const { definition } = operations.find((operation) => operation.operationId === operationId)!
  const { headers = {} } = resolveRef(document, definition.responses![status]!)
  const isRequired = (header: OpenAPIV3_1.HeaderObject | OpenAPIV3_1.ReferenceObject) => resolveRef(document, header).required === true
  return new Map(Object.entries(headers).map(([name, header]) => [name.toLowerCase(), isRequired(header)]))
}

const named = new Set(operations.flatMap(({ operationId, definition }) =>
  Object.keys(definition.responses!).flatMap((status) => [...documented(operationId, Number(status)).keys()])))

/** Security headers may be on answers for which the document does not name them. */
const everywhere = ['x-content-type-options', 'content-security-policy']

const headOf = ({ status, headers }: RawAnswer, operationId: string): Head => ({
  status,
  contentType: headers['content-type'],
  headers: Object.keys(headers)
    .filter((name) => named.has(name) && (!everywhere.includes(name) || documented(operationId, status).has(name)))
    .sort(),
})

/** Calls every operation, some of them also with invalid requests. */
async function headsOf(call: Call): Promise<Record<string, Head>> {
  const heads: Record<string, Head> = {}
  /** Calls an operation, and expects the headers that the document requires, and no undocumented ones. */
  async function ask(operationId: string, path: string, body?: unknown, headers?: Record<string, string>) {
    const { method } = operations.find((operation) => operation.operationId === operationId)!
    const answer = await call(method.toUpperCase(), path, { body, headers })
    const head = headOf(answer, operationId)
    const expected = documented(operationId, answer.status)
    for (const name of head.headers) expect([...expected.keys()], `${operationId} ${answer.status}`).to.include(name)
    for (const [name, isRequired] of expected) if (isRequired) expect(head.headers, `${operationId} ${answer.status}`).to.include(name)
    heads[`${operationId} ${Object.keys(heads).length}`] = head
    return answer.json
  }

  const { addressId, emailId } = await newMailbox(call)
  const any = '00000000-0000-7000-8000-000000000000'
  await ask('addresses.create', '/addresses', {})
  await ask('addresses.create', '/addresses', { alias: 'twice' }, { 'idempotency-key': 'k' })
  await ask('addresses.create', '/addresses', { alias: 'twice' }, { 'idempotency-key': 'k' })
  await ask('addresses.create', '/addresses', { alias: 'other' }, { 'idempotency-key': 'k' })
  await ask('addresses.create', '/addresses', { expires: 1 })
  await ask('addresses.create', '/addresses', 'alias=a', { 'content-type': 'application/x-www-form-urlencoded' })
  await ask('addresses.create', '/addresses', {}, { authorization: 'none' })
  await ask('addresses.create', '/addresses', {}, { 'x-mayfly-fault': 'status=429' })
  await ask('addresses.list', '/addresses')
  await ask('addresses.get', `/addresses/${addressId}`)
  await ask('forwardingRules.get', `/addresses/${addressId}/forwarding`)
  await ask('emails.list', '/emails')
  await ask('emails.list', '/emails?limit=1000')
  const { data: { attachments } } = await ask('emails.get', `/emails/${emailId}`)
  await ask('emails.wait', `/emails/wait?after=${any}&timeout=0`)
  await ask('emails.wait', `/emails/wait?after=${any}&timeout=0&subject=invoice`)
  await ask('emails.checks', `/emails/${emailId}/checks`)
  await ask('emails.raw', `/emails/${emailId}/raw`)
  await ask('emails.attachment', `/emails/${emailId}/attachments/${attachments[0].id}`)
  await ask('emails.update', `/emails/${emailId}`, { isRead: true })
  await ask('emails.send', '/emails', { fromAddressId: addressId, to: 'ada@example.com', subject: 'Hello', body: 'Hello' })
  await ask('test.createEmail', '/test/emails', { to: 'checkout-test@mail.localhost', subject: 'Hello' })
  const { data: domain } = await ask('domains.create', '/domains', { domain: 'qa.example.com' })
  await ask('domains.list', '/domains')
  await ask('domains.update', `/domains/${domain.id}`, { catchAllId: null })
  await ask('domains.delete', `/domains/${domain.id}`)
  const { data: forwarding } = await ask('forwardingAddresses.create', '/forwarding-addresses', { email: 'grace@example.com' })
  await ask('forwardingAddresses.list', '/forwarding-addresses')
  await ask('forwardingAddresses.get', `/forwarding-addresses/${forwarding.id}`)
  await ask('forwardingAddresses.delete', `/forwarding-addresses/${forwarding.id}`)
  const hook = { url: 'https://hooks.example.com/mayfly', events: ['address.expired'] }
  const { data: { id: webhookId } } = await ask('webhooks.create', '/webhooks', hook)
  await ask('webhooks.list', '/webhooks')
  await ask('webhooks.get', `/webhooks/${webhookId}`)
  const { data: delivery } = await ask('webhooks.test', `/webhooks/${webhookId}/test`)
  await ask('webhooks.deliveries', `/webhooks/${webhookId}/deliveries`)
  await ask('webhooks.redeliver', `/webhooks/${webhookId}/deliveries/${delivery.id}/redeliver`)
  await ask('webhooks.rotateSecret', `/webhooks/${webhookId}/rotate-secret`)
  await ask('webhooks.update', `/webhooks/${webhookId}`, { isActive: false })
  await ask('webhooks.delete', `/webhooks/${webhookId}`)
  await ask('analytics.get', '/analytics')
  await ask('analytics.daily', '/analytics/daily')
  await ask('auditLogs.list', '/audit-logs')
  await ask('events.stream', '/events', undefined, { 'last-event-id': '0' })
  await ask('emails.bounce', `/emails/${emailId}/bounce`)
  await ask('emails.complain', `/emails/${emailId}/complain`)
  await ask('emails.delete', `/emails/${emailId}`)
  await ask('emails.restore', `/emails/${emailId}/restore`)
  await ask('emails.changeAll', '/emails/actions', { action: 'markRead' })
  await ask('emails.changeAll', '/emails/actions', { action: 'delete', q: 'tag:x' })
  await ask('addresses.activity', `/addresses/${addressId}/activity`)
  await ask('addresses.setSmtpFaults', `/addresses/${addressId}/smtp-faults`, { steps: [{ at: 'rcpt', code: 451 }] })
  await ask('addresses.getSmtpFaults', `/addresses/${addressId}/smtp-faults`)
  await ask('addresses.clearSmtpFaults', `/addresses/${addressId}/smtp-faults`)
  await ask('addresses.update', `/addresses/${addressId}`, { allowedSenders: ['@shop.example'] })
  await ask('addresses.createSmtpLogin', `/addresses/${addressId}/smtp-login`)
  await ask('addresses.deleteSmtpLogin', `/addresses/${addressId}/smtp-login`)
  await ask('addresses.delete', `/addresses/${addressId}`)

  for (const [method, path] of [['GET', '/nothing'], ['PUT', '/addresses']] as const) {
    const { status, headers } = await call(method, path)
    heads[`${method} ${path}`] = { status, contentType: headers['content-type'], headers: Object.keys(headers).filter((name) => /^x-r|^allow$/.test(name)).sort() }
  }
  return heads
}

describe('Answer headers', function () {

  it('match the document, and are the same on the mock and on the server', async () => {
    const [server, mock] = await Promise.all(answerWorlds.map(async ([, open]) => {
      await using world = await open()
      return await headsOf(world.call)
    }))
    expect(Object.keys(server!)).to.have.length.above(40)
    expect(mock).to.deep.equal(server)
  })
})
