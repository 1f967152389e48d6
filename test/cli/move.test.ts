import { expect } from 'chai'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { testClock } from '../support/clock.ts'
import { readEvents } from '../support/event-reader.ts'
import { newPostgresDatabase, runOnPostgres } from '../support/postgres.ts'
import { copyDatabase, createNewerDatabase, createOlderDatabase, fillDatabase } from '../support/store/database-files.ts'
import { mayfly, serve, start } from './run.ts'

const base = { MAYFLY_HTTP_PORT: '0', MAYFLY_SMTP_PORT: '0', MAYFLY_MIN_FREE_BYTES: '0', MAYFLY_LOG_LEVEL: 'silent' }

describe('CLI: move', function () {
  this.timeout(90_000)
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

  /** A little of everything. @returns the id of the second last event that a client has seen */
  async function fill(app: TestApp) {
    const inbox = await app.newAddress({ alias: 'inbox' })
    const other = await app.newAddress()
    const post = async (path: string, body: object) => {
      const { status, body: answer } = await app.api('POST', path, { body })
      expect(status, JSON.stringify(answer)).to.be.within(200, 202)
      return answer.data
    }
    await app.send({
      to: inbox.address, subject: 'Your invoice \u{1F4B0}', text: 'Your code is 482913.', html: '<b>482913</b>',
      attachments: [{ filename: 'a.bin', content: Buffer.from([0, 1, 2, 255, 0]) }],
    })
    await app.send({ to: [inbox.address, other.address], subject: 'NUL', text: 'a\0b' })
    await app.send({ to: inbox.address, subject: 'long', attachments: [{ filename: 'b.bin', content: Buffer.alloc(3_000_000, 7) }] })
    await app.settled()
    const [newest, oldest] = await app.listEmails({ address_id: inbox.id })
    await app.api('GET', `/emails/${oldest!.id}`)
    await app.api('PATCH', `/emails/${newest!.id}`, { body: { isRead: true } })
    await app.api('DELETE', `/emails/${(await app.listEmails({ address_id: other.id }))[0]!.id}`)
    await post('/forwarding-addresses', { email: 'ada@example.com' })
    await post('/domains', { domain: 'qa.example.org' })
    await post('/webhooks', { url: 'http://127.0.0.1:9/hook', events: ['email.received'] })
    await post('/emails', { fromAddressId: inbox.id, to: 'grace@example.com', subject: 'sent', body: 'text' })
    await app.newKey({ account: app.account })
    await app.settled()
    await app.send({ to: inbox.address, subject: 'later', text: 'no code' })
    await app.settled()
  }

  /** All that clients read, by path. */
  async function readAll(app: TestApp, key: string) {
    const read = async (path: string) => {
      const { status, body } = await app.api('GET', path, { key })
      expect(status, path).to.equal(200)
      return Buffer.isBuffer(body) ? body.toString('base64') : body
    }
    const { data } = await read('/emails')
    const ids: string[] = data.map(({ id }: { id: string }) => id)
    expect(ids.length).to.be.at.least(4)
    const emails = await Promise.all(ids.map((id) => read(`/emails/${id}`)))
    const attachments = emails.flatMap(({ data: email }) => email.attachments.map(({ id }: { id: string }) => `/emails/${email.id}/attachments/${id}`))
    expect(attachments).to.have.length(2)
    const paths = [
      '/addresses', '/emails', '/emails?is_deleted=true', '/webhooks', '/domains', '/forwarding-addresses', '/analytics', '/analytics/daily', '/audit-logs', '/api-keys',
      ...ids.map((id) => `/emails/${id}`), ...ids.map((id) => `/emails/${id}/raw`), ...attachments,
    ]
    const found: Record<string, unknown> = {}
    for (const path of paths) {
      const { status, body } = await app.api('GET', path, { key })
      found[path] = [status, Buffer.isBuffer(body) ? body.toString('base64') : body]
    }
    return found
  }

  async function readEventIds(app: TestApp, key: string, after: string, count: number) {
    const reader = await readEvents(app.url, key, { 'last-event-id': after })
    const events = await reader.until(count)
    reader.drop()
    await reader.ended
    return events.map(({ id, event, data }) => ({ id, event, data }))
  }

  it('copies everything: ids, flags and sources; keys, searches and the Last-Event-ID of clients go on working', async () => {
    const file = join(folder, 'source.db')
    const clock = testClock()
    let key: string
    let before: Record<string, unknown>
    let firstId: string
    let missed: unknown[]
    {
      await using app = await openTestApp({ clock })
      key = app.key
      const first = await readEvents(app.url, key)
      await fill(app)
      const events = await first.until(5)
      first.drop()
      await first.ended
      firstId = events[0]!.id
      missed = await readEventIds(app, key, firstId, 4)
      before = await readAll(app, key)
      copyDatabase(app, file)
    }
    const url = await newPostgresDatabase()
    const outcome = await move(file, url)
    expect(outcome.code, outcome.stderr).to.equal(0)
    expect(outcome.stdout).to.match(/^moved \S+\/source\.db to postgres:\/\/postgres@127\.0\.0\.1:\d+\/test_\w+: [4-9] emails, all rows compared, in \d+\.\d s\n$/)
    expect(outcome.stderr).to.match(/^accounts: 1 rows\n/m).and.match(/^emails: \d rows\n/m).and.match(/Set MAYFLY_DATABASE to the new database/)

    await using moved = await openTestApp({ clock, database: url })
    expect(await readAll(moved, key)).to.deep.equal(before)
    expect((await readEventIds(moved, key, firstId, 4)).slice(0, 4)).to.deep.equal(missed.slice(0, 4))
    await moved.settled()
    const found = await moved.api('GET', '/emails?q=invoice', { key })
    expect(found.body.data.map(({ subject }: { subject: string }) => subject)).to.deep.equal(['Your invoice \u{1F4B0}'])
    // new rows have new numbers
    const { body: { data: address } } = await moved.api('POST', '/addresses', { key, body: {} })
    await moved.send({ to: address.address, subject: 'new', text: 'new' })
    await moved.settled()
    expect((await moved.api('GET', `/emails?address_id=${address.id}`, { key })).body.data).to.have.length(1)
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
    expect((JSON.parse(stdout) as { rows: object }).rows).to.include({ accounts: 1, message_chunks: 1525 })
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
      await using _served = await serve({ ...base, MAYFLY_DATABASE: file })
      expect(await refused(file, url)).to.match(/^mayfly: --from: another server(, process \d+,)? runs on \S+\/source\.db\. Stop it first\.\n$/)
    }
    const [older, newer] = [join(folder, 'older.db'), join(folder, 'newer.db')]
    await createOlderDatabase(older)
    createNewerDatabase(newer)
    expect(await refused(older, url)).to.match(/^mayfly: --from: \S+ is of an older version\. Bring it up to date first: MAYFLY_DATABASE=\S+older\.db mayfly migrate\n$/)
    expect(await refused(newer, url)).to.match(/^mayfly: --from: \S+ was written by a newer Mayfly \(it has 9999-future\)\. Use that version\.\n$/)
    expect(await refused(join(folder, 'none.db'), url)).to.match(/^mayfly: --from: there is no file \S+none\.db\.\n$/)
    expect(await refused(url, url)).to.equal('mayfly: --from: is a file. PostgreSQL databases are copied by pg_dump and pg_restore.\n')
    expect(await refused(file, file)).to.equal('mayfly: --to: is needed, unless MAYFLY_DATABASE is a URL that begins with postgres://\n')
    await mayfly(['account', 'create', '--email', 'grace@example.org'], { ...base, MAYFLY_DATABASE: url })
    expect(await refused(file, url)).to.match(/^mayfly: --to: postgres:\S+ has data already\. Name an empty database\.\n$/)
  })
})
