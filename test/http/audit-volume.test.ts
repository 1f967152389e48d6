import { expect } from 'chai'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AuditLog } from '../../server/contract/types.gen.ts'
import { unknownId } from '../contract/requests.ts'
import { openTestApp, shareTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { newDatabase } from '../support/new-database.ts'
import { createAccount } from '../support/store/accounts.ts'
import { countRows, rowsOf } from '../support/store/rows.ts'

describe('Audit log: volume', () => {
  const newAccount = shareTestApp()
  const list = async (app: TestApp): Promise<{ data: AuditLog[], total: number }> => (await app.api('GET', '/audit-logs?limit=100')).body
  const calls = async (app: TestApp, count: number, path: (i: number) => string, headers?: Record<string, string>) => {
    for (let i = 0; i < count; i++) await app.api('GET', path(i), { headers })
  }

  it('counts calls over the rate limit in one record per window, key and operation', async () => {
    await using app = await openTestApp({ env: { MAYFLY_RATE_LIMIT: '3' } })
    await calls(app, 3, () => '/addresses')
    await calls(app, 150, (i) => `/emails?limit=${i}`, { 'user-agent': 'flood/1.0' })
    await calls(app, 40, (i) => `/addresses/${unknownId.slice(0, -3)}${100 + i}`)
    await app.app.http.flush()
    await app.advance({ minutes: 1 })
    const { data, total } = await list(app)
    expect(data.map(({ action, status, count }) => [action, status, count])).to.deep.equal([
      ['addresses.get', 429, 40], ['emails.list', 429, 150],
      ['addresses.list', 200, 1], ['addresses.list', 200, 1], ['addresses.list', 200, 1],
    ])
    expect(total).to.equal(5)
    expect(data[0]).to.include({ path: `/api/v1/addresses/${unknownId.slice(0, -3)}100`, resourceId: `${unknownId.slice(0, -3)}100` })
    expect(data[1]).to.include({ path: '/api/v1/emails', userAgent: 'flood/1.0', createdAt: '2026-03-14T09:00:00.000Z' })
  })

  it('writes the counts at the end of their window, without another request', async () => {
    await using app = await openTestApp({ env: { MAYFLY_RATE_LIMIT: '1' } })
    await calls(app, 30, () => '/addresses')
    await app.advance({ seconds: 59 })
    await app.app.http.flush()
    const before = await countRows(app, 'audit_logs')
    await app.advance({ seconds: 1 })
    await app.app.http.flush()
    expect([before, await countRows(app, 'audit_logs')]).to.deep.equal([1, 2])
  })

  it('writes the counts of the current window when the server closes', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mayfly-test-'))
    try {
      const options = { database: await newDatabase(join(folder, 'mayfly.db')), env: { MAYFLY_RATE_LIMIT: '2' } }
      const app = await openTestApp(options)
      await calls(app, 20, () => '/addresses')
      await app[Symbol.asyncDispose]()
      await using again = await openTestApp(options)
      const rows = await rowsOf(again, 'audit_logs')
      expect(rows.map(({ status, callCount }) => [status, callCount])).to.deep.equal([[200, 1], [200, 1], [429, 18]])
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  it('writes at most 300 records a minute for reads and refused calls of an account, counts the rest, and records every change', async () => {
    const app = await newAccount()
    const other = await app.newKey()
    await calls(app, 310, () => '/addresses')
    await calls(app, 20, () => `/addresses/${unknownId}`)
    await app.newAddress()
    await app.api('GET', '/addresses', { key: other })
    await app.advance({ minutes: 1 })
    const { data, total } = await list(app)
    expect(total).to.equal(303)
    expect(data.slice(0, 3).map(({ action, status, count }) => [action, status, count])).to.deep.equal([
      ['addresses.create', 201, 1], ['addresses.get', 404, 20], ['addresses.list', 200, 10],
    ])
    const [first] = (await app.api('GET', '/audit-logs', { key: other })).body.data as AuditLog[]
    expect(first).to.include({ action: 'addresses.list', count: 1 })
  })

  it('counts calls by SMTP logins of two accounts in a record of each account', async () => {
    await using app = await openTestApp({ env: { MAYFLY_COMPATIBLE_APIS: 'mailhog', MAYFLY_RATE_LIMIT: '0' } })
    const keys = [app.key, await app.newKey({ account: (await createAccount(app, 'other@example.org')).id })]
    for (const key of keys) {
      const { smtp: { username, password } } = (await app.api('POST', '/addresses', { body: { smtpLogin: true }, key })).body.data
      const headers = { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` }
      for (let i = 0; i < 302; i++) expect((await fetch(`${app.url}/compatible/mailhog/api/v2/messages`, { headers })).status).to.equal(200)
    }
    await app.advance({ minutes: 1 })
    for (const key of keys) {
      const [newest] = (await app.api('GET', '/audit-logs', { key })).body.data as AuditLog[]
      expect(newest).to.include({ action: 'emails.list', status: 200, count: 2 }) // 300 have a record of their own
    }
  })

  it('cuts paths at 200 characters and user agents at 300', async () => {
    const app = await newAccount()
    await calls(app, 1, () => `/addresses/${'y'.repeat(6000)}`, { 'user-agent': 'é'.repeat(6000) })
    const [row] = (await list(app)).data
    expect(row!.path).to.have.length(200)
    expect(row!.userAgent).to.have.length(300)
  })
})
