import { expect } from 'chai'
import type { CheckContext, Finding } from '../../cli/doctor/check.ts'
import { databaseLoad } from '../../cli/doctor/database-load.ts'
import type { Result } from '../../cli/doctor/diagnose.ts'
import type { ServerFacts } from '../../server/store/inspect.ts'
import { freePort } from '../support/dns-server.ts'
import { newPostgresDatabase, runOnPostgres } from '../support/postgres.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { holdEnds, holdSnapshot, leaveDeadRows } from '../support/store/vacuum-holders.ts'
import { openTransactionPooler } from '../support/transaction-pooler.ts'
import { mayfly, serve } from './run.ts'
import { useDoctorWorld } from './doctor-world.ts'

describe('CLI: doctor, for PostgreSQL', function () {
  const { local, complaints, finding } = useDoctorWorld()
  const on = (url: string) => ({ ...local(), MAYFLY_DATABASE: url })
  /** The complaints about the server, without the settings with which tests have their server run. */
  const aboutServer = async (url: string, env = {}) => (await complaints({ ...on(url), ...env })).filter(({ name }) => name === 'database-server')
    .map(({ status, found }) => `${status}: ${found}`).filter((text) => !/^problem: (fsync|full_page_writes) is off/.test(text))

  /** Sets the clock of a database: a function that is found before that of the server has another time. */
  const setAhead = (url: string, time: string) => runOnPostgres(url,
    `create schema fake; alter database ${new URL(url).pathname.slice(1)} set search_path = fake, pg_catalog, public;
      create function fake.clock_timestamp() returns timestamptz language sql as $$ select pg_catalog.clock_timestamp() + interval '${time}' $$`)

  it('recognizes a server on the database, in place of the disk', async () => {
    const url = await newPostgresDatabase()
    await using served = await serve({ ...on(url), MAYFLY_LOG_LEVEL: 'silent' })
    const { stdout } = await mayfly(['doctor'], on(url))
    expect(stdout).to.match(/\nok {7}database +postgres:\/\/postgres@127\.0\.0\.1:\d+\/test_\w+ can be opened, a server runs on it\n/)
    expect(stdout).to.match(/\nok {7}database-server +PostgreSQL \d+\.\d+, [\d.]+ MB, \d+ of \d+ connections in use, 1 node\n/)
    expect(stdout).to.not.match(/\n\w+ +disk /)
    await served.stop()
    expect((await finding('database', on(url))).found).to.match(/ can be opened, no server runs on it$/)
  })

  it('reports a server that cannot be used, without its password', async () => {
    const { status, found, advice } = await finding('database', on(`postgres://ada:secret@127.0.0.1:${await freePort()}/mayfly`))
    expect([status, advice]).to.deep.equal(['problem', 'Correct this, then start the server. It waits a minute for a database that only starts later, and ends at once for another reason.'])
    expect(found).to.match(/^postgres:\/\/ada@127\.0\.0\.1:\d+\/mayfly takes no connections: no server listens there\./)
  })

  it('reports settings with which a crash loses mail, for the whole server and for the database', async () => {
    const url = await newPostgresDatabase()
    await runOnPostgres(url, `alter database ${new URL(url).pathname.slice(1)} set synchronous_commit = off`)
    const found = (await complaints(on(url))).filter(({ name }) => name === 'database-server')
    expect(found.map((each) => `${each.status}: ${each.found} → ${each.advice}`)).to.deep.equal([
      'problem: fsync is off: a crash of its machine can destroy the whole database → Set fsync to on in postgresql.conf, and for the user and the database of Mayfly.',
      'problem: full_page_writes is off: a crash of its machine can destroy pages of the database → Set full_page_writes to on in postgresql.conf, and for the user and the database of Mayfly.',
      'problem: synchronous_commit is off: a crash loses mail that was accepted with 250 → Set synchronous_commit to on in postgresql.conf, and for the user and the database of Mayfly.',
    ])
  })

  it('reports commits that wait for no standby, where the server has one to wait for', async () => {
    const server = await startPostgres({ settings: { synchronous_standby_names: 'standby', synchronous_commit: 'local' } })
    try {
      expect(await aboutServer(server.url('postgres'))).to.deep.equal([
        'warning: synchronous_commit is local: a fail-over to a standby loses mail that was accepted with 250',
      ])
    } finally {
      await server.stop()
    }
  })

  it('reports a database that only reads', async () => {
    const url = await newPostgresDatabase()
    await runOnPostgres(url, `alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = on`)
    expect((await finding('database', on(url))).found).to.match(/ only reads: it is a standby, or /)
  })

  it('reports a clock that differs from that of this machine', async () => {
    const url = await newPostgresDatabase()
    expect(await aboutServer(url)).to.deep.equal([])
    await setAhead(url, '-1 hour')
    const [found, ...others] = await aboutServer(url)
    expect(others).to.deep.equal([])
    expect(found).to.match(/^warning: its clock is (3599|3600)\.\d s behind the one of this machine$/)
  })

  describe('load of the database:', () => {
    const aboutLoad = async (url: string) => (await complaints(on(url))).filter(({ name }) => name === 'database-load')

    it('sums up tables, dead rows, the oldest transaction and the wait of a commit', async () => {
      const url = await newPostgresDatabase()
      await leaveDeadRows(url, 'secrets', 100)
      const { status, found } = await finding('database-load', on(url))
      expect(status).to.equal('ok')
      expect(found).to.match(/^tables [\d.]+ kB, indexes [\d.]+ kB, \d+ % of the rows dead, oldest transaction 0 s, [\d.]+ ms until a commit has its turn$/)
      expect(Number(/(\d+) %/.exec(found)![1])).to.be.above(20)
    })

    it('reports a transaction that has been open for more than an hour', async () => {
      const url = await newPostgresDatabase()
      const held = await holdSnapshot(url)
      try {
        expect(await aboutLoad(url)).to.deep.equal([])
        await setAhead(url, '2 hours')
        const [{ status, found, advice }] = await aboutLoad(url) as [Result]
        expect(status).to.equal('warning')
        expect(found).to.match(/^a transaction of 2\.0 hours, \d+ transactions old, keeps vacuum from removing dead rows$/)
        expect(advice).to.match(/^pg_stat_activity has it /)
      } finally {
        await held.release()
      }
    })

    it('reports whatever keeps many dead rows, and the tables that have them', async () => {
      const table = { name: 'jobs', liveRows: 100, deadRows: 1_000_000, rowBytes: 9_000_000, indexBytes: 1_000_000 }
      const figures: ServerFacts['figures'] = {
        tables: [table, { ...table, name: 'emails', liveRows: 4_000_001 }, { ...table, name: 'secrets', deadRows: 999_999 }],
        holders: [
          { kind: 'slot', transactions: 1_000_000, seconds: null },
          { kind: 'prepared', transactions: 7, seconds: 3_600 },
          { kind: 'standby', transactions: 999_999, seconds: 3_599 },
        ],
      }
      const context = { database: { kind: 'server', facts: { figures, lockMs: 0.5 } } } as unknown as CheckContext
      expect((await databaseLoad.run(context) as Finding[]).map(({ status, found }) => `${status}: ${found}`)).to.deep.equal([
        'warning: a replication slot, 1000000 transactions old, keeps vacuum from removing dead rows',
        'warning: a prepared transaction of 1.0 hours, 7 transactions old, keeps vacuum from removing dead rows',
        'warning: 1000000 rows of jobs are dead, 100 are not',
        'ok: tables 27 MB, indexes 3 MB, 43 % of the rows dead, oldest transaction 3600 s, 0.5 ms until a commit has its turn',
      ])
    })

    it('reports commits that wait for one another', async () => {
      const url = await newPostgresDatabase()
      const held = await holdEnds(url)
      try {
        expect((await aboutLoad(url)).map(({ status, found }) => `${status}: ${found}`)).to.deep.equal([
          'warning: a commit waits 2.0 s for those of other nodes',
        ])
      } finally {
        await held.release()
      }
    })
  })

  it('reports a pooler, and that its transaction mode loses locks', async () => {
    const url = await newPostgresDatabase()
    const pooler = await openTransactionPooler(new URL(url))
    try {
      expect(await aboutServer(pooler.url)).to.deep.equal([
        'problem: a pooler in transaction mode stands between this machine and the server: LISTEN and locks of a session are lost',
      ])
    } finally {
      await pooler.close()
    }
  })

  it('reports fewer connections than the nodes may open', async () => {
    const server = await startPostgres({ settings: { max_connections: 20 } })
    try {
      const url = server.url('postgres')
      await mayfly(['account', 'create', '--email', 'ada@example.com'], on(url))
      for (const [threads, connections] of [['1', 19], ['3', 25]] as const) {
        expect(await aboutServer(url, { MAYFLY_PARSE_THREADS: threads }))
          .to.deep.equal([`warning: 1 node may open ${connections} connections, ${connections} each, and the server takes 17`])
      }
    } finally {
      await server.stop()
    }
  })
})
