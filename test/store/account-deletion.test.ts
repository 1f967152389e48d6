import { expect } from 'chai'
import { inTransaction } from '../../server/store/database.ts'
import { openEndpoint } from '../support/endpoint.ts'
import type { Endpoint } from '../support/endpoint.ts'
import { fillAccount } from '../support/filled-account.ts'
import { openForwardingWorld } from '../support/forwarding.ts'
import type { ForwardingWorld } from '../support/forwarding.ts'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { createAccount, deleteAccount, emailOf, ownerOf } from '../support/store/accounts.ts'
import { watchRows } from '../support/store/commits.ts'
import { testEngineOf } from '../support/store/engines.ts'
import { manyRows } from '../support/store/many-rows.ts'
import { allRows, rowsOf, tablesOfAccounts } from '../support/store/rows.ts'
import { rawSql } from '../support/store/raw-sql.ts'

const email = 'leaver@example.org'

const countOf = async (app: TestApp, table: string, accountId: string) =>
  (await rawSql<{ n: number }>(app.app.db, `select count(*) as n from ${table} where account_id = '${accountId}'`))[0]!.n

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

  it('of every table are removed, and only the names of its addresses are kept, without the account', async function () {
    const { app } = world
    const stayer = (await createAccount(app, 'stayer@example.org')).id
    await fillAccount(world, endpoint.url, { account: stayer, name: 'stayer' })
    const before = await allRows(app)

    delete world.receiver.replies.rcpt
    const leaver = (await createAccount(app, email)).id
    const address = await fillAccount(world, endpoint.url, { account: leaver, name: 'leaver' })
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
