import { expect } from 'chai'
import fc from 'fast-check'
import type { OpenAPIV3_1 } from 'openapi-types'
import { readDocument } from '../../openapi/document.ts'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { emitted } from '../support/store/events.ts'

describe('Addresses', () => {
  let app: TestApp
  /** A key of a new account for each test. */
  let key: string
  before(async () => { app = await openTestApp() })
  beforeEach(async () => { key = await app.newKey() })
  after(() => app[Symbol.asyncDispose]())

  const create = (body: Record<string, unknown> = {}, by = key) => app.api('POST', '/addresses', { body, key: by })
  const created = async (body: Record<string, unknown>): Promise<{ id: string, address: string }> => (await create(body)).body.data
  const remove = (id: string) => app.api('DELETE', `/addresses/${id}`, { key })
  const list = async (query = '') => (await app.api('GET', `/addresses${query}`, { key })).body.data
  const aliases = async (query = '') => (await list(query)).addresses.map(({ alias }: { alias: string }) => alias)
  const emails = async (addressId: string) => (await app.api('GET', `/emails?address_id=${addressId}`, { key })).body.data

  describe('an alias', () => {
    for (const alias of [
      'a', '0', 'Z', 'a.b.c', 'a-b', 'a_b', 'a--b', 'a__b', 'a-_-b', 'a_.b', 'a._b', 'a.-.b', 'a-.-b', '1.2', 'x'.repeat(100), `a${'-'.repeat(98)}b`,
    ]) {
      it(`may be ${alias.slice(0, 40)}`, async () => {
        const { status, body } = await create({ alias })
        expect(status, JSON.stringify(body)).to.equal(201)
        expect(body.data.alias).to.equal(alias.toLowerCase())
      })
    }

    for (const alias of [
      '', '.', '-', '_', '.a', 'a.', '-a', 'a-', '_a', 'a_', 'a..b', 'a_..b', 'a...b', 'x'.repeat(101), 'a b', ' a', 'a ', 'a+b', 'a@b', 'a@mail.localhost',
      'ä', '\u0430', '\uff41', '\u212a', '\u0131', '😀', '\ud800', 'a\n', '\na', 'a\0', 'a\r\nb', "a'b", 'a"b', 'a%b', 'a/b', 'a\\b', 'a,b', 'a;b', '<a>', 'a\u200bb',
    ]) {
      it(`may not be ${JSON.stringify(alias.slice(0, 40))}`, async () => {
        const { status, body } = await create({ alias })
        expect(status).to.equal(400)
        expect(body.code).to.equal('INVALID_REQUEST')
        expect(new Set(body.details.map(({ path }: { path: string }) => path))).to.deep.equal(new Set(['body.alias']))
      })
    }

    it('matches its description, for every combination of its characters', () => {
      const { properties } = readDocument().components!.schemas!['AddressCreate'] as OpenAPIV3_1.SchemaObject
      const pattern = new RegExp((properties!['alias'] as OpenAPIV3_1.SchemaObject).pattern!, 'u')
      const described = (text: string) => /^[a-z0-9._-]+$/i.test(text) && /^[a-z0-9]/i.test(text) && /[a-z0-9]$/i.test(text) && !text.includes('..')
      fc.assert(fc.property(fc.string({ unit: fc.constantFrom('a', 'Z', '0', '.', '_', '-', '+', '\n'), maxLength: 9 }), (text) => {
        expect(pattern.test(text)).to.equal(described(text))
      }), { numRuns: 5_000 })
    })
  })

  describe('a reserved alias', () => {
    const reserved: Record<string, string[]> = {
      'by mail to which certificate authorities prove control': ['admin', 'administrator', 'hostmaster', 'postmaster', 'webmaster'],
      'of RFC 2142': ['info', 'marketing', 'sales', 'support', 'abuse', 'noc', 'security', 'news', 'usenet', 'www', 'uucp', 'ftp'],
      'of certificates': ['root', 'ssladmin', 'ssladministrator', 'sslwebmaster', 'sysadmin', 'caa', 'dmarc', 'tls-rpt'],
      'of mail systems': ['mailer-daemon', 'no-reply', 'do-not-reply'],
      'of the owner account': ['owner'],
      'in another spelling': ['Admin', 'NoReply', 'ssl-admin', 'web.master', 'post_master', 'tlsrpt', 'a.d.m.i.n', 'in-fo'],
    }
    for (const [kind, names] of Object.entries(reserved)) {
      it(`${kind} is refused to every account and key`, async () => {
        for (const alias of names) {
          for (const by of [key, await app.newKey({ isTest: true })]) {
            const { status, body } = await create({ alias }, by)
            expect([status, body]).to.deep.equal([409, {
              error: `${alias.toLowerCase()}@mail.localhost is reserved for the operator of this server. `
                + 'Choose another alias, or leave it out for a random one.',
              code: 'CONFLICT',
            }])
          }
        }
      })
    }

    it('refuses no alias that only contains one', async () => {
      for (const alias of ['admin1', 'my-admin', 'infos', 'supporter', 'newsletter', 'item']) expect((await create({ alias })).status, alias).to.equal(201)
    })

    it('may be added by MAYFLY_RESERVED_ALIASES', async () => {
      await using other = await openTestApp({ env: { MAYFLY_RESERVED_ALIASES: 'Concierge, front.desk' } })
      for (const alias of ['concierge', 'CON-CIERGE', 'front.desk', 'frontdesk', 'admin']) {
        expect((await other.api('POST', '/addresses', { body: { alias } })).status, alias).to.equal(409)
      }
      expect((await create({ alias: 'concierge' })).status).to.equal(201)
    })
  })

  describe('a name', () => {
    it('is given to one of 50 concurrent requests', async () => {
      const other = await app.newKey()
      const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => create({ alias: i % 3 ? 'Popular' : 'popular' }, i % 2 ? key : other)))
      const taken = answers.filter(({ status }) => status === 409)
      expect(answers.filter(({ status }) => status === 201)).to.have.length(1)
      expect(taken).to.have.length(49)
      for (const { body } of taken) {
        expect(body).to.deep.equal({
          error: 'popular@mail.localhost is taken. Choose another alias, or leave it out for a random one.', code: 'CONFLICT',
        })
      }
      const told = (await emitted(app, 'address.created')).filter(({ data }) => (data as { address: string }).address.startsWith('popular@'))
      expect(told).to.have.length(1)
    })

    it('of a deleted address can be taken by its account at once, and by others after 30 days', async () => {
      const other = await app.newKey()
      const { id } = await created({ alias: 'gone' })
      await remove(id)
      expect((await create({ alias: 'GONE' }, other)).status).to.equal(409)
      const again = await created({ alias: 'gone' })
      expect(again.id).to.not.equal(id)
      await remove(again.id)
      await app.advance({ days: 29, hours: 23, minutes: 59, seconds: 59 })
      expect((await create({ alias: 'gone' }, other)).status).to.equal(409)
      await app.advance({ seconds: 1 })
      expect((await create({ alias: 'gone' }, other)).status).to.equal(201)
      expect((await create({ alias: 'gone' })).status).to.equal(409)
    })

    it('of an expired address can be taken by its account at once, and by others after 30 days, purged or not', async () => {
      const other = await app.newKey()
      const { id } = await created({ alias: 'over', expiresIn: 3600 })
      await app.advance({ hours: 1 })
      expect((await create({ alias: 'over' }, other)).status).to.equal(409)
      const again = await created({ alias: 'over', expiresIn: 60 })
      expect(await aliases('?status=active')).to.deep.equal(['over'])
      expect(await aliases()).to.deep.equal(['over', 'over'])
      await app.send({ to: again.address, subject: 'for the second' })
      await app.settled()
      expect((await emails(again.id)).map(({ subject }: { subject: string }) => subject)).to.deep.equal(['for the second'])
      expect(await emails(id)).to.deep.equal([])

      await app.advance({ days: 29, hours: 23 })
      expect(await aliases()).to.deep.equal([])
      expect((await create({ alias: 'over' }, other)).status).to.equal(409)
      await app.advance({ hours: 1, minutes: 1 })
      expect((await create({ alias: 'over' }, other)).status).to.equal(201)
      expect((await create({ alias: 'over' })).status).to.equal(409)
    })

    it('of an expired address is free at the same time, also when the address is deleted later', async () => {
      const other = await app.newKey()
      const { id } = await created({ alias: 'late', expiresIn: 60 })
      await app.advance({ days: 5 })
      await remove(id)
      await app.advance({ days: 25, minutes: 1 })
      expect((await create({ alias: 'late' }, other)).status).to.equal(201)
    })

    it('that is taken again stays taken when the expired address with it is deleted or purged', async () => {
      const other = await app.newKey()
      const { id } = await created({ alias: 'held', expiresIn: 60 })
      await created({ alias: 'purged', expiresIn: 60 })
      await app.advance({ minutes: 1 })
      await created({ alias: 'held' })
      await created({ alias: 'purged' })
      await remove(id)
      await app.advance({ days: 8 })
      expect(await aliases()).to.deep.equal(['purged', 'held'])
      for (const alias of ['held', 'purged']) expect((await create({ alias }, other)).status).to.equal(409)
    })
  })
})
