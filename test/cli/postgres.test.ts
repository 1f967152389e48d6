import { expect } from 'chai'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../support/dns-server.ts'
import { openPostgresProxy } from '../support/postgres-proxy.ts'
import { newPostgresDatabase, runOnPostgres } from '../support/postgres.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { createOlderPostgres } from '../support/store/database-files.ts'
import { mayfly, serve, start } from './run.ts'
import type { Variables } from './run.ts'

const free: Variables = { MAYFLY_HTTP_PORT: '0', MAYFLY_SMTP_PORT: '0', MAYFLY_LOG_LEVEL: 'warn', MAYFLY_MIN_FREE_BYTES: '0' }

describe('CLI: PostgreSQL', function () {
  let folder: string
  before(async () => { folder = await mkdtemp(join(tmpdir(), 'mayfly-cli-postgres-')) })
  after(() => rm(folder, { recursive: true }))

  const on = (url: string): Variables => ({ ...free, MAYFLY_DATABASE: url })
  async function succeed(args: string[], variables: Variables) {
    const outcome = await mayfly(args, variables)
    expect([outcome.code, outcome.stderr.replaceAll(/^(Keep it|It is in).*\n/gm, '')], args.join(' ')).to.deep.equal([0, ''])
    return outcome.stdout
  }
  async function fails(args: string[], variables: Variables) {
    const { code, stdout, stderr } = await mayfly(args, variables)
    expect([code, stdout], `${args.join(' ')}: ${stderr}`).to.deep.equal([1, ''])
    expect(stderr).to.match(/^mayfly: [^\n]+\n$/)
    expect(stderr).to.not.include('secret')
    return stderr.slice('mayfly: '.length, -1)
  }

  it('account, key, outbox and migrate work on the database', async () => {
    const variables = on(await newPostgresDatabase())
    expect(await succeed(['account', 'create', '--email', 'ada@example.com'], variables)).to.match(/^account ada@example\.com, plan business/)
    expect(await succeed(['account', 'list'], variables)).to.match(/\nada@example\.com +business /)
    const key = (await succeed(['key', 'create', '--name', 'ci'], variables)).trim()
    expect(key).to.match(/^svc_live_\w{33}$/)
    expect(await succeed(['key', 'list'], variables)).to.match(/ ada@example\.com +ci /)
    expect(await succeed(['outbox', 'list', '--json'], variables)).to.equal('[]\n')
    expect(await succeed(['migrate'], variables)).to.match(/^postgres:\/\/postgres@127\.0\.0\.1:\d+\/test_\w+: schema \d{4}-[\w-]+, up to date\n$/)
    await using served = await serve({ ...variables, MAYFLY_LOG_LEVEL: 'silent' })
    const [, http] = /http=(\S+)/.exec(served.lines.at(-1)!)!
    const { status } = await fetch(`${http}/api/v1/addresses`, { headers: { authorization: `Bearer ${key}` } })
    expect(status).to.equal(200)
    expect(await succeed(['account', 'delete', 'ada@example.com', '--yes', '--json'], variables)).to.include('ada@example.com')
  })

  it('serve makes the tables of an empty database; other commands name the way to them', async () => {
    const url = await newPostgresDatabase()
    await runOnPostgres(url, 'drop schema public cascade; create schema public')
    for (const command of [['key', 'list'], ['account', 'list'], ['migrate'], ['outbox', 'list']]) {
      expect(await fails(command, on(url))).to.match(/^MAYFLY_DATABASE: postgres:\/\/postgres@127\.0\.0\.1:\d+\/test_\w+ is empty\. Name the database of the server, or start "mayfly serve", which makes its tables\.$/)
    }
    await using served = await serve({ ...on(url), MAYFLY_LOG_LEVEL: 'silent' })
    expect(served.lines[0]).to.match(/^account owner@mail\.localhost \(Business\), its API key, shown this once: svc_live_/)
    expect(await succeed(['account', 'list'], on(url))).to.include('owner@mail.localhost')
  })

  it('migrate applies the missing migration, also while a node of the version before runs', async () => {
    const url = await newPostgresDatabase({ isEmpty: true })
    const missing = await createOlderPostgres(url)
    await runOnPostgres(url, `insert into nodes (id, label, version, started_at, beat_at)
      select 'other', 'other/1', '0.0.9', now, now from (select (extract(epoch from clock_timestamp()) * 1000)::bigint as now) as clock`)
    expect(await succeed(['migrate'], on(url))).to.match(new RegExp(`\napplied ${missing}\n$`))
    expect(await succeed(['account', 'create', '--email', 'ada@example.com'], on(url))).to.match(/^account ada@example\.com/)
  })

  it('commands for files refuse, with the way out', async () => {
    const variables = on('postgres://mayfly:secret@db.example/mayfly')
    for (const [args, wayOut] of [
      [['backup', join(folder, 'copy.db')], /^MAYFLY_DATABASE: this command is for a database in a file\. Copy one of a PostgreSQL server by pg_dump/],
      [['restore', join(folder, 'copy.db')], /^MAYFLY_DATABASE: this command is for a database in a file\. Restore one of a PostgreSQL server by pg_restore/],
      [['tail'], /^MAYFLY_DATABASE: this command is for a database in a file\. Each node of a PostgreSQL database writes these events to its log/],
    ] as const) {
      expect(await fails([...args], variables)).to.match(wayOut)
    }
    expect(await fails(['migrate', '--dry-run'], on(await newPostgresDatabase())))
      .to.match(/^--dry-run: is for a database in a file\. Copy that of a PostgreSQL server by pg_dump/)
    expect(await readdir(folder)).to.deep.equal([])
  })

  describe('names the cause and the way out, without the password, when', () => {
    let server: Awaited<ReturnType<typeof startPostgres>>
    let url: string
    before(async () => {
      server = await startPostgres({ password: 'secret of the server' })
      url = server.url('mayfly')
      await runOnPostgres(server.url('postgres'), 'create database mayfly template template0')
    })
    after(() => server.stop())

    const changed = (change: (url: URL) => void) => {
      const other = new URL(url)
      change(other)
      return other.href
    }
    async function refused(database: string, more: Variables = {}) {
      const [text, ...others] = await Promise.all([['serve'], ['key', 'list']].map((command) => fails(command, { ...on(database), ...more })))
      expect(others).to.deep.equal([text])
      return text!
    }

    it('the password is wrong or missing', async () => {
      expect(await refused(changed((wrong) => { wrong.password = 'secret-2' })))
        .to.match(/^MAYFLY_DATABASE: postgres:\/\/postgres@127\.0\.0\.1:\d+\/mayfly refuses the password of the user postgres\. Correct it in the URL or in the file of MAYFLY_DATABASE_PASSWORD_FILE\.$/)
      expect(await refused(changed((wrong) => { wrong.password = '' })))
        .to.match(/asks for a password\. Add it to the URL, or name a file with it in MAYFLY_DATABASE_PASSWORD_FILE\.$/)
    })

    it('the password of the file is wrong', async () => {
      const file = join(folder, 'password')
      await writeFile(file, 'secret/3#\n')
      expect(await refused(changed((wrong) => { wrong.password = '' }), { MAYFLY_DATABASE_PASSWORD_FILE: file })).to.match(/refuses the password of the user postgres\./)
      await rm(file)
    })

    it('the password of the file is wrong, for the target of a move', async () => {
      const [file, password] = [join(folder, 'source.db'), join(folder, 'password')]
      await succeed(['account', 'create', '--email', 'ada@example.org'], on(file))
      await runOnPostgres(server.url('postgres'), 'create database target template template0')
      const to = changed((target) => { [target.pathname, target.password] = ['/target', ''] })
      await writeFile(password, 'secret-4')
      const variables = { ...free, MAYFLY_DATABASE_PASSWORD_FILE: password }
      expect(await fails(['move', '--from', file, '--to', to], variables)).to.match(/^--to: postgres:\S+ refuses the password of the user postgres\./)
      await writeFile(password, 'secret of the server')
      expect(await succeed(['move', '--from', file, '--to', to, '--json'], variables)).to.include('"accounts":1')
    })

    it('the user or the database does not exist', async () => {
      expect(await refused(changed((wrong) => { wrong.pathname = '/other' }))).to.match(/\/other does not exist\. Make it: create database other owner postgres encoding 'UTF8' template template0$/)
      expect(await refused(changed((wrong) => { wrong.username = 'ada' }))).to.match(/refuses the password of the user ada\./)
    })

    it('the user may make no tables', async () => {
      await runOnPostgres(url, "create role guest login password 'guest'")
      expect(await refused(changed((wrong) => { [wrong.username, wrong.password] = ['guest', 'guest'] })))
        .to.match(/lets the user guest make no tables\. As its owner run: grant create on schema public to guest$/)
    })

    it('the user may not read its tables', async () => {
      await runOnPostgres(server.url('postgres'), 'create database served template template0')
      await succeed(['account', 'create', '--email', 'ada@example.org'], on(server.url('served')))
      expect(await refused(changed((wrong) => { [wrong.username, wrong.password, wrong.pathname] = ['guest', 'guest', '/served'] })))
        .to.match(/does not let the user guest use it\. Grant the rights on this database and its tables to that user\.$/)
    })

    it('it has a table of another program', async () => {
      await runOnPostgres(server.url('postgres'), 'create database others template template0')
      await runOnPostgres(server.url('others'), 'create table accounts (id integer)')
      expect(await refused(server.url('others'))).to.match(/\/others has a table "accounts" that is not of Mayfly\. Name a database of its own\.$/)
    })

    it('the server is too old, or the encoding is not UTF8', async () => {
      await runOnPostgres(server.url('postgres'), "create database latin encoding 'LATIN1' locale 'C' template template0")
      expect(await refused(server.url('latin'))).to.match(/\/latin has the encoding LATIN1\. Make it anew: create database latin encoding 'UTF8' template template0$/)
      // a function that is found before that of the server reports another version
      await runOnPostgres(server.url('postgres'), 'create database old template template0')
      await runOnPostgres(server.url('old'), `create schema fake; alter database old set search_path = fake, pg_catalog, public;
        create function fake.current_setting(name text) returns text language sql
          as $$ select case name when 'server_version_num' then '130022' else pg_catalog.current_setting(name) end $$`)
      expect(await refused(server.url('old'))).to.match(/\/old is on PostgreSQL 13\. Mayfly needs version 14 or a newer one\.$/)
    })

    it('the URL asks for TLS, which the server does not offer', async () => {
      expect(await refused(`${url}?sslmode=require`)).to.match(/\/mayfly does not offer TLS\. Turn it on at the server, or remove sslmode from the URL\.$/)
    })

    it('no server listens there, for a command', async () => {
      const port = String(await freePort())
      expect(await fails(['key', 'list'], on(changed((wrong) => { wrong.port = port }))))
        .to.match(new RegExp(`:${port}/mayfly takes no connections: no server listens there\\. Start it, or correct host and port\\.$`))
      expect(await fails(['key', 'list'], on(changed((wrong) => { wrong.hostname = 'db.invalid' })))).to.match(/cannot be reached: the host db\.invalid (is not known|cannot be looked up)/)
    })

    it('its connections end while it serves, at any level of the log', async () => {
      await runOnPostgres(server.url('postgres'), 'create database ended template template0')
      await using served = await serve({ ...on(server.url('ended')), MAYFLY_LOG_LEVEL: 'trace' })
      const [, http] = /http=(\S+)/.exec(served.lines.at(-1)!)!
      await runOnPostgres(server.url('postgres'), "alter database ended allow_connections false; select pg_terminate_backend(pid) from pg_stat_activity where datname = 'ended'")
      const unready = await fetch(`${http}/readyz`)
      expect([unready.status, await unready.json()]).to.deep.equal([503, { status: 'unavailable', reason: 'the database does not answer' }])
      await runOnPostgres(server.url('postgres'), 'alter database ended allow_connections true')
      expect((await fetch(`${http}/readyz`)).status).to.equal(200)
      const { code, stderr } = await served.stop()
      expect(code).to.equal(0)
      expect(stderr).to.include('the database does not answer').and.not.include('secret of').and.not.include('secret%20of')
    })

    it('its server ends while it serves: requests and /readyz are answered 503', async () => {
      await runOnPostgres(server.url('postgres'), 'create database unavailable template template0')
      const proxy = await openPostgresProxy(new URL(server.url('unavailable')))
      await using served = await serve(on(proxy.url))
      const [, http] = /http=(\S+)/.exec(served.lines.at(-1)!)!
      const [, key] = /once: (svc_live_\w+)/.exec(served.lines[0]!)!
      await proxy.close()
      const failed = await fetch(`${http}/api/v1/addresses`, { headers: { authorization: `Bearer ${key}` } })
      expect([failed.status, await failed.json()])
        .to.deep.equal([503, { error: 'This server cannot use its database at the moment. Try again in some seconds.', code: 'INTERNAL_ERROR' }])
      expect((await fetch(`${http}/readyz`)).status).to.equal(503)
      await served.stop('SIGKILL')
    })

    it('the database only reads, for a command', async () => {
      await runOnPostgres(server.url('postgres'), 'create database standby template template0')
      await runOnPostgres(server.url('standby'), 'alter database standby set default_transaction_read_only = on')
      expect(await fails(['key', 'list'], on(server.url('standby')))).to.match(/\/standby only reads: it is a standby, or set to default_transaction_read_only\. Name the primary, or promote it\.$/)
    })
  })

  describe('serve', () => {
    it('waits for a server that starts later, with one line in the log', async () => {
      const port = await freePort()
      await using served = start(['serve'], on(`postgres://postgres:secret@127.0.0.1:${port}/postgres`))
      const [line] = await served.says('stderr', /\{.*takes no connections.*\}\n/)
      expect((JSON.parse(line) as { msg: string }).msg).to.equal(`MAYFLY_DATABASE: postgres://postgres@127.0.0.1:${port}/postgres takes no connections: `
        + 'no server listens there. Start it, or correct host and port. It is tried again for a minute.')
      const server = await startPostgres({ port })
      try {
        await served.says('stdout', /listening/)
        const { code, stderr } = await served.stop('SIGTERM')
        expect(code).to.equal(0)
        expect(stderr.match(/takes no connections/g)).to.have.length(1)
        expect(stderr).to.not.include('secret')
      } finally {
        await server.stop()
      }
    })

    it('ends at a signal while it waits', async () => {
      await using served = start(['serve'], on(`postgres://postgres@127.0.0.1:${await freePort()}/postgres`))
      await served.says('stderr', /takes no connections/)
      expect((await served.stop('SIGTERM')).code).to.equal(0)
    })
  })
})
