import { expect } from 'chai'
import type { AuditLog } from '../../server/contract/types.gen.ts'
import { bearer, exampleRequest, operations, unknownId } from '../contract/requests.ts'
import { openTestApp, shareTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { rawRequest } from '../support/raw-request.ts'
import { signIn } from '../support/sessions.ts'
import { createAccount, ownerOf, removeAccounts } from '../support/store/accounts.ts'
import { addAuditRows, tamperWithAuditLogs } from '../support/store/audit-logs.ts'
import { watchRows } from '../support/store/commits.ts'
import { refuseChanges } from '../support/store/faults.ts'
import { countRows, rowsOf } from '../support/store/rows.ts'

describe('Audit log', () => {
  let app: TestApp
  const newAccount = shareTestApp()
  beforeEach(async () => { app = await newAccount() })

  const list = async (query = '', key = app.key): Promise<{ data: AuditLog[], total: number, limit: number, offset: number }> =>
    (await app.api('GET', `/audit-logs${query}`, { key })).body

  it('shows the calls before it, newest first, in the order in which they ended', async () => {
    const { id } = await app.newAddress({ alias: 'audited' })
    await app.api('GET', `/addresses/${id}`, { headers: { 'user-agent': 'auditor/1.0' } })
    await app.api('DELETE', `/addresses/${id}`)
    const page = await list()
    expect(page).to.include({ total: 3, limit: 20, offset: 0 })
    expect(page.data.map(({ action, status, resourceId }) => [action, status, resourceId])).to.deep.equal([
      ['addresses.delete', 200, id], ['addresses.get', 200, id], ['addresses.create', 201, id],
    ])
    const { apiKeyId } = await ownerOf(app)
    const { id: rowId, ...row } = page.data[1]!
    expect(rowId).to.match(/^[0-9a-f-]{36}$/)
    expect(row).to.deep.equal({
      action: 'addresses.get', method: 'GET', path: `/api/v1/addresses/${id}`, status: 200, resourceId: id, apiKeyId, sessionId: null, member: null,
      ipAddress: '127.0.0.1', userAgent: 'auditor/1.0', createdAt: '2026-03-14T09:00:00.000Z', count: 1,
    })
    expect((await list()).data[0]).to.include({ action: 'auditLogs.list', status: 200, resourceId: null })
  })

  it('names the address whose mail was requested', async () => {
    const { id } = await app.newAddress()
    await app.api('GET', `/emails/wait?address_id=${id.toUpperCase()}&timeout=0`)
    await app.api('GET', `/emails/wait?address_id=${unknownId}`)
    await app.api('GET', '/emails/wait?timeout=0')
    await app.api('GET', `/emails/wait?addressId=${id}&timeout=0`)
    await app.api('GET', `/emails?addressId=${id}`)
    await app.api('GET', '/emails?address_id=nonsense')
    expect((await list('?limit=6')).data.map(({ action, status, resourceId }) => [action, status, resourceId])).to.deep.equal([
      ['emails.list', 400, null], ['emails.list', 200, id], ['emails.wait', 204, id],
      ['emails.wait', 204, null], ['emails.wait', 404, unknownId], ['emails.wait', 204, id],
    ])
  })

  it('Audit logs: hasMore is true when records follow after a page', async () => {
    for (let i = 0; i < 3; i++) await app.api('GET', `/addresses/${unknownId}`)
    const [newest] = (await list('?limit=1')).data
    const { data, ...page } = await list(`?limit=2&before=${newest!.id}`)
    expect(page).to.include({ limit: 2, offset: 0, hasMore: false })
    expect(data).to.have.length(2)
    expect(await list('?limit=1')).to.include({ hasMore: true })
    expect(await list('?limit=100')).to.include({ hasMore: false })
  })

  it('is filtered by action, change, result and time, in pages', async () => {
    const { id } = await app.newAddress()
    await app.advance({ minutes: 1 })
    await app.api('GET', '/addresses')
    await app.api('GET', `/addresses/${unknownId}`)
    await app.api('DELETE', `/addresses/${id}`)
    const actions = async (query: string) => {
      const { data, total } = await list(query)
      expect(total, query).to.equal(data.length)
      return data.map(({ action }) => action)
    }
    expect(await actions('?isChange=true')).to.deep.equal(['addresses.delete', 'addresses.create'])
    expect(await actions('?action=addresses.get')).to.deep.equal(['addresses.get'])
    expect(await actions('?action=addresses&isChange=false')).to.deep.equal(['addresses.get', 'addresses.list'])
    expect(await actions('?action=address')).to.deep.equal([])
    expect(await actions('?result=refused')).to.deep.equal(['addresses.get'])
    expect(await actions(`?resourceId=addr_${id}`)).to.deep.equal(['addresses.delete', 'addresses.create'])
    expect(await actions('?result=failed')).to.deep.equal([])
    expect(await actions('?action=addresses&until=2026-03-14T09:01:00.000Z')).to.deep.equal(['addresses.create'])
    expect(await actions('?action=addresses&since=2026-03-14T09:01:00.000Z&result=succeeded')).to.deep.equal(['addresses.delete', 'addresses.list'])
    expect(await actions('?action=addresses&caller=session')).to.deep.equal([])
    expect(await actions(`?action=addresses.create&caller=${(await ownerOf(app)).apiKeyId.toUpperCase()}`)).to.deep.equal(['addresses.create'])
    const first = await list('?action=addresses&limit=2')
    expect([first.data.length, first.total]).to.deep.equal([2, 4])
    const second = await list(`?action=addresses&limit=2&before=${first.data[1]!.id}`)
    expect(second).to.include({ total: 4, hasMore: false })
    expect((await list('?action=addresses&limit=2&offset=2')).data).to.deep.equal(second.data)
    expect((await app.api('GET', '/audit-logs?result=other')).status).to.equal(400)
  })

  it('has one record for the reads of a session in a minute, and one for each of its changes', async () => {
    const { api } = await signIn(app, { plan: 'business' })
    for (let i = 0; i < 3; i++) await api('GET', '/addresses')
    await api('POST', '/addresses')
    await api('POST', '/addresses')
    const records = async () => ((await api('GET', '/audit-logs')).body.data as AuditLog[]).map(({ action, count }) => [action, count])
    expect(await records()).to.deep.equal([['addresses.create', 1], ['addresses.create', 1], ['sessions.create', 1]])
    await app.advance({ minutes: 1 })
    expect(await records()).to.deep.include(['addresses.list', 3])
  })

  it('finds the only one of its kind behind thousands of others', async () => {
    await addAuditRows(app, 3_000)
    expect((await list('?action=none')).data).to.deep.equal([])
    await app.newAddress()
    await addAuditRows(app, 2_500)
    expect(await list('?action=addresses')).to.deep.include({ total: 1, hasMore: false })
  })

  it('has pages of 1 to 100', async () => {
    for (let i = 0; i < 25; i++) await app.api('GET', `/addresses/${unknownId}`)
    const all = await list('?limit=100')
    expect(all.data).to.have.length(25)
    const first = await list()
    expect(first).to.include({ total: 26, limit: 20, offset: 0 })
    expect(first.data).to.have.length(20)
    expect((await list('?limit=3&offset=24')).data.map(({ id }) => id)).to.deep.equal(all.data.slice(-3).map(({ id }) => id).slice(0, 3))
    for (const query of ['?limit=0', '?limit=101', '?offset=-1', '?days=1']) expect((await app.api('GET', `/audit-logs${query}`)).status).to.equal(400)
    expect((await app.api('GET', '/audit-logs', { key: await app.newKey({ scopes: ['emails:read'] }) })).status).to.equal(403)
  })

  it('shows nothing of other accounts and of the other mode', async () => {
    const { id: account } = await createAccount(app, 'both-audited@example.org')
    const [live, test] = [await app.newKey({ account }), await app.newKey({ account, isTest: true })]
    await app.api('POST', '/addresses', { key: test, body: {} })
    expect((await list('', test)).data.map(({ action }) => action)).to.deep.equal(['addresses.create'])
    for (const key of [live, app.key]) expect(await list('', key)).to.deep.include({ data: [], total: 0 })
  })

  it('also has refused calls, except calls without a valid key', async () => {
    await using app = await openTestApp({ env: { MAYFLY_RATE_LIMIT: '6' } })
    const reader = await app.newKey({ scopes: ['analytics:read'] })
    await app.newAddress({ alias: 'taken' })
    expect((await app.api('POST', '/addresses', { body: { alias: 'taken' } })).status).to.equal(409)
    expect((await app.api('DELETE', `/emails/${unknownId}`)).status).to.equal(404)
    expect((await app.api('GET', '/addresses', { key: 'svc_live_wrong' })).status).to.equal(401)
    expect((await app.api('GET', '/addresses', { key: reader })).status).to.equal(403)
    for (let i = 0; i < 4; i++) await app.api('GET', '/addresses')
    await app.advance({ minutes: 1 })
    const rows = (await app.api('GET', '/audit-logs')).body.data as AuditLog[]
    expect(rows.map(({ action, status }) => [action, status])).to.deep.equal([
      ['addresses.list', 429], ['addresses.list', 200], ['addresses.list', 200], ['addresses.list', 200],
      ['emails.delete', 404], ['addresses.create', 409], ['addresses.create', 201],
    ])
    expect(rows[4]).to.include({ resourceId: unknownId })
    expect((await app.api('GET', '/audit-logs', { key: reader })).body.data.map(({ status }: AuditLog) => status)).to.deep.equal([403])
  })

  it('has no secret and no content of a mail, in whichever part of the request they were', async () => {
    const body = { alias: 'private', key: app.key }
    await app.api('POST', `/addresses?key=${app.key}`, { body, headers: { 'user-agent': `curl ${app.key} whsec_c2VjcmV0` } })
    await app.api('GET', `/addresses/${app.key}`, { headers: { 'user-agent': 'x'.repeat(4000) } })
    await app.api('GET', `/addresses/${'y'.repeat(4000)}`)
    const { data } = await list()
    const text = JSON.stringify(data)
    expect(text).to.not.include(app.key.slice(12)).and.not.include('private').and.not.include('c2VjcmV0').and.not.include('?')
    expect(data.map(({ path }) => path.length)).to.deep.equal([200, '/api/v1/addresses/svc_live_…'.length, '/api/v1/addresses'.length])
    expect(data[1]!.userAgent).to.have.length(300)
  })

  describe('record of a change', () => {
    it('is stored when the change is answered', async () => {
      const { id } = await app.newAddress()
      const { accountId } = await ownerOf(app)
      const rows = (await rowsOf(app, 'audit_logs')).filter((row) => row.accountId === accountId)
      expect(rows.map(({ action, resourceId }) => [action, resourceId])).to.deep.equal([['addresses.create', id]])
    })

    it('is stored in the same transaction as the change', async () => {
      const allow = await refuseChanges(app, 'insert', 'audit_logs')
      expect((await app.api('POST', '/addresses', { body: { alias: 'never' } })).status).to.equal(500)
      await allow()
      expect((await app.api('GET', '/addresses')).body.data.total).to.equal(0)
      expect((await app.api('POST', '/addresses', { body: { alias: 'never' } })).status).to.equal(201)
    })

    it('is one record with the id of the resource, for every operation that changes data', async () => {
      const { id: addressId } = await app.newAddress()
      let wanted = 1
      for (const operation of operations.filter(({ method }) => method !== 'get')) {
        const request = exampleRequest(operation, bearer(app.key), () => addressId)
        if (operation.operationId === 'emails.send') request.body = JSON.stringify({ ...JSON.parse(request.body as string), fromAddressId: addressId })
        const { status, json } = await rawRequest(app.url, request)
        await app.settled()
        wanted++
        const { data, total } = await list('?limit=1')
        expect(total, operation.operationId).to.equal(wanted)
        const made = (json as { data?: { id?: string } }).data?.id
        expect(data[0]).to.deep.include({
          action: operation.operationId, status, resourceId: operation.path.includes('{') ? addressId : status < 300 ? made ?? null : null,
        })
        wanted++ // the request for the list
      }
    })

    it('is one record for each of several concurrent changes, also when some fail', async () => {
      const answers = await Promise.all(Array.from({ length: 30 }, (_, i) => app.api('POST', '/addresses', { body: { alias: i % 3 ? `a${i}` : 'same' } })))
      const { data, total } = await list('?limit=100')
      expect(total).to.equal(30)
      const made = answers.flatMap(({ status, body }) => status === 201 ? [body.data.id as string] : [])
      expect(made).to.have.length(21)
      expect(data.filter(({ status }) => status === 201).map(({ resourceId }) => resourceId)).to.have.members(made)
      expect(data.filter(({ status }) => status === 409)).to.have.length(9)
    })
  })

  describe('rows', () => {
    beforeEach(async () => { await app.newAddress() })

    for (const [what, message] of [
      ['update', 'audit rows cannot be changed'],
      ['delete', 'audit rows are kept until their retention is over'],
      ['replace', 'audit rows cannot be changed'],
    ] as const) {
      it(`a connection to the database cannot ${what} them`, async () => {
        expect(await tamperWithAuditLogs(app, what).catch((error: Error) => error.message)).to.include(message)
        expect((await list()).data[0]).to.include({ action: 'addresses.create', status: 201, createdAt: '2026-03-14T09:00:00.000Z' })
      })
    }

    it('are deleted with their account', async () => {
      await removeAccounts(app)
      expect(await countRows(app, 'audit_logs')).to.equal(0)
    })

    it('are removed by whole days, once their retention is over', async () => {
      await using app = await openTestApp()
      const list = async () => (await app.api('GET', '/audit-logs')).body as { data: AuditLog[], total: number }
      await app.newAddress()
      await app.advance({ hours: 14, minutes: 59 }) // 23:59
      await app.api('GET', '/addresses')
      await app.advance({ minutes: 1 })
      await app.api('GET', '/addresses')
      await list()
      await app.advance({ days: 89, hours: 23, minutes: 59 })
      expect((await list()).total).to.equal(4)
      await app.advance({ minutes: 1 })
      const left = await list()
      expect(left.total).to.equal(3)
      expect(left.data.map(({ createdAt }) => createdAt.slice(0, 10))).to.deep.equal(['2026-06-12', '2026-03-15', '2026-03-15'])
      expect(await tamperWithAuditLogs(app, 'delete').catch((error: Error) => error.message)).to.include('kept until')
    })
  })

  it('has rows for MAYFLY_AUDIT_RETENTION_DAYS, which are removed in small steps', async () => {
    await using app = await openTestApp({ env: { MAYFLY_AUDIT_RETENTION_DAYS: '1' } })
    await addAuditRows(app, 1700)
    const { steps } = watchRows(app, 'audit_logs')
    await app.advance({ days: 2 })
    expect((await app.api('GET', '/audit-logs')).body.total).to.equal(0)
    expect(Math.min(...steps)).to.equal(-250)
  })
})
