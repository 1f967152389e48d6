import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { openEndpoint } from '../support/endpoint.ts'
import type { Endpoint } from '../support/endpoint.ts'
import { openWaits } from '../support/open-waits.ts'
import { signIn } from '../support/sessions.ts'
import type { TestSession } from '../support/sessions.ts'
import { changePlan, createAccount, ownerOf } from '../support/store/accounts.ts'
import { addDomains } from '../support/store/domains.ts'
import { verifyForwardingAddresses } from '../support/store/forwarding-addresses.ts'

type Plan = 'free' | 'pro' | 'business'

/** A Business account, whose plan is changed. */
interface World {
  app: TestApp
  endpoint: Endpoint
  key: string
  session: TestSession
  change(plan: Plan): Promise<void>
  /** Calls the API with the key. @returns the status and the code of the error */
  withKey(method: string, path: string, body?: unknown): Promise<[number, string | undefined]>
}

const page = readFileSync(new URL('../../docs/accounts-and-keys.md', import.meta.url), 'utf8')
const apiRefused = [403, 'PLAN_REQUIRED']

/** A test for each row of the table in docs/accounts-and-keys.md. */
const rows: Record<string, (world: World) => Promise<void>> = {
  async addresses({ session: { api }, change }) {
    const issue = async (expiresIn?: number) => api('POST', '/addresses', { body: { expiresIn } })
    const { id, expiresAt } = (await issue()).body.data
    await change('free')
    expect((await api('GET', `/addresses/${id}`)).body.data).to.include({ expiresAt, isActive: true })
    expect((await issue(24 * 3600 + 1)).status).to.equal(400)
    const short = (await issue()).body.data
    await change('business')
    expect((await issue(30 * 24 * 3600)).status).to.equal(201)
    expect((await api('GET', `/addresses/${short.id}`)).body.data).to.include({ expiresAt: short.expiresAt })
    await change('free')
    expect((await api('DELETE', `/addresses/${id}`)).status).to.equal(200)
  },

  async 'mail, audit log and analytics'({ app, session: { api }, change }) {
    const { id, address } = (await api('POST', '/addresses', { body: {} })).body.data
    await change('free')
    await app.send({ to: address, subject: 'kept', text: 'Hello' })
    expect((await api('GET', `/emails?address_id=${id}`)).body.data[0]).to.include({ subject: 'kept' })
    for (const path of ['/audit-logs', '/analytics']) expect((await api('GET', path)).status).to.equal(200)
    await change('business')
    expect((await api('GET', `/emails?address_id=${id}`)).body.total).to.equal(1)
  },

  async 'sent mail'({ app, session: { api }, change }) {
    const { id } = (await api('POST', '/addresses', { body: {} })).body.data
    const send = async () => (await api('POST', '/emails', { body: { fromAddressId: id, to: 'ada@example.com', subject: 'Hi', body: 'Hello' } })).body.data.id
    const before = await send()
    await change('free')
    const sent = [before, await send()]
    await app.settled()
    for (const email of sent) expect((await api('GET', `/emails/${email}`)).body.data.status).to.equal('captured')
  },

  async 'custom domains'({ app, key, session: { api }, change }) {
    const domain = `d${app.app.db.newId()}.example`
    await addDomains(app, (await ownerOf(app, key)).accountId, { [domain]: 'verified' })
    await change('free')
    const { status, body: { data } } = await api('POST', '/addresses', { body: { alias: 'a', domain } })
    expect(status).to.equal(201)
    await app.send({ to: data.address, subject: 'kept', text: 'Hello' })
    const [{ id }] = (await api('GET', '/domains')).body.data
    expect((await api('DELETE', `/domains/${id}`)).status).to.equal(200)
  },

  async 'forwarding addresses and rules'({ app, session: { api }, change, withKey }) {
    const address = (await api('POST', '/addresses', { body: {} })).body.data
    const { id: forwardToId } = (await api('POST', '/forwarding-addresses', { body: { email: 'ada@example.com' } })).body.data
    await verifyForwardingAddresses(app, forwardToId)
    await api('PATCH', `/addresses/${address.id}/forwarding`, { body: { forwardToId } })
    await change('free')
    await app.send({ to: address.address, subject: 'forwarded', text: 'Hello' })
    await app.settled()
    const [{ id }] = (await api('GET', '/emails?type=received')).body.data
    expect((await api('GET', `/emails/${id}`)).body.data.forwarding).to.include({ status: 'captured' })
    expect(await withKey('PATCH', `/addresses/${address.id}/forwarding`, { filterSubject: 'other' })).to.deep.equal(apiRefused)
    expect(await withKey('PATCH', `/addresses/${address.id}/forwarding`, { isActive: false, filterSubject: 'x' })).to.deep.equal(apiRefused)
    expect(await withKey('PATCH', `/addresses/${address.id}/forwarding`, { forwardToId: null })).to.deep.equal([200, undefined])
    expect(await withKey('DELETE', `/forwarding-addresses/${forwardToId}`)).to.deep.equal([200, undefined])
  },

  async webhooks({ app, endpoint, session: { api }, change, withKey }) {
    const add = async (path: string) =>
      (await api('POST', '/webhooks', { body: { url: endpoint.url + path, events: ['address.created'] } })).body.data.id as string
    const [kept, off, gone, failing] = [await add(''), await add('/off'), await add('/gone'), await add('/failing')]
    const read = async (id: string) => (await api('GET', `/webhooks/${id}`)).body.data
    endpoint.answer = ({ path }) => path.endsWith('/failing') ? 500 : 204
    await api('POST', '/addresses', { body: {} })
    await app.advance({ seconds: 1 })
    expect(endpoint.deliveries).to.have.length(4)

    await change('pro')
    const paused = { isActive: false, disabledAt: null, disabledReason: 'Webhooks are part of the Business plan; this account has the pro plan. It goes on with that plan.' }
    expect(await read(kept)).to.include(paused)
    expect((await api('GET', '/webhooks')).body.data.map(({ isActive }: { isActive: boolean }) => isActive)).to.deep.equal([false, false, false, false])
    await api('POST', '/addresses', { body: {} })
    await app.advance({ minutes: 2 })
    expect(endpoint.deliveries, 'neither the event of the pause nor the retry').to.have.length(4)
    expect((await api('GET', `/webhooks/${failing}/deliveries`)).body.data[0]).to.include({
      attempt: 2, status: 'failed', sentAt: null, error: 'Webhooks are part of the Business plan; this account has the pro plan.',
    })
    for (const [method, path, body] of [
      ['POST', '/webhooks', { url: `${endpoint.url}/new`, events: ['address.created'] }], ['PATCH', `/webhooks/${kept}`, { isActive: true }],
      ['PATCH', `/webhooks/${kept}`, { isActive: false, events: ['email.received'] }], ['POST', `/webhooks/${kept}/test`], ['POST', `/webhooks/${kept}/rotate-secret`],
    ] as const) {
      expect(await withKey(method, path, body)).to.deep.equal(apiRefused)
      expect((await api(method, path, { body })).body.code).to.equal('PLAN_REQUIRED')
    }
    expect(await withKey('GET', '/webhooks')).to.deep.equal([200, undefined])
    expect(await withKey('DELETE', `/webhooks/${gone}`)).to.deep.equal([200, undefined])
    expect((await api('PATCH', `/webhooks/${off}`, { body: { isActive: false } })).body.data).to.include({ disabledReason: 'It was switched off.' })

    await change('business')
    expect(await read(kept)).to.include({ isActive: true, disabledAt: null, disabledReason: null })
    expect(await read(off)).to.include({ isActive: false, disabledReason: 'It was switched off.' })
    expect(await read(failing)).to.include({ isActive: true })
    await app.advance({ days: 1 })
    expect(endpoint.deliveries).to.have.length(4)
    await api('POST', '/addresses', { body: {} })
    await app.settled()
    expect(endpoint.deliveries.slice(4).map(({ path }) => path).sort()).to.deep.equal(['/hook', '/hook/failing'])
  },

  async 'API keys'({ session: { api }, change, withKey }) {
    const create = async () => (await api('POST', '/api-keys', { body: { name: 'CI', scopes: ['emails:read'] } })).body
    const { data: { id } } = await create()
    await change('free')
    expect(await withKey('GET', '/addresses')).to.deep.equal(apiRefused)
    expect((await create()).code).to.equal('PLAN_REQUIRED')
    expect((await api('GET', '/api-keys')).body.data).to.have.length(2)
    expect((await api('DELETE', `/api-keys/${id}`)).status).to.equal(200)
    await change('business')
    expect(await withKey('GET', '/addresses')).to.deep.equal([200, undefined])
  },

  async sessions({ session: { api, session }, change }) {
    await change('free')
    expect((await api('GET', '/account')).body.data).to.include({ plan: 'free', hasApi: false })
    expect((await api('DELETE', `/sessions/${session.id}`)).status).to.equal(200)
  },

  async 'streams and waits of a key'({ app, change, withKey }) {
    const before = await openWaits(app)
    const waited = withKey('GET', '/emails/wait?timeout=60')
    await openWaits(app, before + 1)
    await change('free')
    await app.advance({ seconds: 3 })
    expect(await waited).to.deep.equal(apiRefused)
  },
}

describe('Change of plan: each resource', () => {
  let app: TestApp
  let endpoint: Endpoint
  let administrator: TestSession
  before(async () => {
    app = await openTestApp({ env: { MAYFLY_ALLOW_PRIVATE_WEBHOOKS: 'true', MAYFLY_ADMINS: 'admin@example.org', MAYFLY_RATE_LIMIT: '0' } })
    await createAccount(app, 'admin@example.org')
    administrator = await signIn(app, { email: 'admin@example.org' })
  })
  after(() => app[Symbol.asyncDispose]())
  beforeEach(async () => { endpoint = await openEndpoint() })
  afterEach(() => endpoint[Symbol.asyncDispose]())

  it('has the rows of the table in docs/accounts-and-keys.md', () => {
    const table = page.slice(page.indexOf('| Resource |')).split('\n\n')[0]!.split('\n').slice(2)
    expect(table.map((line) => line.split('|')[1]!.trim())).to.deep.equal(Object.keys(rows))
  })

  const doors = {
    'the command line': async (_id: string, email: string, plan: Plan) => { await changePlan(app, email, plan) },
    'an administrator': async (id: string, _email: string, plan: Plan) => {
      expect((await administrator.api('PATCH', `/admin/accounts/${id}`, { body: { plan } })).status).to.equal(200)
    },
  }
  for (const [door, change] of Object.entries(doors)) {
    for (const [name, test] of Object.entries(rows)) {
      it(`by ${door}: ${name}`, async () => {
        const session = await signIn(app)
        const { id } = (await session.api('GET', '/account')).body.data
        const key = await app.newKey({ account: id })
        await test({
          app, endpoint, key, session,
          change: (plan) => change(id, session.email, plan),
          async withKey(method, path, body) {
            const answer = await app.api(method, path, { key, body })
            return [answer.status, answer.body.code]
          },
        })
      })
    }
  }
})
