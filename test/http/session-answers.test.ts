import { expect } from 'chai'
import { operationsOf, readDocument } from '../../openapi/document.ts'
import type { DocumentOperation } from '../../openapi/document.ts'
import { statusOf } from '../../server/errors.ts'
import { openTestApp } from '../support/app.ts'
import type { ApiAnswer, TestApp } from '../support/app.ts'
import { invite, join } from '../support/members.ts'
import { newToken, signIn } from '../support/sessions.ts'
import type { TestSession } from '../support/sessions.ts'
import { loseTable, refuseWrites } from '../support/store/faults.ts'

const unknownId = '019c0000-0000-7000-8000-000000000000'
const operations = operationsOf(readDocument()).filter(({ operationId }) => /^(signInLinks|sessions|account|apiKeys|members|memberships|shareLinks|sharedInbox)\./.test(operationId))
const documented = (status: string) => operations.filter(({ definition }) => status in definition.responses!)

const bodies: Record<string, unknown> = {
  'signInLinks.create': { email: 'ada@example.com' },
  'sessions.create': { token: 'x'.repeat(43) },
  'apiKeys.create': { name: 'CI', scopes: ['emails:read'] },
  'shareLinks.create': { hours: 1 },
  'sessions.switch': { accountId: unknownId },
  'members.create': { email: 'lin@example.com', role: 'viewer' },
  'members.update': { role: 'member' },
}

interface Call {
  method?: string
  query?: string
  id?: string
  attachmentId?: string
  headers?: Record<string, string>
  body?: unknown
}

/** @param token of a share link, for the operations that take one */
function send({ api }: TestSession, operation: DocumentOperation, call: Call = {}, token = 'none'): Promise<ApiAnswer> {
  const { operationId, method, path, isShared } = operation
  const { id = unknownId, attachmentId = unknownId } = call
  const filled = path.replace('/api/v1', '').replace('{attachmentId}', attachmentId).replace(/\{\w+\}/, id) + (call.query ?? '')
  const headers = { ...isShared && { authorization: `Bearer ${token}` }, ...call.headers }
  return api(call.method ?? method.toUpperCase(), filled, { body: bodies[operationId], ...call, headers })
}

/** Shares the inbox of a new address. */
async function share({ api }: TestSession): Promise<{ addressId: string, address: string, linkId: string, token: string }> {
  const { id: addressId, address } = (await api('POST', '/addresses', { body: {} })).body.data
  const { id: linkId, url } = (await api('POST', `/addresses/${addressId}/share-links`, { body: bodies['shareLinks.create'] })).body.data
  return { addressId, address, linkId, token: url.split('#')[1] }
}

/** How to get an error from any of the operations. */
interface Refusal {
  env?: Record<string, string>
  prepare?(app: TestApp, session: TestSession): Promise<unknown>
  /** By a member who reads alone. */
  isViewer?: boolean
  call?: Call
}

const refusals: Record<number, Refusal> = {
  400: { call: { query: '?other=1' } },
  401: { call: { headers: { 'cookie': '', 'sec-fetch-site': 'cross-site', 'authorization': '' } } },
  403: { isViewer: true },
  404: {},
  405: { call: { method: 'PUT' } },
  409: {
    prepare: (_app, { api }) => api('POST', '/addresses', { body: {}, headers: { 'idempotency-key': 'used' } }),
    call: { headers: { 'idempotency-key': 'used' } },
  },
  413: { call: { body: ' '.repeat(1024 * 1024 + 1) } },
  415: { call: { headers: { 'content-type': 'text/plain' }, body: 'x' } },
  429: {
    env: { MAYFLY_RATE_LIMIT: '1' },
    async prepare(_app, { api }) { for (let i = 0; i < 6; i++) await api('GET', '/account') },
  },
  500: {
    async prepare(app) {
      await loseTable(app, 'sessions')
      await loseTable(app, 'sign_in_links')
      await loseTable(app, 'share_links')
    },
  },
}

describe('Sign-in, account and API keys: every operation answers with each of its documented statuses', () => {
  for (const [status, { env = {}, prepare, isViewer = false, call }] of Object.entries(refusals)) {
    it(status, async () => {
      await using app = await openTestApp({ env })
      const owner = await signIn(app)
      const session = isViewer ? await join(app, owner, { role: 'viewer' }) : owner
      const token = env['MAYFLY_RATE_LIMIT'] ? undefined : (await share(owner)).token
      await prepare?.(app, session)
      expect(documented(status)).to.not.deep.equal([])
      for (const operation of documented(status)) {
        if (isViewer && operation.operationId === 'apiKeys.list') continue // viewers may; keys without the scope may not
        const answer = await send(session, operation, call, token)
        const { code } = answer.body
        const shown = `${operation.operationId}: ${JSON.stringify(answer.body)}`
        expect([answer.status, statusOf[code as keyof typeof statusOf]], shown).to.deep.equal([Number(status), Number(status)])
      }
    })
  }

  /** Calls that succeed where there is room, in an order in which none of them removes what another one needs. */
  async function validCalls(app: TestApp, session: TestSession): Promise<[DocumentOperation, Call][]> {
    const other = await signIn(app, { email: session.email })
    const key = (await session.api('POST', '/api-keys', { body: bodies['apiKeys.create'] })).body.data
    const { addressId, address, token } = await share(session)
    await app.send({ to: address, subject: 'Hello', text: 'Hello', attachments: [{ filename: 'a.txt', content: 'a file' }] })
    await app.settled()
    const email = (await session.api('GET', `/emails?address_id=${addressId}`)).body.data[0].id
    const attachmentId = (await session.api('GET', `/emails/${email}`)).body.data.attachments[0].id
    const headers = { authorization: `Bearer ${token}` }
    const calls: Record<string, Call> = {
      'shareLinks.list': { id: addressId },
      'shareLinks.create': { id: addressId },
      'shareLinks.delete': { id: (await share(session)).linkId },
      'sharedInbox.get': { headers },
      'sharedInbox.listEmails': { headers },
      'sharedInbox.getEmail': { headers, id: email },
      'sharedInbox.attachment': { headers, id: email, attachmentId },
      'sessions.create': { body: { token: await newToken(app, session.email) }, headers: { cookie: '' } },
      'sessions.delete': { id: other.session.id },
      'apiKeys.revoke': { id: key.id },
      'sessions.switch': { body: { accountId: (await session.api('GET', '/account')).body.data.id } },
      'members.update': { id: (await invite(session, 'first@example.com')).id },
      'members.delete': { id: (await invite(session, 'second@example.com')).id },
    }
    return operations.toSorted((a, b) => Number(a.operationId === 'sessions.deleteAll') - Number(b.operationId === 'sessions.deleteAll'))
      .map((operation) => [operation, calls[operation.operationId] ?? {}])
  }

  it('507', async () => {
    await using app = await openTestApp()
    const session = await signIn(app)
    const calls = (await validCalls(app, session)).filter(([operation]) => documented('507').includes(operation))
    expect(calls).to.have.length(documented('507').length).and.not.have.length(0)
    const allow = await refuseWrites(app)
    for (const [operation, call] of calls) {
      const { status, body } = await send(session, operation, call)
      expect([status, body.code], operation.operationId).to.deep.equal([507, 'STORAGE_FULL'])
    }
    await allow()
  })

  it('success', async () => {
    await using app = await openTestApp()
    const session = await signIn(app)
    for (const [operation, call] of await validCalls(app, session)) {
      expect((await send(session, operation, call)).status, operation.operationId).to.equal(operation.status)
    }
  })

  it('the tests above cover every status of the document', () => {
    const errors = operations.flatMap(({ definition }) => Object.keys(definition.responses!)).filter((status) => Number(status) >= 400)
    expect([...new Set(errors)].sort()).to.deep.equal([...Object.keys(refusals), '507'].sort())
  })
})
