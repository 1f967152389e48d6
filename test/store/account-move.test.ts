import { expect } from 'chai'
import { accountTables, messageTables, otherTables } from '../../server/store/move/account-tables.ts'
import { moveTo, moveSteps, moveUntil, cancelMoveTo } from '../support/account-move.ts'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { testClock } from '../support/clock.ts'
import { openEndpoint } from '../support/endpoint.ts'
import type { Endpoint } from '../support/endpoint.ts'
import { readEvents } from '../support/event-reader.ts'
import { fillAccount } from '../support/filled-account.ts'
import { openForwardingWorld } from '../support/forwarding.ts'
import type { ForwardingWorld } from '../support/forwarding.ts'
import { playSession } from '../support/play-session.ts'
import { newPostgresDatabase } from '../support/postgres.ts'
import { createAccount, deleteAccount } from '../support/store/accounts.ts'
import { lockRows } from '../support/store/lock-rows.ts'
import { allRows, columnsOfTables, rowsOf, tablesOfAccounts } from '../support/store/rows.ts'
import { rawSql } from '../support/store/raw-sql.ts'
import { indexed } from '../support/store/search-index.ts'

/** Tables whose rows the target makes anew, or has with other numbers. */
const madeAnew = ['outbox', 'secrets', 'email_search', 'email_search_owners', 'email_search_pending', 'email_search_buckets', 'email_search_key_bitmaps']
/** Tables of the last minutes, and of processes. */
const ofTime = ['audit_retention', 'call_counts', 'commit_records', 'discarded_messages']

/** The rows that were added. */
const without = (rows: Record<string, string[]>, before: Record<string, string[]>) => Object.fromEntries(Object.entries(rows)
  .filter(([table]) => !ofTime.includes(table)).map(([table, all]) => [table, all.filter((row) => !before[table]!.includes(row))]))

describe('Account move', function () {
  let world: ForwardingWorld
  let source: TestApp
  let target: TestApp
  let endpoint: Endpoint
  beforeEach(async () => {
    const clock = testClock()
    endpoint = await openEndpoint(() => 500)
    const env = { MAYFLY_ALLOW_PRIVATE_WEBHOOKS: 'true' }
    world = await openForwardingWorld({ database: await newPostgresDatabase(), clock, env })
    source = world.app
    target = await openTestApp({
      database: await newPostgresDatabase(), clock,
      env: { ...env, MAYFLY_OUTBOUND: `smtp://127.0.0.1:${world.receiver.port}`, MAYFLY_DEFAULT_DOMAIN: 'cell-b.localhost' },
    })
  })
  afterEach(async () => {
    await target[Symbol.asyncDispose]()
    await world[Symbol.asyncDispose]()
    await endpoint[Symbol.asyncDispose]()
  })

  const newMover = async () => {
    const { id } = await createAccount(source, 'mover@example.org')
    return { id, key: await source.newKey({ account: id }) }
  }

  it('knows every table', async () => {
    const known = Object.keys({ ...accountTables, ...messageTables, ...otherTables })
    expect(Object.keys(await columnsOfTables(source)).sort()).to.deep.equal(known.sort())
  })

  it('takes every row of the account to the target, and leaves nothing but its names', async function () {
    const before = { source: await allRows(source), target: await allRows(target) }
    const { id } = await createAccount(source, 'mover@example.org')
    await fillAccount(world, endpoint.url, { account: id, name: 'mover' })
    const rows = without(await allRows(source), before.source)
    const names = (await rowsOf(source, 'address_names')).filter(({ accountId }) => accountId === id)
    const present = (await rowsOf(source, 'addresses')).map((address) => address.id)
    const jobs = (await rowsOf(source, 'jobs')).filter(({ task, payload }) => !['sweep', 'purge-messages'].includes(task)
      && (task !== 'expire-address' || present.some((each) => payload.includes(each)))) // a removed address has one without effect
    expect(jobs.map(({ task }) => task)).to.include.members(['deliver-mail', 'deliver-webhook', 'expire-address'])

    const { email } = await moveTo(source, target, id)
    expect(email).to.equal('mover@example.org')
    const arrived = without(await allRows(target), before.target)
    for (const [table, expected] of Object.entries(rows)) {
      if (table === 'mail_counts') expect(expected).to.include.members(arrived[table]!) // others are of the server
      else if (!madeAnew.includes(table)) expect(arrived[table], table).to.deep.equal(expected)
    }
    expect(arrived['mail_counts']).to.have.length(6)
    expect((await rowsOf(target, 'address_names')).filter(({ accountId }) => accountId === id)).to.deep.equal(names)
    const withoutIds = (all: typeof jobs) =>
      all.map(({ task, payload, lane, runAt, claimedBy }) => ({ task, payload, lane, runAt, claimedBy }))
    const movedJobs = (await rowsOf(target, 'jobs')).filter(({ task }) => !['sweep', 'purge-messages'].includes(task))
    expect(withoutIds(movedJobs)).to.have.deep.members(withoutIds(jobs))

    await target.settled()
    await indexed(target)
    const sessionKey = await target.newKey({ account: id })
    expect((await target.api('GET', '/emails?q=both', { key: sessionKey })).body.data).to.have.length(1)

    await source.advance({ seconds: 11 })
    source.app.worker.wake('purge-account')
    await source.settled()
    for (const table of await tablesOfAccounts(source)) {
      const left = await rawSql<{ n: number }>(source.app.db, `select count(*) as n from ${table} where account_id = '${id}'`)
      expect(left[0]!.n, table).to.equal(0)
    }
    for (const [table, left] of Object.entries(without(await allRows(source), before.source))) {
      if (!['outbox', 'mail_counts', 'secrets'].includes(table)) expect(left, table).to.deep.equal([])
    }
    const reserved = (await rowsOf(source, 'address_names')).filter(({ accountId }) => accountId === null)
    expect(reserved.filter(({ releasedAt }) => releasedAt === null)).to.have.length(names.filter(({ releasedAt, domainId }) => releasedAt === null && domainId === '').length)
    const { status } = await source.api('POST', '/addresses', { body: { alias: names[0]!.address.split('@')[0] } })
    expect(status).to.equal(409)
  })

  it('leaves its key, its cursors and its addresses as they are, and then the source knows none of them', async () => {
    const { id, key } = await newMover()
    const address = (await source.api('POST', '/addresses', { key, body: {} })).body.data
    for (const subject of ['one', 'two']) await source.send({ to: address.address, subject, text: 'Your code is 482913.' })
    await source.settled()
    const list = async (app: TestApp) => (await app.api('GET', `/emails?address_id=${address.id}`, { key })).body
    const before = await list(source)
    const first = (await source.api('GET', `/emails/${before.data[1].id}`, { key })).body
    await source.send({ to: address.address, subject: 'three' })

    await moveTo(source, target, id)
    const after = await list(target)
    expect(after.data.slice(1)).to.deep.equal(before.data)
    expect((await target.api('GET', `/emails/${before.data[1].id}`, { key })).body).to.deep.equal(first)
    const wait = async (after: string) => (await target.api('GET', `/emails/wait?address_id=${address.id}&after=${after}&timeout=20`, { key }))
    const third = await wait(before.cursor)
    expect(third.body.data.subject).to.equal('three')
    const waiting = wait(third.headers.get('x-mayfly-cursor') ?? after.cursor)
    await target.send({ to: address.address, subject: 'four' }) // its domain is the default one of the source
    expect((await waiting).body.data.subject).to.equal('four')
    const sent = await target.api('POST', '/emails', { key, body: { fromAddressId: address.id, to: 'ada@elsewhere.example', subject: 'sent', body: 'text' } })
    expect(sent.status).to.equal(202)

    expect((await source.api('GET', '/emails', { key })).status).to.equal(401)
    expect(await outcome(source.send({ to: address.address }))).to.equal(550)
  })

  it('lets a stream go on after its last event, without a loss or a repetition', async () => {
    const { id, key } = await newMover()
    const { address } = (await source.api('POST', '/addresses', { key, body: {} })).body.data
    const reader = await readEvents(source.url, key)
    for (const subject of ['one', 'two']) await source.send({ to: address, subject })
    const [, read] = await reader.until(2)
    reader.drop()
    await source.send({ to: address, subject: 'three' })
    for (let i = 0; i < 30; i++) await target.newAddress() // events of others, with numbers of their own

    await moveTo(source, target, id)
    await target.send({ to: address, subject: 'four' })
    const later = await readEvents(target.url, key, { 'last-event-id': read!.id })
    const subjects = (await later.until(2)).map(({ data }) => data.data.subject)
    expect(subjects).to.deep.equal(['three', 'four'])
    later.drop()
    const last = await readEvents(target.url, key, { 'last-event-id': later.lastId })
    await target.send({ to: address, subject: 'five' })
    expect((await last.until(1)).map(({ data }) => data.data.subject)).to.deep.equal(['five'])
    last.drop()
  })

  it('answers 503 and 451 while the account is held, ends streams and waits, and leaves other accounts alone', async () => {
    const { id, key } = await newMover()
    const address = (await source.api('POST', '/addresses', { key, body: { smtpLogin: true } })).body.data
    const other = await source.newAddress()
    const stream = await readEvents(source.url, key)
    await stream.comment(1)
    const waiting = source.api('GET', `/emails/wait?address_id=${address.id}&timeout=30`, { key })
    while (source.app.feed.followers() < 2) await new Promise(setImmediate)

    await moveUntil(source, target, id, 'held')
    const { status, headers, body } = await source.api('POST', '/addresses', { key, body: {} })
    expect([status, headers.get('retry-after'), body.code]).to.deep.equal([503, '1', 'INTERNAL_ERROR'])
    expect(await outcome(source.send({ to: address.address }))).to.equal(451)
    const session = await playLogin(source, address)
    expect(session).to.match(/^451 4\.3\.0/)
    await source.advance({ seconds: 4 })
    expect((await waiting).status).to.equal(503)
    expect(await stream.ended).to.equal(true)
    expect(await outcome(source.send({ to: other.address }))).to.equal(250)
    expect((await target.api('GET', '/emails', { key })).status).to.equal(401)
  })

  for (const step of moveSteps.slice(0, -1)) {
    it(`goes on after a crash at the step "${step}"`, async () => {
      const { id, key } = await newMover()
      const { address, id: addressId } = (await source.api('POST', '/addresses', { key, body: {} })).body.data
      await source.send({ to: address, subject: 'before' })
      await source.settled()
      await moveUntil(source, target, id, step)
      const shown = async (app: TestApp) => (await app.api('GET', '/emails', { key })).status
      const isHeld = ['held', 'compared', 'committed', 'shown'].includes(step)
      expect([await shown(source), await shown(target)]).to.deep.equal([isHeld ? 503 : 200, step === 'shown' ? 200 : 401])
      if (!isHeld) await source.send({ to: address, subject: 'between' })
      await source.settled()
      await moveTo(source, target, id)
      expect([await shown(source), await shown(target)]).to.deep.equal([401, 200])
      const { data } = (await target.api('GET', `/emails?address_id=${addressId}`, { key })).body
      expect(data.map(({ subject }: { subject: string }) => subject)).to.deep.equal(isHeld ? ['before'] : ['between', 'before'])
    })
  }

  for (const step of ['begun', 'waited', 'held', 'compared'] as const) {
    it(`is given up after the step "${step}", and can be made again`, async () => {
      const { id, key } = await newMover()
      const { address } = (await source.api('POST', '/addresses', { key, body: {} })).body.data
      await source.send({ to: address, subject: 'before' })
      await source.settled()
      await moveUntil(source, target, id, step)
      await cancelMoveTo(source, target, id)
      expect((await source.api('GET', '/emails', { key })).status).to.equal(200)
      await source.send({ to: address, subject: 'after' })
      expect((await rowsOf(source, 'jobs')).every(({ claimedBy }) => !claimedBy?.startsWith('move/'))).to.equal(true)
      target.app.worker.wake('purge-account')
      await target.settled()
      expect((await rowsOf(target, 'accounts')).map((account) => account.id)).to.not.include(id)
      await moveTo(source, target, 'mover@example.org')
      expect((await target.api('GET', '/emails', { key })).body.data).to.have.length(2)
    })
  }

  /** @param hook runs once after the step "held" */
  const stoppedWhenHeld = (account: string, hook: (stop: (error: Error) => void) => void) => {
    const interrupt = new AbortController()
    const onStep = (step: string) => { if (step === 'held') hook((error) => interrupt.abort(error)) }
    return moveTo(source, target, account, { signal: interrupt.signal, onStep }).then(() => '', (error: Error) => error.message)
  }

  it('goes on to its target alone, and leaves no copy at another', async () => {
    const { id, key } = await newMover()
    await using other = await openTestApp({ database: await newPostgresDatabase(), clock: testClock() })
    await moveUntil(source, other, id, 'copied')
    for (const step of ['held', 'committed', 'shown', 'ended'] as const) {
      await moveUntil(source, target, id, step)
      const failed = await moveTo(source, other, id).then(() => '', (error: Error) => error.message)
      expect(failed).to.equal('--to: is not the database to which the account moves. Name that one.')
    }
    await cancelMoveTo(source, other, id)
    expect((await rowsOf(other, 'accounts')).find((row) => row.id === id)?.move ?? null).to.equal(null)
    expect((await target.api('GET', '/addresses', { key })).status).to.equal(200)
  })

  it('lets the account work after an error, and says when it cannot', async () => {
    const { id, key } = await newMover()
    const status = async () => (await source.api('GET', '/emails', { key })).status
    expect(await stoppedWhenHeld(id, (stop) => stop(new Error('stopped')))).to.equal('stopped')
    expect(await status()).to.equal(200)

    await source.app.db.commit((tx) => rawSql(tx, `create function refuse() returns trigger language plpgsql as $$ begin
      if old.move = 'held' and new.move is null then raise exception 'refused'; end if; return new; end $$`))
    await source.app.db.commit((tx) => rawSql(tx, 'create trigger refuse before update on accounts for each row execute function refuse()'))
    const held = '--account: may still be held: run the same command again, or with --cancel.'
    expect(await stoppedWhenHeld(id, (stop) => stop(new Error('stopped')))).to.equal(`${held} stopped`)
    expect(await status()).to.equal(503)
    await source.app.db.commit((tx) => rawSql(tx, 'drop trigger refuse on accounts'))
    await moveTo(source, target, id)
    expect((await target.api('GET', '/emails', { key })).status).to.equal(200)
  })

  it('ends when another command may begin, since the connection with its lock was lost', async () => {
    const { id, key } = await newMover()
    const lost = Promise.withResolvers<void>()
    const row = await lockRows(source.app.config.database, 'accounts', id)
    const onStep = (step: string) => { if (step === 'waited') lost.resolve() }
    const moving = moveTo(source, target, id, { onStep }).then(() => '', (error: Error) => error.message)
    await lost.promise
    const ended = await rawSql(source.app.db, `select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where application_name = 'mayfly move' and datname = current_database()`)
    expect(ended).to.have.length(1)
    await row.release()
    expect(await moving).to.equal('--account: may still be held: run the same command again, or with --cancel. '
      + 'The connection that keeps other processes from the same work was lost.')
    await cancelMoveTo(source, target, id)
    expect((await source.api('GET', '/emails', { key })).status).to.equal(200)
  })

  it('is made once by two commands at the same time', async () => {
    const { id, key } = await newMover()
    const { address } = (await source.api('POST', '/addresses', { key, body: {} })).body.data
    await source.send({ to: address, subject: 'before' })
    await source.settled()
    let waits = 0
    const move = () => moveTo(source, target, id, { onWait: () => { waits++ } })
    const held = (await Promise.all([move(), move()])).filter(({ heldMs }) => heldMs > 0)
    expect([held.length, waits]).to.deep.equal([1, 1])
    expect((await target.api('GET', '/emails', { key })).body.data).to.have.length(1)
  })

  it('compares many rows in parts', async () => {
    const { id } = await newMover()
    await source.app.db.commit((tx) => rawSql(tx, `insert into audit_logs (id, account_id, mode, action, method, path, status, ip_address, created_at, call_count)
      select 'row ' || i, '${id}', 'live', 'emails.list', 'GET', '/emails', 200, '', i, 1 from generate_series(1, 25000) as rows (i)`))
    await source.app.db.commit((tx) => rawSql(tx, `insert into idempotency_keys select '${id}', 'live', 'key ' || i, '', '{}', i from generate_series(1, 25000) as rows (i)`))
    await moveUntil(source, target, id, 'copied')
    await source.app.db.commit((tx) => rawSql(tx, `delete from idempotency_keys where key in ('key 1', 'key 12345', 'key 9999')`))
    await source.app.db.commit((tx) => rawSql(tx, `update idempotency_keys set answer = '[]' where key in ('key 2', 'key 22222')`))
    const rows = async (app: TestApp) => {
      const { audit_logs: logs, idempotency_keys: keys } = await allRows(app)
      return [...logs!, ...keys!].filter((row) => row.includes(id))
    }
    const expected = await rows(source)
    expect(expected.length).to.be.at.least(49_997)
    await moveTo(source, target, id)
    expect(await rows(target)).to.deep.equal(expected)
  })

  it('is refused where it cannot be made', async () => {
    const { id } = await newMover()
    const refusal = (from: TestApp, to: TestApp, account = id) => moveTo(from, to, account).then(() => '', (error: Error) => error.message)
    expect(await refusal(source, source)).to.match(/^--to: is the database of --from/)
    expect(await refusal(source, target, 'nobody@example.org')).to.match(/^--account: there is no account nobody@example.org in --from/)
    const same = await createAccount(target, 'mover@example.org')
    expect(await refusal(source, target)).to.equal('--to: mover@example.org is the e-mail address of another account there.')
    await deleteAccount(target, same.email)

    const key = await source.newKey({ account: id })
    const { id: desk } = (await source.api('POST', '/addresses', { key, body: { alias: 'desk' } })).body.data
    await source.api('DELETE', `/addresses/${desk}`, { key }) // its name is reserved for the account
    await target.app.db.commit((tx) => rawSql(tx, `insert into address_names (address, domain_id, account_id) values ('desk@mail.localhost', '', '${target.account}')`))
    expect(await refusal(source, target)).to.equal('--to: The address desk@mail.localhost is, or was within 30 days, one of another account there.')
    expect((await source.api('GET', '/emails', { key })).status).to.equal(200)
    await target.app.db.commit((tx) => rawSql(tx, 'delete from address_names'))

    await target.app.db.commit((tx) => rawSql(tx, `update migrations set name = '9999-later' where name like '0039-%'`))
    expect(await refusal(source, target)).to.match(/^--to: is of another version than --from/)
    await target.app.db.commit((tx) => rawSql(tx, `update migrations set name = '0039-account-moves' where name like '9999-%'`))

    await moveTo(source, target, id)
    expect(await refusal(source, target, 'mover@example.org')).to.equal('--account: is in --to already, and not in --from.')
    expect(await refusal(target, source)).to.equal('--to: is still removing an account with this id. Try again later.')
    await source.advance({ seconds: 11 })
    source.app.worker.wake('purge-account')
    await source.settled()
    await moveTo(target, source, id) // and back
    expect((await source.api('GET', '/emails', { key })).status).to.equal(200)
  })
})

/** @returns the last reply to a login */
async function playLogin(app: TestApp, { smtp }: { smtp: { username: string, password: string } }): Promise<string> {
  const login = Buffer.from(`\0${smtp.username}\0${smtp.password}`).toString('base64')
  const replies = await playSession(app.smtp, [['EHLO app.example', 250], [`AUTH PLAIN ${login}`, 451]])
  return replies.at(-1)!
}

const outcome = (sent: Promise<void>) => sent.then(() => 250, (error: { responseCode?: number }) => error.responseCode)
