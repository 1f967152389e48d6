import { expect } from 'chai'
import { shareTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { allScopes } from '../contract/requests.ts'
import { readEvents } from '../support/event-reader.ts'
import { createApiKey, revokeApiKey } from '../support/store/accounts.ts'

const scopes = ['emails:read', 'emails:write']

describe('Keys with bounds and an end', () => {
  const newApp = shareTestApp()

  /** An account with a key that may make others. */
  async function open(): Promise<{ app: TestApp, make: (body: object, by?: string) => Promise<any>, maker: string }> {
    const app = await newApp()
    const maker = await app.newKey({ account: app.account, scopes: allScopes })
    const make = async (body: object, by = maker) => {
      const { status, body: answer } = await app.api('POST', '/api-keys', { key: by, body: { name: 'made', scopes, ...body } })
      return status === 201 ? answer.data : { status, error: answer.error }
    }
    return { app, make, maker }
  }

  const addressesOf = async (app: TestApp, key: string, query = '') => {
    const { addresses, total } = (await app.api('GET', `/addresses${query}`, { key })).body.data
    expect(total).to.equal(addresses.length)
    return addresses.map(({ alias }: { alias: string }) => alias)
  }

  it('list, count and search the mail of their addresses alone', async () => {
    const { app, make } = await open()
    const alias = `ci-${app.app.db.newId()}`
    const [mine, other] = [await app.newAddress({ alias }), await app.newAddress()]
    for (const { address } of [mine, other, mine]) await app.send({ to: address, subject: 'Your code', text: 'It is 481516' })
    await app.settled()
    const { key } = await make({ bounds: { aliasPrefix: 'ci-' } })
    for (const query of ['', '?type=received', '?q=code', '?q=is:unread', '?q=%22your%20code%22', '?to=*@mail.localhost', '?after=c1-0', '?q=code&limit=1']) {
      const { data, total, hasMore } = (await app.api('GET', `/emails${query}`, { key })).body
      expect([new Set(data.map((email: any) => email.addressId)), total, hasMore], query)
        .to.deep.equal([new Set([mine.id]), 2, query.includes('limit')])
    }
    expect(await addressesOf(app, key)).to.deep.equal([alias])
    expect(await addressesOf(app, key, '?status=active')).to.deep.equal([alias])
    expect(await addressesOf(app, key, '?status=expired')).to.deep.equal([])
    const changed = await app.api('POST', '/emails/actions', { key, body: { action: 'markRead' } })
    expect(changed.body.data).to.deep.equal({ changed: 2, hasMore: false })
    expect((await app.api('GET', `/emails?address_id=${other.id}`)).body.data[0].isRead).to.equal(false)
  })

  it('wait for the mail of their addresses alone', async () => {
    const { app, make } = await open()
    const [mine, other] = [await app.newAddress({ alias: `ci-${app.app.db.newId()}` }), await app.newAddress()]
    const { key } = await make({ bounds: { addressIds: [mine.id] } })
    const waiting = app.api('GET', '/emails/wait?timeout=20', { key })
    await app.send({ to: other.address, subject: 'not this' })
    await app.settled()
    await app.send({ to: mine.address, subject: 'this' })
    expect((await waiting).body.data).to.include({ addressId: mine.id, subject: 'this' })
    for (const query of ['after=c1-0', 'after=c1-0&to=*@mail.localhost', 'after=c1-0&subject=not']) {
      const { status, body } = await app.api('GET', `/emails/wait?timeout=0&${query}`, { key })
      expect(status === 204 || body.data.subject, query).to.equal(query.includes('not') ? true : 'this')
    }
    expect((await app.api('GET', `/emails/wait?timeout=0&address_id=${other.id}`, { key })).status).to.equal(404)
  })

  it('stream the events of their addresses alone, new ones and old ones', async () => {
    const { app, make } = await open()
    const alias = `ci-${app.app.db.newId()}`
    const { key } = await make({ bounds: { aliasPrefix: 'ci-' } })
    const reader = await readEvents(app.url, key)
    const other = await app.newAddress()
    const mine = await app.newAddress({ alias })
    for (const { address } of [other, mine]) await app.send({ to: address })
    await app.settled()
    await app.api('DELETE', `/addresses/${other.id}`)
    await app.api('DELETE', `/addresses/${mine.id}`)
    const events = await reader.until(3)
    expect(events.map(({ event, data }) => [event, data.data.addressId]))
      .to.deep.equal(['address.created', 'email.received', 'address.deleted'].map((event) => [event, mine.id]))
    const again = await readEvents(app.url, key, { 'last-event-id': '0' })
    await again.until(2) // of mail of an address that is gone the server cannot tell whose it was
    expect(again.events.map(({ data }) => data.data.addressId)).to.deep.equal([mine.id, mine.id])
    reader.drop()
    again.drop()
  })

  it('create addresses within their bounds, as many as they may have', async () => {
    const { app, make } = await open()
    const { key } = await make({ bounds: { aliasPrefix: 'agent-', maxAddresses: 2 } })
    const create = async (body: object) => (await app.api('POST', '/addresses', { key, body })).body
    expect((await create({ alias: 'support-desk' })).error).to.include('body.alias: must begin with agent-')
    const first = await create({})
    expect(first.data.alias).to.match(/^agent-/)
    await create({ alias: `Agent-${app.app.db.newId()}` })
    expect(await create({})).to.include({ code: 'CONFLICT' })
    expect((await app.api('DELETE', `/addresses/${first.data.id}`, { key })).status).to.equal(200)
    expect(await create({})).to.have.property('data')
    const listed = await make({ bounds: { addressIds: [(await app.newAddress()).id] } })
    expect((await app.api('POST', '/addresses', { key: listed.key, body: {} })).body.error).to.include('creates none')
  })

  it('of one account issue no more than their maximum together, at the same time', async () => {
    const { app, make } = await open()
    const keys = await Promise.all([1, 2].map(async () => (await make({ bounds: { aliasPrefix: 'many-', maxAddresses: 3 } })).key))
    const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => app.api('POST', '/addresses', { key: keys[i % 2], body: {} })))
    expect(answers.filter(({ status }) => status === 201)).to.have.length(3)
  })

  it('have the domain of their bounds by default, and refuse others', async () => {
    const { app, make } = await open()
    expect(await make({ bounds: { domains: ['unknown.example'] } })).to.include({ status: 400 })
    const { key } = await make({ bounds: { domains: ['Mail.LOCALHOST'], maxAddresses: 1 } })
    const { id } = (await app.api('POST', '/addresses', { key, body: {} })).body.data
    expect((await app.api('GET', `/addresses/${id}`, { key })).status).to.equal(200)
  })

  it('answer no repetition of the request of another key', async () => {
    const { app, make } = await open()
    const headers = { 'idempotency-key': 'same' }
    const first = await app.api('POST', '/addresses', { body: {}, headers })
    const { key } = await make({ bounds: { aliasPrefix: 'ci-' } })
    const second = await app.api('POST', '/addresses', { key, body: {}, headers })
    expect([second.status, second.headers.get('idempotency-replayed')]).to.deep.equal([201, null])
    expect(second.body.data.id).to.not.equal(first.body.data.id)
    expect((await app.api('POST', '/addresses', { key, body: {}, headers })).body.data.id).to.equal(second.body.data.id)
  })

  it('make keys for at most their own rights', async () => {
    const { app, make } = await open()
    const [own, other] = [await app.newAddress({ alias: `ci-${app.app.db.newId()}` }), await app.newAddress()]
    const rights = { scopes: [...scopes, 'keys:manage'], bounds: { aliasPrefix: 'ci-', maxAddresses: 5 }, expiresIn: 3600 }
    const { key, id } = await make(rights)
    const refusals: [object, RegExp][] = [
      [{ scopes: ['domains:read'] }, /^body.scopes: can be emails:read, emails:write, keys:manage, which this key has, and not domains:read/],
      [{ mode: 'test' }, /^body.mode: must be live/],
      [{ expiresIn: 3601 }, /^body.expiresIn: must end at 2026-03-14T10:00:00.000Z at the latest/],
      [{ bounds: { aliasPrefix: 'c' } }, /^body.bounds.aliasPrefix: must begin with ci-/],
      [{ bounds: { aliasPrefix: 'ci-a' } }, /^body.bounds.aliasPrefix: must be ci-, as for this key: its maximum counts the addresses of all keys that it makes\.$/],
      [{ bounds: { domains: ['mail.localhost'] } }, /^body.bounds.domains: must be left out, as for this key/],
      [{ bounds: { maxAddresses: 6 } }, /^body.bounds.maxAddresses: must be at most 5/],
    ]
    for (const [body, error] of refusals) {
      const refused = await make(body, key)
      expect(refused, JSON.stringify(body)).to.include({ status: 403 })
      expect(refused.error).to.match(error)
    }
    expect(await make({ bounds: { addressIds: [other.id] } }, key)).to.include({ status: 400 })
    const shown = ({ bounds, expiresAt, createdByKeyId, mode }: any) => ({ bounds, expiresAt, createdByKeyId, mode })
    const inherited = { bounds: rights.bounds, expiresAt: '2026-03-14T10:00:00.000Z', createdByKeyId: id, mode: 'live' }
    expect(shown(await make({}, key))).to.deep.equal(inherited)
    expect(shown(await make({ bounds: { maxAddresses: 2 }, expiresIn: 60 }, key)))
      .to.deep.equal({ ...inherited, bounds: { aliasPrefix: 'ci-', maxAddresses: 2 }, expiresAt: '2026-03-14T09:01:00.000Z' })
    expect(shown(await make({ bounds: { addressIds: [own.id] } }, key))).to.deep.equal({ ...inherited, bounds: { addressIds: [own.id] } })
    const { key: listed } = await make({ ...rights, bounds: { addressIds: [own.id, other.id] } })
    expect((await make({ bounds: { aliasPrefix: 'ci-' } }, listed)).error).to.match(/^body.bounds.addressIds/)
    expect((await make({ bounds: { addressIds: [own.id] } }, listed)).bounds).to.deep.equal({ addressIds: [own.id] })
  })

  it('need bounds that mean something', async () => {
    const { make } = await open()
    for (const bounds of [{}, { maxAddresses: 1 }, { addressIds: ['019c0000-0000-7000-8000-000000000000'] }, { aliasPrefix: 'A b' }, { addressIds: [] }]) {
      expect(await make({ bounds }), JSON.stringify(bounds)).to.include({ status: 400 })
    }
  })

  it('list and revoke themselves and the keys that they made, and no others; revoked together', async () => {
    const { app, make, maker } = await open()
    const manage = { scopes: [...scopes, 'keys:manage'] }
    const child = await make({ ...manage, name: 'child' })
    const grandchild = await make({ ...manage, name: 'grandchild' }, child.key)
    const last = await make({ name: 'last' }, grandchild.key)
    const sibling = await make({ name: 'sibling' })
    const names = async (key: string) => (await app.api('GET', '/api-keys', { key })).body.data.map(({ name }: any) => name)
    expect(await names(child.key)).to.deep.equal(['grandchild', 'child'])
    expect(await names(maker)).to.deep.equal(['sibling', 'child', 'test'])
    expect((await app.api('DELETE', `/api-keys/${sibling.id}`, { key: child.key })).status).to.equal(404)
    expect((await app.api('DELETE', `/api-keys/${last.id}`, { key: child.key })).status).to.equal(404)
    expect((await app.api('DELETE', `/api-keys/${child.id}`, { key: child.key })).status).to.equal(200)
    for (const { key } of [child, grandchild, last]) expect((await app.api('GET', '/addresses', { key })).status).to.equal(401)
    expect((await app.api('GET', '/addresses', { key: sibling.key })).status).to.equal(200)
  })

  it('are revoked with the key that made them by the operator, too', async () => {
    const { app, make } = await open()
    const parent = await createApiKey(app, app.account)
    expect(await make({}, parent.key)).to.include({ status: 403 }) // the default scopes do not have keys:manage
    const middle = await make({ scopes: [...scopes, 'keys:manage'] })
    const made = await make({}, middle.key)
    await revokeApiKey(app, middle.id)
    expect((await app.api('GET', '/addresses', { key: made.key })).status).to.equal(401)
  })

  it('end at their time, which the answer names', async () => {
    const { app, make } = await open()
    const { key, expiresAt } = await make({ expiresIn: 60 })
    await app.advance({ seconds: 59 })
    expect((await app.api('GET', '/addresses', { key })).status).to.equal(200)
    await app.advance({ seconds: 1 })
    const { status, body } = await app.api('GET', '/addresses', { key })
    const agent = await fetch(`${app.url}/mcp`, { method: 'POST', headers: { authorization: `Bearer ${key}` } })
    expect([agent.status, await agent.json()]).to.deep.equal([status, body])
    expect([status, body]).to.deep.equal([401, { error: `The API key ended at ${expiresAt}. Create a new one.`, code: 'INVALID_API_KEY' }])
    expect((await make({})).id).to.be.a('string') // it counts no more
  })

  it('end their streams and waits with them', async () => {
    const { app, make } = await open()
    const { key } = await make({ expiresIn: 60 })
    const reader = await readEvents(app.url, key)
    const waiting = app.api('GET', '/emails/wait?timeout=60', { key })
    await reader.comment(1)
    await app.advance({ seconds: 60 })
    await app.newAddress()
    await reader.ended
    await app.advance({ seconds: 4 })
    expect((await waiting).status).to.equal(401)
    expect(reader.events).to.deep.equal([])
  })
})
