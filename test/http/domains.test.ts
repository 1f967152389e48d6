import { expect } from 'chai'
import { mxHost, openDomainsWorld } from '../support/domains.ts'
import type { DomainsWorld } from '../support/domains.ts'
import { createAccount } from '../support/store/accounts.ts'
import { rowsOf } from '../support/store/rows.ts'

const nowhere = '019c0000-0000-7000-8000-000000000000'
const noDomain = { error: 'There is no domain with this id.', code: 'NOT_FOUND' }

describe('Custom domains', () => {
  let world: DomainsWorld
  /** The API as a new account for each test. */
  let key: string
  before(async () => { world = await openDomainsWorld() })
  beforeEach(async () => { key = await world.app.newKey() })
  after(() => world[Symbol.asyncDispose]())

  const create = (domain: unknown, by = key) => world.app.api('POST', '/domains', { key: by, body: { domain } })
  const remove = (id: string, by = key) => world.app.api('DELETE', `/domains/${id}`, { key: by })
  const names = async (by = key) =>
    (await world.app.api('GET', '/domains', { key: by })).body.data.map(({ domain }: { domain: string }) => domain)
  const address = (body: Record<string, unknown>, by = key) => world.app.api('POST', '/addresses', { key: by, body })

  describe('create', () => {
    it('returns the records to set, and a list without them', async () => {
      const { status, body } = await create('QA.Example.com')
      expect(status).to.equal(201)
      const { dnsRecords, ...domain } = body.data
      expect(domain).to.deep.equal({ id: domain.id, domain: 'qa.example.com', status: 'pending', createdAt: '2026-03-14T09:00:00.000Z', catchAllId: null })
      expect(dnsRecords).to.deep.equal({
        mx: { type: 'MX', host: 'qa.example.com', value: mxHost, priority: 10 },
        txt: { type: 'TXT', host: 'qa.example.com', value: dnsRecords.txt.value },
      })
      expect(dnsRecords.txt.value).to.match(/^mayfly-verify=[0-9a-f]{32}$/)
      expect((await world.app.api('GET', '/domains', { key })).body).to.deep.equal({ data: [domain] })
    })

    it('generates a separate token for each account and domain', async () => {
      const other = await world.app.newKey()
      const made = await Promise.all([create('one.example'), create('two.example'), create('one.example', other)])
      expect(new Set(made.map(({ body }) => body.data.dnsRecords.txt.value)).size).to.equal(3)
    })

    for (const [written, name] of [
      ['qa.test', 'qa.test'], ['A-1.Example', 'a-1.example'], ['example.co.uk', 'example.co.uk'], ['team.github.io', 'team.github.io'],
      ['äpfel.example', 'xn--pfel-koa.example'], ['ÄPFEL.Example', 'xn--pfel-koa.example'], ['XN--PFEL-KOA.example', 'xn--pfel-koa.example'],
      ['straße.example', 'xn--strae-oqa.example'], ['почта.рф', 'xn--80a1acny.xn--p1ai'], ['com.localhost', 'com.localhost'],
      ['in.mayfly.example.org', 'in.mayfly.example.org'], ['notin.mayfly.example', 'notin.mayfly.example'],
      [`${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(56)}.test`, `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(56)}.test`],
    ] as const) {
      it(`stores ${written.slice(0, 40)} as ${name.slice(0, 40)}`, async () => {
        const { status, body } = await create(written)
        expect(status, JSON.stringify(body)).to.equal(201)
        expect(body.data.domain).to.equal(name)
        expect((await create(name)).status).to.equal(409)
      })
    }

    const notOne = 'must be a domain such as qa.example.com'
    const own = 'belongs to this server. Leave the domain of an address out to have it there'
    const isSuffix = (name: string) => `is a public suffix, which many organizations share. Add your own domain, such as example.${name}`
    for (const [name, message] of [
      ['co.uk', isSuffix('co.uk')], ['GitHub.io', isSuffix('github.io')], ['anything.ck', isSuffix('anything.ck')], ['公司.cn', isSuffix('xn--55qx5d.cn')],
      ['127.1.0x7f', notOne], ['-a.example', notOne], ['a-.example', notOne], ['ex\u212aample.com', notOne], ['１２.example', notOne],
      ['example.123', notOne], ['a\u200bb.example', notOne], ['a。b.example', notOne], ['xn--a.xn--a-.test', notOne],
      ['in.mayfly.example', own], ['IN.mayfly.example', own], ['deep.in.mayfly.example', own], ['mayfly.example', own], [mxHost, own],
    ] as const) {
      it(`refuses ${JSON.stringify(name)}`, async () => {
        const { status, body } = await create(name)
        expect(status, JSON.stringify(body)).to.equal(400)
        expect(body).to.deep.equal({
          error: `body.domain: ${message}.`, code: 'INVALID_REQUEST', details: [{ path: 'body.domain', message }],
        })
      })
    }

    for (const name of [
      '', '192.0.2.1', 'localhost', 'example.', '.example', 'example.c', 'qa.example.com.', 'a..example', 'a b.example', 'a_b.example', 'a@example.com',
      'https://example.com', '*.example.com', '[192.0.2.1]', '::1', 'a.example\n', 'a.example\0', `${'a'.repeat(64)}.example`, `${'a.'.repeat(126)}test`, 7, null,
    ]) {
      it(`refuses ${JSON.stringify(name).slice(0, 40)} by the document`, async () => {
        const { status, body } = await create(name)
        expect(status).to.equal(400)
        expect(body.details.map(({ path }: { path: string }) => path)).to.include('body.domain')
      })
    }

    it('refuses a domain that the account has already, or that another account has verified', async () => {
      const { domain } = await world.hold('held.example', key)
      const inUse = { error: 'held.example is in use already.', code: 'CONFLICT' }
      const other = await world.app.newKey()
      for (const by of [key, other]) {
        const { status, body } = await create(domain.toUpperCase(), by)
        expect({ status, body }).to.deep.equal({ status: 409, body: inUse })
      }
      expect(await names(other)).to.deep.equal([])
      expect((await create('pending.example')).status).to.equal(201)
      expect((await create('pending.example')).status).to.equal(409)
      expect((await create('pending.example', other)).status).to.equal(201)
    })

    it('creates one domain of concurrent requests', async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => create('once.example')))
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([201, ...Array<number>(19).fill(409)])
      expect(await names()).to.deep.equal(['once.example'])
    })
  })

  it('are listed newest first', async () => {
    for (const name of ['a.example', 'b.example', 'c.example']) await create(name)
    expect(await names()).to.deep.equal(['c.example', 'b.example', 'a.example'])
  })

  it('have the scopes domains:read and domains:manage', async () => {
    const reader = await world.app.newKey({ scopes: ['domains:read'] })
    const manager = await world.app.newKey({ scopes: ['domains:manage'] })
    expect((await world.app.api('GET', '/domains', { key: reader })).status).to.equal(200)
    expect((await world.app.api('GET', '/domains', { key: manager })).status).to.equal(403)
    expect((await create('scoped.example', reader)).status).to.equal(403)
    expect((await create('scoped.example', manager)).status).to.equal(201)
  })

  it('are answered 404 with a key of another account or of the other mode', async () => {
    const { id: account } = await createAccount(world.app, 'domain-modes@example.org')
    const [live, test] = [await world.app.newKey({ account }), await world.app.newKey({ account, isTest: true })]
    const { id } = await world.hold('mine.example', live)
    for (const by of [test, key]) {
      expect(await names(by)).to.deep.equal([])
      expect(await remove(id, by)).to.deep.include({ status: 404, body: noDomain })
      expect(await world.verify(id, by)).to.deep.include({ status: 404, body: noDomain })
      expect((await address({ domain: 'mine.example' }, by)).body.code).to.equal('NOT_VERIFIED')
    }
    const waiting = await world.add('both.example', test)
    const taken = await world.hold('both.example', live)
    expect(await world.verify(waiting.id, test)).to.deep.include({ status: 409 })
    expect([await world.statusOf(waiting.id, test), await world.statusOf(taken.id, live)]).to.deep.equal(['pending', 'verified'])
    expect((await address({ alias: 'a', domain: 'both.example' }, live)).status).to.equal(201)
  })

  it('that do not exist are answered with 404', async () => {
    expect(await remove(nowhere)).to.deep.include({ status: 404, body: noDomain })
    expect(await world.verify(nowhere, key)).to.deep.include({ status: 404, body: noDomain })
  })

  describe('an address at a custom domain', () => {
    it('is issued once the domain is verified, in any case and form of the name', async () => {
      const { id, domain } = await world.add('öl.example', key)
      const { status, body } = await address({ alias: 'early', domain: 'Öl.example' })
      expect({ status, body }).to.deep.equal({ status: 409, body: {
        error: 'body.domain: Öl.example is not a verified domain of this account. Leave it out for an address at in.mayfly.example.',
        code: 'NOT_VERIFIED',
      } })
      world.point({ id, domain, txt: await tokenOf(id) })
      await world.verify(id, key)
      for (const [alias, written] of [['one', 'öl.example'], ['two', 'ÖL.EXAMPLE'], ['three', 'XN--L-0GA.example']] as const) {
        expect((await address({ alias, domain: written })).body.data.address).to.equal(`${alias}@xn--l-0ga.example`)
      }
    })

    it('receives mail over SMTP, also with a tag, and may have the alias of an address at the default domain', async () => {
      await world.hold('receives.example', key)
      const custom = (await address({ alias: 'box', domain: 'receives.example' })).body.data
      const plain = (await address({ alias: 'box' })).body.data
      await world.app.send({ to: 'Box+tag@Receives.Example', subject: 'custom' })
      await world.app.send({ to: plain.address, subject: 'default' })
      await world.app.settled()
      const mails = async ({ id }: { id: string }) => (await world.app.api('GET', `/emails?address_id=${id}`, { key })).body.data
        .map(({ to, subject }: { to: string, subject: string }) => [to, subject])
      expect(await mails(custom)).to.deep.equal([['box+tag@receives.example', 'custom']])
      expect(await mails(plain)).to.deep.equal([['box@in.mayfly.example', 'default']])
      await world.offer('nobody@receives.example', 550)
    })

    it('may have an alias that is reserved at the default domain', async () => {
      await world.hold('roles.example', key)
      for (const alias of ['postmaster', 'abuse', 'admin', 'webmaster', 'security', 'NoReply']) {
        const refused = await address({ alias })
        expect(refused.status).to.equal(409)
        expect(refused.body.error).to.match(/@in\.mayfly\.example is reserved for the operator of this server\. /)
        expect((await address({ alias, domain: 'roles.example' })).status).to.equal(201)
      }
    })

    it('can be taken once', async () => {
      await world.hold('taken.example', key)
      const answers = await Promise.all(Array.from({ length: 20 }, () => address({ alias: 'one', domain: 'taken.example' })))
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([201, ...Array<number>(19).fill(409)])
    })

    const tokenOf = async (id: string) => {
      const added = (await rowsOf(world.app, 'domains')).find((row) => row.id === id)
      return `mayfly-verify=${added?.token}`
    }
  })

  describe('Domain, any: DELETE domain → removed', () => {
    it('its addresses neither receive nor send mail any more, also when the domain is added again', async () => {
      const { id } = await world.hold('gone.example', key)
      const box = (await address({ alias: 'box', domain: 'gone.example' })).body.data
      const send = () => world.app.api('POST', '/emails', {
        key, body: { fromAddressId: box.id, to: 'ada@example.org', subject: 's', body: 'b' },
      })
      await world.offer(box.address, 250)
      expect((await send()).status).to.equal(202)
      const { status, body } = await remove(id)
      expect({ status, body }).to.deep.equal({ status: 200, body: { message: 'The domain is deleted.' } })
      const isOver = async () => {
        await world.offer(box.address, 550)
        expect((await send()).body).to.have.property('code', 'NOT_VERIFIED')
      }
      await isOver()
      expect(await names()).to.deep.equal([])
      expect((await remove(id)).status).to.equal(404)

      await world.hold('gone.example', key)
      await isOver()
      const again = (await address({ alias: 'box', domain: 'gone.example' })).body.data
      expect(again.address).to.equal(box.address)
      await world.app.send({ to: box.address, subject: 'for the second' })
      await world.app.settled()
      const emailsOf = async (address: string) => (await world.app.api('GET', `/emails?address_id=${address}&type=received`, { key })).body.total
      expect([await emailsOf(box.id), await emailsOf(again.id)]).to.deep.equal([0, 1])
    })

    it('an account that verifies it later gets no earlier mail, and all later mail', async () => {
      const first = await world.hold('passed-on.example', key)
      const before = (await address({ alias: 'box', domain: 'passed-on.example' })).body.data
      await world.app.send({ to: before.address, subject: 'for the first' })
      await remove(first.id)

      const other = await world.app.newKey()
      await world.hold('passed-on.example', other)
      expect((await world.app.api('GET', '/addresses', { key: other })).body.data.total).to.equal(0)
      await world.offer(before.address, 550)
      const after = (await address({ alias: 'box', domain: 'passed-on.example' }, other)).body.data
      expect(after.address).to.equal(before.address)
      await world.app.send({ to: before.address, subject: 'for the second' })
      await world.app.settled()
      const subjects = async (by: string) => (await world.app.api('GET', '/emails', { key: by })).body.data.map(({ subject }: { subject: string }) => subject)
      expect([await subjects(key), await subjects(other)]).to.deep.equal([['for the first'], ['for the second']])
    })

    it('the domain is not checked any more', async () => {
      const { id, domain } = await world.add('unasked.example', key)
      await remove(id)
      const asked = world.dns.questions.filter(({ name }) => name === domain).length
      expect(asked).to.equal(2)
      await world.app.advance({ days: 3 })
      expect(world.dns.questions.filter(({ name }) => name === domain)).to.have.length(asked)
      expect((await rowsOf(world.app, 'jobs')).filter(({ lane }) => lane === id)).to.deep.equal([])
    })
  })
})
