import { expect } from 'chai'
import { openTestApp } from '../support/app.ts'
import { shareAdminWorld } from '../support/administration.ts'
import type { AdminWorld } from '../support/administration.ts'
import { newToken, signIn, useToken } from '../support/sessions.ts'
import { createAccount, storeAccount } from '../support/store/accounts.ts'
import { countRows, rowsOf } from '../support/store/rows.ts'

const unknownId = '019c0000-0000-7000-8000-000000000000'

describe('Administration: accounts', () => {
  const newWorld = shareAdminWorld()
  let world: AdminWorld
  let api: AdminWorld['admin']['api']
  beforeEach(async () => {
    world = await newWorld()
    api = world.admin.api
  })

  /** The beginning of email addresses that no other test has. */
  const newName = () => `n${world.app.app.db.newId()}`
  const emailsOf = async (query: Record<string, string>) =>
    (await api('GET', `/admin/accounts?${new URLSearchParams(query)}`)).body.data.map(({ email }: { email: string }) => email)
  /** The last change in the audit log of the administrator. */
  const lastChange = async () => (await api('GET', '/audit-logs')).body.data.find(({ method }: { method: string }) => method !== 'GET')

  it('are listed with their plans, their active addresses and the bytes of their mail, in both modes', async () => {
    const { app, accountOf } = world
    const { email, id, createdAt } = await createAccount(app, `${newName()}@example.org`, 'business')
    const [live, test] = [await app.newKey({ account: id }), await app.newKey({ account: id, isTest: true })]
    const { data: address } = (await app.api('POST', '/addresses', { key: live, body: {} })).body
    await app.api('POST', '/addresses', { key: test, body: {} })
    const { data: removed } = (await app.api('POST', '/addresses', { key: live, body: {} })).body
    await app.api('DELETE', `/addresses/${removed.id}`, { key: live })
    await app.send({ to: address.address, subject: 'Hello', text: 'Hello' })
    await app.settled()
    const [{ id: emailId }] = (await app.api('GET', '/emails', { key: live })).body.data
    const { size } = (await app.api('GET', `/emails/${emailId}`, { key: live })).body.data
    const expected = { id, email, plan: 'business', isAdmin: false, createdAt, activeAddresses: 2, storedBytes: size }
    expect(await accountOf(email)).to.deep.equal(expected)
    const inTestMode = await api('GET', `/admin/accounts?search=${email}`, { headers: { 'x-mayfly-mode': 'test' } })
    expect(inTestMode.body).to.deep.equal({ data: [expected], hasMore: false })
  })

  it('are listed newest first, in pages', async () => {
    const name = newName()
    const created = []
    for (let i = 0; i < 5; i++) created.unshift((await createAccount(world.app, `${name}.${i}@example.org`)).email)
    const pages: string[][] = []
    for (let query = `search=${name}&limit=2`; ;) {
      const { data, hasMore } = (await api('GET', `/admin/accounts?${query}`)).body
      pages.push(data.map(({ email }: { email: string }) => email))
      if (!hasMore) break
      query = `search=${name}&limit=2&before=${data.at(-1).id.toUpperCase()}`
    }
    expect(pages).to.deep.equal([created.slice(0, 2), created.slice(2, 4), created.slice(4)])
    expect((await emailsOf({ limit: '3' }))).to.deep.equal(created.slice(0, 3))
    expect((await api('GET', '/admin/accounts')).body.data.length).to.be.within(5, 20)
  })

  it('are found by a part of the email address, in any case, in which no character is a pattern', async () => {
    const name = newName()
    const emails = ['100%off', '100xoff', 'a_b', 'axb', 'back\\slash', 'backslash'].map((local) => `${name}.${local}@example.org`)
    for (const email of emails) await storeAccount(world.app, email)
    const found = async (search: string) => (await emailsOf({ search: `${name}.${search}` })).map((email: string) => email.split('.')[1]!.split('@')[0])
    expect(await found('100%OFF')).to.deep.equal(['100%off'])
    expect(await found('A_B')).to.deep.equal(['a_b'])
    expect(await found('back\\s')).to.deep.equal(['back\\slash'])
    expect(await found('%')).to.deep.equal([])
    expect(await found('_')).to.deep.equal([])
    expect(await emailsOf({ search: `${name.toUpperCase()}.AXB@EXAMPLE` })).to.deep.equal([emails[3]])
    expect(await emailsOf({ search: `${name}.axb@example.org.`, limit: '1' })).to.deep.equal([])
  })

  it('show which of them administrate the server', async () => {
    const name = newName()
    const { email } = await createAccount(world.app, `${name}@example.org`)
    expect([(await world.accountOf(email)).isAdmin, (await world.accountOf('root@example.com')).isAdmin]).to.deep.equal([false, true])
    await using other = await openTestApp()
    const [first] = await rowsOf(other, 'accounts')
    const session = await signIn(other, { email: first!.email })
    const { data } = (await session.api('GET', '/admin/accounts')).body
    expect(data.map(({ isAdmin }: { isAdmin: boolean }) => isAdmin)).to.deep.equal([true])
  })

  it('are created without a mail, and recorded for the administrator', async () => {
    const [name, deliveries] = [newName(), await countRows(world.app, 'deliveries')]
    const { status, body } = await api('POST', '/admin/accounts', { body: { email: ` Grace <${name.toUpperCase()}@Example.org> `, plan: 'pro' } })
    const email = `${name}@example.org`
    const createdAt = new Date(world.app.app.clock.now()).toISOString()
    expect([status, body.data]).to.deep.equal([201, {
      id: body.data.id, email, plan: 'pro', isAdmin: false, createdAt, activeAddresses: 0, storedBytes: 0,
    }])
    expect(await world.accountOf(email)).to.deep.equal(body.data)
    expect(await lastChange()).to.include({
      action: 'accounts.create', status: 201, resourceId: body.data.id, apiKeyId: null, sessionId: world.admin.session.id,
    })
    await world.app.settled()
    expect(await countRows(world.app, 'deliveries')).to.equal(deliveries)
    expect((await useToken(world.app, await newToken(world.app, email))).status).to.equal(201)
  })

  it('are not created for an email address that has one, or for text that is not one address', async () => {
    const { email } = await createAccount(world.app, `${newName()}@example.org`, 'free')
    const taken = await api('POST', '/admin/accounts', { body: { email: email.toUpperCase(), plan: 'business' } })
    expect([taken.status, taken.body]).to.deep.equal([409, { error: `${email} has an account already.`, code: 'CONFLICT' }])
    expect((await world.accountOf(email)).plan).to.equal('free')
    for (const wrong of ['grace', 'a@b.org, c@d.org', '@example.org', `${'x'.repeat(101)}@example.org`]) {
      const { status, body } = await api('POST', '/admin/accounts', { body: { email: wrong, plan: 'free' } })
      expect([status, body.details?.[0].path], wrong).to.deep.equal([400, 'body.email'])
    }
    const long = await api('POST', '/admin/accounts', { body: { email: `${'a'.repeat(60)}@${`${'ü'.repeat(45)}.`.repeat(4)}org`, plan: 'free' } })
    expect([long.status, long.body.details]).to.deep.equal([400, [
      { path: 'body.email', message: 'must have at most 254 characters, its domain as A-labels' },
    ]])
  })

  it('are created once for repeated requests with an Idempotency-Key', async () => {
    const body = { email: `${newName()}@example.org`, plan: 'free' }
    const headers = { 'idempotency-key': newName() }
    const [first, second] = [await api('POST', '/admin/accounts', { body, headers }), await api('POST', '/admin/accounts', { body, headers })]
    expect([second.status, second.body, second.headers.get('idempotency-replayed')]).to.deep.equal([201, first.body, 'true'])
    const other = await api('POST', '/admin/accounts', { body: { ...body, plan: 'pro' }, headers })
    expect([other.status, other.body.code]).to.deep.equal([409, 'CONFLICT'])
  })

  it('have another plan at once: keys of the account are refused without the Business plan', async () => {
    const { app, accountOf } = world
    const { email, id } = await createAccount(app, `${newName()}@example.org`, 'business')
    const key = await app.newKey({ account: id })
    const codes = []
    for (const plan of ['business', 'free', 'business', 'pro'] as const) {
      const { status, body } = await api('PATCH', `/admin/accounts/${id}`, { body: { plan } })
      expect([status, body.data]).to.deep.equal([200, await accountOf(email)])
      expect(body.data.plan).to.equal(plan)
      codes.push((await app.api('GET', '/addresses', { key })).body.code)
    }
    expect(codes).to.deep.equal([undefined, 'PLAN_REQUIRED', undefined, 'PLAN_REQUIRED'])
    expect(await lastChange()).to.include({ action: 'accounts.update', resourceId: id })
    expect((await app.api('GET', '/addresses')).status).to.equal(200)
  })

  it('are deleted with their keys and sessions, and leave other accounts as they are', async () => {
    const { app } = world
    const { email, id } = await createAccount(app, `${newName()}@example.org`)
    const [key, session, other] = [await app.newKey({ account: id }), await signIn(app, { email }), await signIn(app)]
    const { data: address } = (await app.api('POST', '/addresses', { key, body: {} })).body
    const kept = await app.newAddress()
    const { status, body } = await api('DELETE', `/admin/accounts/${id}`)
    expect([status, body]).to.deep.equal([200, { message: 'The account is deleted. Its data are being removed.' }])
    const statuses = [await app.api('GET', '/addresses', { key }), await session.api('GET', '/account')].map((answer) => answer.status)
    expect(statuses).to.deep.equal([401, 401])
    expect(await world.accountOf(email)).to.equal(undefined)
    expect(await lastChange()).to.include({ action: 'accounts.delete', resourceId: id, status: 200 })
    for (const [method, change] of [['DELETE', {}], ['PATCH', { body: { plan: 'free' } }]] as const) {
      const again = await api(method, `/admin/accounts/${id}`, change)
      expect([again.status, again.body]).to.deep.equal([404, { error: 'There is no account with this id.', code: 'NOT_FOUND' }])
    }
    await app.settled()
    const rows = [...await rowsOf(app, 'accounts'), ...await rowsOf(app, 'addresses')].map((row) => row.id)
    expect(rows).to.include.members([(await world.accountOf(other.email)).id, kept.id])
    expect(rows.filter((row) => row === id || row === address.id)).to.deep.equal([])
    expect([(await other.api('GET', '/account')).status, (await app.api('GET', '/addresses')).body.data.total]).to.deep.equal([200, 1])
    expect((await api('POST', '/admin/accounts', { body: { email, plan: 'free' } })).status).to.equal(201)
  })

  it('are not deleted by their own administrator, but by another one, even the first account', async () => {
    const { id: own } = (await api('GET', '/account')).body.data
    const refused = await api('DELETE', `/admin/accounts/${own.toUpperCase()}`)
    expect([refused.status, refused.body]).to.deep.equal([409, {
      error: 'This is the account that you are signed in with. Another administrator can delete it.', code: 'CONFLICT',
    }])
    await using app = await openTestApp({ env: { MAYFLY_ADMINS: 'root@example.com' } })
    const [first] = await rowsOf(app, 'accounts')
    const owner = await signIn(app, { email: first!.email })
    await createAccount(app, 'root@example.com')
    const root = await signIn(app, { email: 'root@example.com' })
    expect((await root.api('DELETE', `/admin/accounts/${first!.id}`)).status).to.equal(200)
    expect((await owner.api('GET', '/admin/accounts')).status).to.equal(401)
    const { body } = await root.api('POST', '/admin/accounts', { body: { email: first!.email, plan: 'business' } })
    expect(body.data.isAdmin).to.equal(false)
  })

})

describe('Administration: permission', () => {
  const operations = [
    ['GET', '/admin/accounts'], ['POST', '/admin/accounts', { email: 'grace@example.com', plan: 'free' }],
    ['PATCH', `/admin/accounts/${unknownId}`, { plan: 'pro' }], ['DELETE', `/admin/accounts/${unknownId}`],
    ['GET', '/admin/captured-emails'], ['GET', `/admin/captured-emails/${unknownId}`],
  ] as const

  const newWorld = shareAdminWorld()

  for (const plan of ['free', 'business'] as const) {
    it(`is refused to other accounts of the ${plan} plan`, async () => {
      const { app } = await newWorld()
      const { api, email } = await signIn(app, { plan })
      const accounts = await rowsOf(app, 'accounts')
      for (const [method, path, body] of operations) {
        const answer = await api(method, path, { body })
        expect([answer.status, answer.body], `${method} ${path}`).to.deep.equal([403, {
          error: 'This is for administrators of the server. The variable MAYFLY_ADMINS names their addresses.', code: 'MISSING_SCOPE',
        }])
      }
      expect(await rowsOf(app, 'accounts')).to.deep.equal(accounts)
      const { data } = (await api('GET', '/audit-logs?limit=10')).body
      expect(data.filter(({ status }: { status: number }) => status === 403)).to.have.length(operations.length)
      expect((await signIn(app, { email })).email).to.equal(email)
    })
  }

  it('is refused to API keys of an administrator', async () => {
    const { app, admin } = await newWorld()
    const { id } = (await admin.api('GET', '/account')).body.data
    await admin.api('PATCH', `/admin/accounts/${id}`, { body: { plan: 'business' } })
    const key = await app.newKey({ account: id })
    for (const [method, path, body] of operations) expect((await app.api(method, path, { key, body })).status, `${method} ${path}`).to.equal(401)
    await admin.api('PATCH', `/admin/accounts/${id}`, { body: { plan: 'free' } })
  })

  it('ends with MAYFLY_ADMINS, for repeated requests too', async () => {
    await using before = await openTestApp({ env: { MAYFLY_ADMINS: 'root@example.com' } })
    await createAccount(before, 'root@example.com')
    const [session, headers] = [await signIn(before, { email: 'root@example.com' }), { 'idempotency-key': 'once' }]
    const body = { email: 'grace@example.com', plan: 'free' }
    expect((await session.api('POST', '/admin/accounts', { body, headers })).status).to.equal(201)
    before.app.config.admins.length = 0 // as a restart without the variable
    const repeated = await session.api('POST', '/admin/accounts', { body, headers })
    expect([repeated.status, repeated.body.code]).to.deep.equal([403, 'MISSING_SCOPE'])
  })
})
