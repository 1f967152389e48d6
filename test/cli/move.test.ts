import { expect } from 'chai'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { readEvents } from '../support/event-reader.ts'
import { newPostgresDatabase, runOnPostgres } from '../support/postgres.ts'
import { createNewerDatabase, createOlderDatabase, fillDatabase } from '../support/store/database-files.ts'
import { lockRows } from '../support/store/lock-rows.ts'
import { mayfly, serve, start } from './run.ts'
import type { Served } from './run.ts'

const base = { MAYFLY_HTTP_PORT: '0', MAYFLY_SMTP_PORT: '0', MAYFLY_MIN_FREE_BYTES: '0', MAYFLY_LOG_LEVEL: 'silent' }

describe('CLI: move', function () {
  let folder: string
  beforeEach(async () => { folder = await mkdtemp(join(tmpdir(), 'mayfly-move-')) })
  afterEach(() => rm(folder, { recursive: true }))

  const move = (from: string, to: string) => mayfly(['move', '--from', from], { ...base, MAYFLY_DATABASE: to })
  async function refused(from: string, to: string) {
    const { code, stdout, stderr } = await move(from, to)
    expect([code, stdout], stderr).to.deep.equal([1, ''])
    return stderr
  }
  async function newSource() {
    const file = join(folder, 'source.db')
    await mayfly(['account', 'create', '--email', 'ada@example.org'], { ...base, MAYFLY_DATABASE: file })
    return file
  }

  /** A client of a served database. */
  function clientOf({ lines }: Served, key: string) {
    const [, url, port] = /http=(\S+) smtp=\S+:(\d+)$/.exec(lines.at(-1)!)!
    const call = async (method: string, path: string, body?: object) => {
      const response = await fetch(`${url}/api/v1${path}`, {
        method, headers: { authorization: `Bearer ${key}`, ...body && { 'content-type': 'application/json' } }, body: body && JSON.stringify(body),
      })
      const bytes = Buffer.from(await response.arrayBuffer())
      expect(response.status, `${method} ${path}: ${String(bytes)}`).to.be.within(200, 202)
      return bytes
    }
    const get = async (path: string) => JSON.parse(String(await call('GET', path)))
    return {
      url: url!, call, get,
      post: async (path: string, body: object) => JSON.parse(String(await call('POST', path, body))).data,
      /** Sends a mail, and waits until it is published. */
      async send(address: { id: string, address: string }, mail: object) {
        const { cursor } = await get(`/emails?address_id=${address.id}`)
        const transport = createTransport({ host: '127.0.0.1', port: Number(port), tls: { rejectUnauthorized: false } })
        await transport.sendMail({ from: 'Shop <shop@example.org>', to: address.address, ...mail })
        transport.close()
        return (await get(`/emails/wait?address_id=${address.id}&timeout=20&after=${cursor}`)).data as { id: string }
      },
      async eventsAfter(id: string | undefined, count: number) {
        const reader = await readEvents(url!, key, id === undefined ? {} : { 'last-event-id': id })
        const events = (await reader.until(count)).slice(0, count)
        reader.drop()
        return events
      },
    }
  }
  type ServedClient = ReturnType<typeof clientOf>

  /** A little of everything. */
  async function fill({ post, call, send }: ServedClient) {
    const inbox = await post('/addresses', { alias: 'inbox' })
    const other = await post('/addresses', {})
    const first = await send(inbox, {
      subject: 'Your invoice \u{1F4B0}', text: 'Your code is 482913.', html: '<b>482913</b>',
      attachments: [{ filename: 'a.bin', content: Buffer.from([0, 1, 2, 255, 0]) }],
    })
    const second = await send(other, { subject: 'NUL', text: 'a\0b' })
    await send(inbox, { subject: 'long', attachments: [{ filename: 'b.bin', content: Buffer.alloc(3_000_000, 7) }] })
    await call('PATCH', `/emails/${first.id}`, { isRead: true })
    await call('DELETE', `/emails/${second.id}`)
    await post('/forwarding-addresses', { email: 'ada@example.com' })
    await post('/domains', { domain: 'qa.example.org' })
    await post('/webhooks', { url: 'http://127.0.0.1:9/hook', events: ['email.received'] })
    await post('/emails', { fromAddressId: inbox.id, to: 'grace@example.com', subject: 'sent', body: 'text' })
    await send(inbox, { subject: 'later', text: 'no code' })
  }

  /** All that clients read, by path. */
  async function readAll({ get, call }: ServedClient) {
    const ids: string[] = (await get('/emails')).data.map(({ id }: { id: string }) => id)
    expect(ids.length).to.be.at.least(4)
    const emails = await Promise.all(ids.map((id) => get(`/emails/${id}`)))
    const attachments = emails.flatMap(({ data }) => data.attachments.map(({ id }: { id: string }) => `/emails/${data.id}/attachments/${id}`))
    expect(attachments).to.have.length(2)
    const found: Record<string, string> = {}
    for (const path of [
      '/addresses', '/emails', '/emails?is_deleted=true', `/emails?after=${ids.at(-1)}`, '/emails?q=invoice', '/webhooks', '/domains', '/forwarding-addresses',
      '/analytics', '/analytics/daily', ...ids.flatMap((id) => [`/emails/${id}`, `/emails/${id}/raw`]), ...attachments,
    ]) found[path] = (await call('GET', path)).toString('latin1').replace(/"(cursor|serverTime)":"[^"]*"/g, '') // of the time of the call
    const { data: calls } = await get('/audit-logs?limit=100')
    found['/audit-logs'] = JSON.stringify(calls.filter(({ method }: { method: string }) => method !== 'GET'))
    return found
  }

  it('copies everything: ids, flags and sources; keys, searches and the Last-Event-ID of clients go on working', async () => {
    const env = { ...base, MAYFLY_ALLOW_PRIVATE_WEBHOOKS: 'true', MAYFLY_RATE_LIMIT: '0', MAYFLY_BASE_URL: 'https://mail.example.org' }
    const file = join(folder, 'source.db')
    await using source = await serve({ ...env, MAYFLY_DATABASE: file })
    const [, key] = /once: (svc_live_\w+)/.exec(source.lines[0]!)!
    const client = clientOf(source, key!)
    const live = await readEvents(client.url, key!)
    await fill(client)
    const [first] = await live.until(5)
    live.drop()
    const missed = await client.eventsAfter(first!.id, 4)
    const before = await readAll(client)
    expect(before['/emails?q=invoice']).to.include('Your invoice')
    await source.stop()

    const url = await newPostgresDatabase()
    await runOnPostgres(url, 'create table of_others (id integer)')
    const outcome = await move(file, url)
    expect(outcome.code, outcome.stderr).to.equal(0)
    expect(outcome.stdout).to.match(/^moved \S+\/source\.db to postgres:\/\/postgres@127\.0\.0\.1:\d+\/test_\w+: [4-9] emails, all rows compared, in \d+\.\d s\n$/)
    expect(outcome.stderr).to.match(/^accounts: 1 rows\n/m).and.match(/^emails: \d rows\n/m).and.match(/Set MAYFLY_DATABASE to the new database/)

    await using target = await serve({ ...env, MAYFLY_DATABASE: url })
    expect(target.lines).to.have.length(1) // no new account
    const moved = clientOf(target, key!)
    const after = await readAll(moved)
    for (const [path, text] of Object.entries(before)) expect(after[path], path).to.equal(text)
    expect(await moved.eventsAfter(first!.id, 4)).to.deep.equal(missed)
    const address = await moved.post('/addresses', {})
    await moved.send(address, { subject: 'new', text: 'new' })
    expect((await moved.get(`/emails?address_id=${address.id}`)).data).to.have.length(1)
  })

  it('goes on after it was killed; until it has ended, no server starts on the target', async () => {
    const file = await newSource()
    fillDatabase(file, 100_000_000)
    const url = await newPostgresDatabase()
    await using killed = start(['move', '--from', file], { ...base, MAYFLY_DATABASE: url })
    await killed.says('stderr', /^accounts: 1 rows\n/m)
    await killed.stop('SIGKILL')
    for (const command of [['serve'], ['key', 'list']]) {
      const { code, stderr } = await mayfly(command, { ...base, MAYFLY_DATABASE: url })
      expect([code, stderr.replace(/\S+127\S+/, 'DATABASE')]).to.deep.equal([1, 'mayfly: MAYFLY_DATABASE: DATABASE has a part of a database: '
        + '"mayfly move" is not finished. Run it again, with the same --from, or make the database empty.\n'])
    }
    const second = join(folder, 'second.db')
    await mayfly(['account', 'create', '--email', 'grace@example.org'], { ...base, MAYFLY_DATABASE: second })
    expect(await refused(second, url)).to.match(/^mayfly: --to: the move of another file to \S+ is not finished\. Go on with that file, or make the target empty\.\n$/)
    const { code, stdout, stderr } = await mayfly(['move', '--from', file, '--json'], { ...base, MAYFLY_DATABASE: url })
    expect([code, stderr]).to.deep.equal([0, ''])
    expect((JSON.parse(stdout) as { rows: object }).rows).to.include({ accounts: 1, message_chunks: 1526 })
    await using served = await serve({ ...base, MAYFLY_DATABASE: url })
    expect(served.lines.at(-1)).to.match(/^listening /)
  })

  it('notices that the file has changed since it began', async () => {
    const file = await newSource()
    const url = await newPostgresDatabase()
    await runOnPostgres(url, `create function spoil() returns trigger language plpgsql as $$ begin new.email = 'eve@example.org'; return new; end $$;
      create trigger spoil before insert on accounts for each row execute function spoil()`)
    expect((await refused(file, url)).split('\n').at(-2)).to.match(/^mayfly: --to: \S+ differs from the file in accounts: 1 rows, and 1 in the target, or other values\. The file has changed/)
  })

  it('refuses a file that a server has open, one of another version, and a target with data', async () => {
    const file = await newSource()
    const url = await newPostgresDatabase()
    {
      await using served = await serve({ ...base, MAYFLY_DATABASE: file })
      expect(served.lines.at(-1)).to.match(/^listening /)
      expect(await refused(file, url)).to.match(/^mayfly: --from: another server(, process \d+,)? runs on \S+\/source\.db\. Stop it first\.\n$/)
    }
    const [older, newer] = [join(folder, 'older.db'), join(folder, 'newer.db')]
    await createOlderDatabase(older)
    createNewerDatabase(newer)
    expect(await refused(older, url)).to.match(/^mayfly: --from: \S+ is of an older version\. Bring it up to date first: MAYFLY_DATABASE=\S+older\.db mayfly migrate\n$/)
    expect(await refused(newer, url)).to.match(/^mayfly: --from: \S+ was written by a newer Mayfly \(it has 9999-future\)\. Use that version\.\n$/)
    expect(await refused(join(folder, 'none.db'), url)).to.match(/^mayfly: --from: there is no file \S+none\.db\.\n$/)
    expect(await refused(url, url)).to.equal('mayfly: --from: is a file, unless --account names an account. Whole PostgreSQL databases are copied by pg_dump and pg_restore.\n')
    expect(await refused(file, file)).to.equal('mayfly: --to: is needed, unless MAYFLY_DATABASE is a URL that begins with postgres://\n')
    await mayfly(['account', 'create', '--email', 'grace@example.org'], { ...base, MAYFLY_DATABASE: url })
    expect(await refused(file, url)).to.match(/^mayfly: --to: postgres:\S+ has data already\. Name an empty database\.\n$/)
  })

  it('of one account takes it from one database to another, and can be given up before', async () => {
    const [from, to] = [await newPostgresDatabase(), await newPostgresDatabase()]
    const env = { ...base, MAYFLY_DATABASE: from }
    await mayfly(['account', 'create', '--email', 'ada@example.org'], env)
    const key = await mayfly(['key', 'create', '--account', 'ada@example.org', '--name', 'mine', '--json'], env)
    const run = (...args: string[]) => mayfly(['move', '--account', 'ada@example.org', '--from', from, ...args], env)
    const canceled = await run('--to', to, '--cancel')
    expect(canceled.stdout).to.match(/^ada@example\.org stays in postgres:\S+; postgres:\S+ removes its copy\n$/)
    const { code, stdout, stderr } = await run('--to', to)
    expect([code, stderr]).to.deep.equal([0, ''])
    expect(stdout).to.match(/^moved ada@example\.org to postgres:\S+: it was held for \d+\.\d s; postgres:\S+ removes its rows\n$/)
    const { id } = JSON.parse(key.stdout) as { id: string }
    expect((await mayfly(['key', 'list', '--json'], { ...base, MAYFLY_DATABASE: to })).stdout).to.include(id)
    expect((await mayfly(['key', 'list', '--json'], env)).stdout).to.not.include(id)
    expect((await run('--to', to)).stderr).to.equal('mayfly: --account: is in --to already, and not in --from.\n')
    expect((await run()).stderr).to.equal('mayfly: --to: is the database of --from. Name another one.\n')
    expect((await run('--to', await newPostgresDatabase({ isEmpty: true }))).stderr).to.match(/^mayfly: --to: \S+ has no data of Mayfly\. Start a server on it first\.\n$/)
    const file = await mayfly(['move', '--account', 'ada@example.org', '--from', join(folder, 'a.db'), '--to', to], env)
    expect(file.stderr).to.equal('mayfly: --from: with --account it is a URL that begins with postgres://\n')
    const all = await mayfly(['move', '--from', join(folder, 'a.db'), '--to', to, '--cancel'], env)
    expect(all.stderr).to.equal('mayfly: --cancel: needs --account\n')
  })

  it('of one account says that another one runs, and what to do after an interruption that it had no time for', async () => {
    const [from, to] = [await newPostgresDatabase(), await newPostgresDatabase()]
    const env = { ...base, MAYFLY_DATABASE: from }
    const { stdout } = await mayfly(['account', 'create', '--email', 'ada@example.org', '--json'], env)
    const row = await lockRows(from, 'accounts', (JSON.parse(stdout) as { id: string }).id)
    const run = () => start(['move', '--account', 'ada@example.org', '--from', from, '--to', to], env)
    await using first = run()
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    while ((await runOnPostgres(from, waiting)).length === 0) continue // for the row, to hold the account
    await using second = run()
    await second.says('stderr', /^Another move from this database runs: waiting for it\.\n/)
    const { code, stderr } = await first.stop('SIGINT')
    expect([code, stderr]).to.deep.equal([130, 'mayfly: --account: may still be held: run the same command again, or with --cancel.\n'])
    await row.release()
    expect((await second.ended).stdout).to.match(/^moved ada@example\.org to /)
  })
})
