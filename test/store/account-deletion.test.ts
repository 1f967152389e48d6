import { expect } from 'chai'
import { inTransaction } from '../../server/store/database.ts'
import { openEndpoint } from '../support/endpoint.ts'
import type { Endpoint } from '../support/endpoint.ts'
import { openForwardingWorld } from '../support/forwarding.ts'
import type { ForwardingWorld } from '../support/forwarding.ts'
import { invite } from '../support/members.ts'
import { newToken, signIn } from '../support/sessions.ts'
import { playSession } from '../support/play-session.ts'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { createAccount, deleteAccount, emailOf, emailOfAccount, ownerOf } from '../support/store/accounts.ts'
import { watchRows } from '../support/store/commits.ts'
import { addDomains } from '../support/store/domains.ts'
import { testEngineOf } from '../support/store/engines.ts'
import { manyRows } from '../support/store/many-rows.ts'
import { rowsOf } from '../support/store/rows.ts'
import { indexed } from '../support/store/search-index.ts'
import { rawSql } from '../support/store/raw-sql.ts'

const email = 'leaver@example.org'

/** Tables that change with the deletion or with time. */
const otherTables = ['jobs', 'address_names', 'api_key_version', 'nodes']

/** The tables with the names of their columns, as the schema has them. */
const columnsOfTables = async ({ app: { db } }: TestApp) =>
  Object.groupBy(await rawSql<{ table: string, column: string }>(db, testEngineOf(db).columns), ({ table }) => table)

/** The tables with rows of accounts. */
const tablesOfAccounts = async (app: TestApp) => Object.entries(await columnsOfTables(app))
  .filter(([, columns]) => columns!.some(({ column }) => column === 'account_id')).map(([table]) => table)

const countOf = async (app: TestApp, table: string, accountId: string) =>
  (await rawSql<{ n: number }>(app.app.db, `select count(*) as n from ${table} where account_id = '${accountId}'`))[0]!.n

/** All rows, by their tables. */
async function allRows(app: TestApp): Promise<Record<string, string[]>> {
  const left = [...otherTables, ...testEngineOf(app.app.db).internalTables]
  const tables = Object.keys(await columnsOfTables(app)).filter((table) => !left.includes(table))
  return Object.fromEntries(await Promise.all(tables.map(async (table): Promise<[string, string[]]> =>
    [table, (await rawSql(app.app.db, `select * from ${table}`)).map((row) => JSON.stringify(row)).sort()])))
}

describe('Account deletion: rows', () => {
  let world: ForwardingWorld
  let endpoint: Endpoint
  beforeEach(async () => {
    endpoint = await openEndpoint(() => 500)
    world = await openForwardingWorld({ env: { MAYFLY_ALLOW_PRIVATE_WEBHOOKS: 'true' } })
  })
  afterEach(async () => {
    await world[Symbol.asyncDispose]()
    await endpoint[Symbol.asyncDispose]()
  })

  /** Gives an account a row in each table, with mail that waits to be sent and webhooks that wait for another attempt. */
  async function fill(key: string, account: string, name: string) {
    const { app, receiver } = world
    const call = async (method: string, path: string, body?: unknown, options = {}) => {
      const answer = await app.api(method, path, { key, body, ...options })
      expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).to.be.lessThan(300)
      return answer.body.data
    }
    const { id: forwardToId } = await world.newVerified(`${name}@forward.example`, key)
    receiver.replies.rcpt = () => ({ code: 450, text: 'Try again later' })
    await call('POST', '/forwarding-addresses', { email: `${name}-unverified@forward.example` })
    await call('POST', '/webhooks', { url: endpoint.url, events: ['email.received'] })
    const first = await call('POST', '/addresses', { forwardToId }, { headers: { 'idempotency-key': `${name}-first-key` } })
    const second = await call('POST', '/addresses', { smtpLogin: true })
    const guess = Buffer.from(`\0${second.address}\0wrong`).toString('base64')
    await playSession(app.smtp, [['EHLO app.example', 250], [`AUTH PLAIN ${guess}`, 535]])
    await call('PUT', `/addresses/${second.id}/smtp-faults`, { steps: [{ at: 'auth', code: 454 }] })
    const removed = await call('POST', '/addresses', {})
    await addDomains(app, account, { [`${name}.example`]: 'verified' })
    await call('POST', '/addresses', { domain: `${name}.example`, alias: 'postmaster' })
    const long = { filename: 'a.bin', content: Buffer.alloc(1_500_000, name) }
    await app.send({ to: [first.address, second.address], subject: `both ${name}`, attachments: [{ filename: 'a.txt', content: 'text' }] })
    await app.send({ to: first.address, subject: `long ${name}`, attachments: [long] })
    await app.send({ to: removed.address, subject: `removed ${name}` })
    await app.settled()
    await call('POST', '/emails', { fromAddressId: first.id, to: 'ada@elsewhere.example', subject: `sent ${name}`, body: 'sent' })
    // not by the API: the audit row of a read is written later
    const deleted = (await rowsOf(app, 'emails')).find(({ addressId }) => addressId === second.id)!
    await call('DELETE', `/emails/${deleted.id}`)
    await call('DELETE', `/addresses/${removed.id}`)
    const testKey = await app.newKey({ account, isTest: true })
    const test = (await app.api('POST', '/addresses', { key: testKey, body: {} })).body.data
    expect((await app.api('POST', '/test/emails', { key: testKey, body: { to: test.address, text: 'code 123456' } })).status).to.equal(201)
    const owner = await emailOfAccount(app, account)
    const session = await signIn(app, { email: owner })
    await invite(session, `${name}-member@example.org`)
    expect((await session.api('POST', `/addresses/${first.id}/share-links`, { body: { hours: 1 } })).status).to.equal(201)
    await newToken(app, owner) // a link that is not used yet
    await app.advance({ seconds: 2 }) // the last uses of keys and sessions are stored
    await inTransaction(app.app.db, async () => {}) // after the transactions that store them
    await indexed(app)
    await addSearchData(app, account)
    return first.address as string
  }

  /** The search data of an account with thousands of mails. */
  const addSearchData = ({ app: { db } }: TestApp, account: string) => inTransaction(db, async (tx) => {
    for (const statement of testEngineOf(db).searchDataOf(`from email_search_owners where account_id = '${account}' and mode = 'live'`)) {
      await rawSql(tx, statement)
    }
  })

  it('of every table are removed, and only the names of its addresses are kept, without the account', async function () {
    const { app } = world
    const stayer = (await createAccount(app, 'stayer@example.org')).id
    await fill(await app.newKey({ account: stayer }), stayer, 'stayer')
    const before = await allRows(app)

    delete world.receiver.replies.rcpt
    const leaver = (await createAccount(app, email)).id
    const address = await fill(await app.newKey({ account: leaver }), leaver, 'leaver')
    const tables = await tablesOfAccounts(app)
    expect(tables).to.include.members(['emails', 'audit_logs', 'addresses'])
    for (const table of tables.filter((name) => name !== 'email_search_pending')) {
      expect(await countOf(app, table, leaver), `${table}: this test has to give the account a row there`).to.be.greaterThan(0)
    }
    const grown = Object.entries(await allRows(app)).filter(([table, rows]) => rows.length > before[table]!.length).map(([table]) => table)
    expect(grown).to.include.members(['messages', 'message_chunks', 'attachments', 'authentications', 'email_counts', 'forwarding_rules',
      'webhook_deliveries', 'api_key_uses', ...testEngineOf(app.app.db).searchTables])

    await deleteAccount(app, email)
    await app.settled()
    for (const table of tables) expect(await countOf(app, table, leaver), table).to.equal(0)
    const { outbox, ...others } = await allRows(app)
    for (const name of ['call_counts', 'commit_records', 'mail_counts']) delete others[name] // of this minute or day
    for (const [table, rows] of Object.entries(others)) expect(rows, table).to.deep.equal(before[table])
    // of the last event the number stays, from which the next one follows
    const last = (await rowsOf(app, 'outbox')).at(-1)!
    expect([last.accountId, last.data]).to.deep.equal(['', '{}'])
    expect(outbox!.filter((row) => !row.includes('"account_id":""'))).to.deep.equal(before.outbox!.filter((row) => !row.includes('"account_id":""')))
    const names = (await rowsOf(app, 'address_names')).filter(({ accountId }) => accountId !== stayer)
    expect(names.map((name) => name.address)).to.include(address).and.have.length(5)
    expect(names.every(({ accountId, releasedAt }) => accountId === null && releasedAt !== null)).to.equal(true)
  })

  it('are removed in small steps, between which other changes are made', async () => {
    const { app } = world
    const { key } = await manyRows(app, 1_024)
    const watches = (['emails', 'addresses', 'audit_logs', 'webhook_deliveries', 'forwarding_addresses'] as const).map((table) => watchRows(app, table))
    await deleteAccount(app, await emailOf(app, key))
    await app.settled()
    for (const { steps } of watches) expect(Math.min(...steps)).to.equal(-200)
  })

  it('are not added by requests that were under way', async () => {
    const { app } = world
    const key = await app.newKey()
    const { accountId } = await ownerOf(app, key)
    await app.settled() // else a job's commit takes the place of that of the request
    const { commit } = app.app.db
    const run = async (path: string, body: object) => {
      app.app.db.commit = async (work, options) => { // the deletion comes between the authentication and the change
        app.app.db.commit = commit
        await deleteAccount(app, await emailOf(app, key))
        return commit(work, options)
      }
      return app.api('POST', path, { key, body })
    }
    const { status, body } = await run('/addresses', {})
    expect([status, body.code]).to.deep.equal([401, 'INVALID_API_KEY'])
    await app.settled()
    for (const table of await tablesOfAccounts(app)) expect(await countOf(app, table, accountId), table).to.equal(0)
  })
})

describe('Account deletion: audit rows', () => {
  it('may be removed with their account alone', async () => {
    await using app = await openTestApp()
    await app.api('GET', '/audit-logs')
    await app.api('GET', '/audit-logs')
    const removal = inTransaction(app.app.db, (tx) => tx.sql.deleteFrom('audit_logs').execute())
    expect(await removal.catch((error: Error) => error.message)).to.equal('audit rows are kept until their retention is over')
  })
})
