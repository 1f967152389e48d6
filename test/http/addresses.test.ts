import { expect } from 'chai'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { emitted } from '../support/store/events.ts'

const nowhere = '019c0000-0000-7000-8000-000000000000'
const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe('Addresses', () => {
  let app: TestApp
  /** A key of a new account for each test. */
  let key: string
  before(async () => { app = await openTestApp() })
  beforeEach(async () => { key = await app.newKey() })
  after(() => app[Symbol.asyncDispose]())

  const create = (body: Record<string, unknown> = {}, by = key) => app.api('POST', '/addresses', { body, key: by })
  const created = async (body: Record<string, unknown>): Promise<{ id: string, address: string }> => (await create(body)).body.data
  const get = (id: string) => app.api('GET', `/addresses/${id}`, { key })
  const remove = (id: string) => app.api('DELETE', `/addresses/${id}`, { key })
  const list = async (query = '') => (await app.api('GET', `/addresses${query}`, { key })).body.data
  const aliases = async (query = '') => (await list(query)).addresses.map(({ alias }: { alias: string }) => alias)
  const emails = async (addressId: string) => (await app.api('GET', `/emails?address_id=${addressId}`, { key })).body.data

  describe('create', () => {
    it('issues an address in lower case, for the maximum lifetime of the plan', async () => {
      const { status, body } = await create({ alias: 'Check.Out-1' })
      expect(status).to.equal(201)
      expect(body.data.id).to.match(uuidV7)
      expect(body).to.deep.equal({
        data: {
          id: body.data.id,
          address: 'check.out-1@mail.localhost',
          alias: 'check.out-1',
          isActive: true,
          createdAt: '2026-03-14T09:00:00.000Z',
          expiresAt: '2026-04-13T09:00:00.000Z',
          emailCount: 0,
          unreadCount: 0,
          lastEmailAt: null,
          hasSmtpLogin: false,
          lastLoginAt: null,
          maxEmails: null,
          allowedSenders: [],
          blockedSenders: [],
          forwarding: null,
          smtp: null,
          cursor: 'c1-0',
        },
      })
      const { forwarding, smtp, cursor, ...address } = body.data
      expect(smtp).to.equal(null)
      expect((await get(body.data.id)).body).to.deep.equal({ data: address })
      expect(await emitted(app)).to.deep.equal([{
        event: 'address.created', mode: 'live', at: '2026-03-14T09:00:00.000Z',
        data: { addressId: body.data.id, address: 'check.out-1@mail.localhost', expiresAt: '2026-04-13T09:00:00.000Z' },
      }])
      expect({ forwarding, cursor }).to.deep.equal({ forwarding: null, cursor: 'c1-0' })
    })

    it('generates a random alias that is readable and not guessable', async () => {
      const made = await Promise.all([...Array.from({ length: 39 }, () => create()), app.api('POST', '/addresses', { key })])
      for (const { body: { data } } of made) {
        expect(data.alias).to.match(/^[a-z]+-[a-z]+-[2-9a-hjkmnp-z]{13}$/)
        expect(data.address).to.equal(`${data.alias}@mail.localhost`)
      }
      expect(new Set(made.map(({ body }) => body.data.alias.slice(-13))).size).to.equal(40)
    })

    for (const [expiresIn, expiresAt] of [
      [60, '2026-03-14T09:01:00.000Z'], [86_400, '2026-03-15T09:00:00.000Z'], [2_592_000, '2026-04-13T09:00:00.000Z'],
    ] as const) {
      it(`accepts a lifetime of ${expiresIn} seconds`, async () => {
        expect((await create({ expiresIn })).body.data.expiresAt).to.equal(expiresAt)
      })
    }

    for (const [expiresIn, message] of [[59, 'must be >= 60'], [0, 'must be >= 60'], [-60, 'must be >= 60'], [2_592_001, 'must be <= 2592000']] as const) {
      it(`refuses a lifetime of ${expiresIn} seconds`, async () => {
        const { status, body } = await create({ expiresIn })
        expect(status).to.equal(400)
        expect(body).to.deep.equal({
          error: `body.expiresIn: ${message}.`, code: 'INVALID_REQUEST', details: [{ path: 'body.expiresIn', message }],
        })
      })
    }

    it('accepts the default domain in any case, and refuses others as not verified', async () => {
      expect((await create({ alias: 'own', domain: 'Mail.LocalHost' })).body.data.address).to.equal('own@mail.localhost')
      for (const domain of ['example.com', 'sub.mail.localhost', 'localhost', 'mail.localhost.', 'x'.repeat(253)]) {
        const { status, body } = await create({ alias: 'other', domain })
        expect(status).to.equal(409)
        expect(body).to.deep.equal({
          error: `body.domain: ${domain} is not a verified domain of this account. Leave it out for an address at mail.localhost.`,
          code: 'NOT_VERIFIED',
        })
      }
      expect(await aliases()).to.deep.equal(['own'])
    })

    it('refuses an unknown forwarding address', async () => {
      const { status, body } = await create({ alias: 'forwarded', forwardToId: nowhere })
      expect(status).to.equal(404)
      expect(body).to.deep.equal({ error: 'body.forwardToId: there is no forwarding address with this id.', code: 'NOT_FOUND' })
      expect(await aliases()).to.deep.equal([])
      expect((await create({ alias: 'forwarded' })).status).to.equal(201)
    })
  })

  describe('list', () => {
    it('shows the newest first, also within a millisecond, page by page', async () => {
      for (const alias of ['list-a', 'list-b', 'list-c', 'list-d', 'list-e']) await created({ alias })
      expect(await list('?limit=2')).to.deep.include({ total: 5, limit: 2, offset: 0, hasMore: true })
      expect(await aliases('?limit=2')).to.deep.equal(['list-e', 'list-d'])
      expect(await aliases('?limit=2&offset=2')).to.deep.equal(['list-c', 'list-b'])
      expect(await aliases('?offset=4&limit=2')).to.deep.equal(['list-a'])
      expect(await list('?limit=2&offset=4')).to.deep.include({ total: 5, limit: 2, offset: 4, hasMore: false })
      expect(await list('?limit=3&offset=2')).to.deep.include({ hasMore: false })
      expect(await list('?offset=5')).to.deep.equal({ addresses: [], total: 5, limit: 20, offset: 5, hasMore: false })
      expect(await list('?offset=10000')).to.deep.include({ addresses: [], total: 5, hasMore: false })
    })

    it('shows active addresses, expired ones, or both', async () => {
      await created({ alias: 'short', expiresIn: 60 })
      await created({ alias: 'long' })
      await created({ alias: 'short-too', expiresIn: 60 })
      expect(await list('?status=expired')).to.deep.equal({ addresses: [], total: 0, limit: 20, offset: 0, hasMore: false })
      await app.advance({ seconds: 60 })
      expect(await aliases('?status=expired')).to.deep.equal(['short-too', 'short'])
      expect(await list('?status=expired&limit=1')).to.deep.include({ total: 2, hasMore: true })
      expect(await aliases('?status=active')).to.deep.equal(['long'])
      expect(await aliases()).to.deep.equal(['short-too', 'long', 'short'])
      const isActive = (await list()).addresses.map((address: { isActive: boolean }) => address.isActive)
      expect(isActive).to.deep.equal([false, true, false])
    })
  })

  describe('get', () => {
    it('has the number of emails and the time of the last email', async () => {
      const { id, address } = await created({ alias: 'counted' })
      const counts = async () => {
        const [listed] = (await list()).addresses
        const { data } = (await get(id)).body
        expect(listed).to.deep.equal(data)
        return [data.emailCount, data.lastEmailAt]
      }
      const now = () => new Date(app.app.clock.now()).toISOString()
      expect(await counts()).to.deep.equal([0, null])
      await app.advance({ seconds: 5 })
      await app.send({ to: address, subject: 'one' })
      await app.settled()
      expect(await counts()).to.deep.equal([1, now()])
      await app.advance({ minutes: 1 })
      await app.send({ to: address.replace('@', '+tag@'), subject: 'two' })
      await app.settled()
      expect(await counts()).to.deep.equal([2, now()])
      const [, one] = await emails(id)
      await app.api('DELETE', `/emails/${one.id}`, { key })
      expect(await counts()).to.deep.equal([1, now()])
    })

    it('has the number of unread emails: received, not deleted, and not marked as read', async () => {
      const { id, address } = await created({ alias: 'unread' })
      const unread = async () => {
        const { data } = (await get(id)).body
        expect((await list()).addresses).to.deep.equal([data])
        return data.unreadCount
      }
      for (const subject of ['one', 'two', 'three']) await app.send({ to: address, subject })
      await app.api('POST', '/emails', { key, body: { fromAddressId: id, to: 'ada@example.org', subject: 'sent', body: 'sent' } })
      await app.settled()
      expect(await unread()).to.equal(3)
      const [three, two, one] = (await app.api('GET', `/emails?address_id=${id}&type=received`, { key })).body.data
      const mark = (email: { id: string }, marks: object) => app.api('PATCH', `/emails/${email.id}`, { key, body: marks })
      await mark(one, { isRead: true })
      await mark(one, { isRead: true })
      await mark(two, { isStarred: true })
      expect(await unread()).to.equal(2)
      await mark(one, { isRead: false })
      await mark(two, { isRead: true, isStarred: false })
      expect(await unread()).to.equal(2)
      await app.api('DELETE', `/emails/${three.id}`, { key })
      await app.api('DELETE', `/emails/${two.id}`, { key })
      expect(await unread()).to.equal(1)
    })

    it('Addresses: emailCount and lastEmailAt include only received mail that is not deleted', async () => {
      const { id, address } = await created({ alias: 'received-only' })
      const counts = async () => {
        const { data } = (await get(id)).body
        expect((await list()).addresses).to.deep.equal([data])
        return [data.emailCount, data.lastEmailAt]
      }
      const begun = app.app.clock.now()
      const at = (minutes: number) => new Date(begun + minutes * 60_000).toISOString()
      const removeNewest = async () => {
        const [newest] = (await app.api('GET', `/emails?address_id=${id}&type=received`, { key })).body.data
        await app.api('DELETE', `/emails/${newest.id}`, { key })
      }
      await app.api('POST', '/emails', { key, body: { fromAddressId: id, to: 'ada@example.org', subject: 'sent', body: 'sent' } })
      await app.settled()
      expect(await counts()).to.deep.equal([0, null])
      for (const subject of ['one', 'two']) {
        await app.advance({ minutes: 1 })
        await app.send({ to: address, subject })
        await app.settled()
      }
      expect(await counts()).to.deep.equal([2, at(2)])
      await removeNewest()
      expect(await counts()).to.deep.equal([1, at(1)])
      await removeNewest()
      expect(await counts()).to.deep.equal([0, null])
    })

    it('accepts an id in upper case', async () => {
      const { id } = await created({})
      expect((await get(id.toUpperCase())).body.data.id).to.equal(id)
      expect((await remove(id.toUpperCase())).body.data.id).to.equal(id)
    })

    it('answers an unknown id with 404', async () => {
      expect(await get(nowhere)).to.deep.include({
        status: 404, body: { error: 'There is no address with this id.', code: 'NOT_FOUND' },
      })
    })
  })
})
