import { expect } from 'chai'
import { systemClock } from '../../server/clock.ts'
import { inTransaction, openDatabase } from '../../server/store/database.ts'
import type { Database } from '../../server/store/database.ts'
import { claimJobs, enqueue } from '../../server/store/jobs/jobs.ts'
import { removeOldEmails } from '../../server/store/mail/email-removal.ts'
import { migrations } from '../../server/store/migrations/index.ts'
import { openPostgresProxy } from '../support/postgres-proxy.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { newPostgresDatabase } from '../support/postgres.ts'
import { stopTime } from '../support/stopped-time.ts'
import { holdLock } from '../support/store/lock-rows.ts'
import { openPublisher } from '../support/store/publisher.ts'
import { rawSql } from '../support/store/raw-sql.ts'

/** The first migration that a release with PostgreSQL may lack. */
const firstToCheck = '0024-commit-records'
/** Changes after which statements of nodes that do not know of them fail. */
const breaking = /\b(drop (table|column|default)|rename|set not null|(alter|set data) (column \w+ )?(set data )?type)\b|add column (?!.*\bdefault\b).*\bnot null\b/

describe('PostgreSQL', () => {
  let url: string
  let db: Database

  beforeEach(async () => {
    url = await newPostgresDatabase()
    db = await openDatabase(url, systemClock)
  })
  afterEach(() => db.close())

  const insertSecret = (at: Database, name: string, value = '') =>
    inTransaction(at, async (tx) => { await tx.sql.insertInto('secrets').values({ name, value }).execute() })
  const secrets = async () => (await db.sql.selectFrom('secrets').select('name').orderBy('name').execute()).map(({ name }) => name)

  it('compares all texts by their bytes, whatever the locale of the database is', async () => {
    const others = await rawSql(db, `select table_name, column_name from information_schema.columns
      where table_schema = 'public' and data_type = 'text' and collation_name is distinct from 'C'`)
    expect(others).to.deep.equal([])
  })

  it('has migrations that only add to the schema, as nodes of the version before use it', () => {
    for (const sql of ['alter table a drop column b', 'alter table a rename to b', 'alter table a add column b text not null', 'alter table a alter column b type text']) {
      expect(sql).to.match(breaking)
    }
    const checked = migrations.slice(migrations.findIndex(({ name }) => name === firstToCheck))
    expect(checked).to.not.be.empty
    for (const { name, statements } of checked) expect(statements(db.engine).join(';\n'), name).to.not.match(breaking)
  })

  it('returns numbers as numbers, and replaces the NUL character, which it cannot store', async () => {
    await insertSecret(db, 'n\0l', '\uD800')
    expect(await secrets()).to.deep.equal(['n\uFFFDl'])
    expect(await rawSql(db, 'select count(*) as total, sum(1::bigint) as sum, 1 = 1 as is_true from secrets')).to.deep.equal([{ total: 1, sum: 1, is_true: 1 }])
  })

  it('repeats each change of a deadlock until it is committed', async () => {
    await insertSecret(db, 'a', '0')
    await insertSecret(db, 'b', '0')
    const other = await openDatabase(url, systemClock, { migrate: false })
    try {
      const both = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const add = (at: Database, i: number, names: string[]) => inTransaction(at, async (tx) => {
        for (const name of names) {
          await rawSql(tx, `update secrets set value = (value::int + 1)::text where name = $1`, [name])
          both[i]!.resolve()
          await both[1 - i]!.promise
        }
      })
      await Promise.all([add(db, 0, ['a', 'b']), add(other, 1, ['b', 'a'])])
      expect((await db.sql.selectFrom('secrets').select('value').execute()).map(({ value }) => value)).to.deep.equal(['2', '2'])
    } finally {
      await other.close()
    }
  })

  it('goes on after the server has ended its connections', async () => {
    await rawSql(db, 'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()')
    await insertSecret(db, 'later')
    expect(await secrets()).to.deep.equal(['later'])
  })

  it('ends a transaction that is idle for 4 seconds, so that its locks are free, and repeats it', async () => {
    const other = await openDatabase(url, systemClock, { migrate: false })
    try {
      const [locked, resumed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const suspended = inTransaction(other, async (tx) => {
        await rawSql(tx, `insert into secrets (name, value) values ('kept', '')`)
        await db.engine.locks.lockEnd(tx)
        locked.resolve()
        await resumed.promise
        await rawSql(tx, `update secrets set value = 'changed' where name = 'kept'`)
      })
      await locked.promise
      await inTransaction(db, async (tx) => {
        await db.engine.locks.lockEnd(tx)
        await rawSql(tx, `insert into secrets (name, value) values ('next', '')`)
      })
      expect(await secrets()).to.deep.equal(['next'])
      resumed.resolve()
      await suspended
      expect(await rawSql(db, 'select name, value from secrets order by name')).to.deep.equal([{ name: 'kept', value: 'changed' }, { name: 'next', value: '' }])
    } finally {
      await other.close()
    }
  })

  it('publishes 64 mails in at most 12 round trips, and one commit, and removes them in at most 12', async () => {
    const proxy = await openPostgresProxy(new URL(url), { delayMs: 25 })
    const distant = await openDatabase(proxy.url, systemClock, { migrate: false })
    try {
      const publish = await openPublisher(distant, Buffer.from('From: shop@example.org\r\nSubject: Your code\r\n\r\nIt is 482913.\r\n'))
      await publish(1) // opens the connections
      const before = proxy.counts()
      await publish(64)
      const after = proxy.counts()
      expect(after.commits - before.commits).to.equal(1)
      expect(after.roundTrips - before.roundTrips).to.be.at.most(12)
      expect(await rawSql(db, 'select total from email_counts')).to.deep.equal([{ total: 65 }, { total: 65 }])
      const all = { after: '', before: Date.now() + 1_000, limit: 100 }
      expect(await inTransaction(distant, (tx) => removeOldEmails(tx, all))).to.include({ seen: 65, stayed: 0 })
      expect(proxy.counts().roundTrips - after.roundTrips).to.be.at.most(12)
      expect(await rawSql(db, 'select total from email_counts')).to.deep.equal([{ total: 0 }, { total: 0 }])
    } finally {
      await distant.close()
      await proxy.close()
    }
  })

  it('fair share of connections: short queries of one account overtake queued long queries of other accounts', async () => {
    using time = stopTime() // accounts that are busy stay so
    const accounts = ['a', 'b', 'c', 'd']
    for (const account of accounts) {
      const held = await holdLock(url)
      const long = db.engine.runForAccount(account, held.waitIn, db)
      await new Promise(setImmediate) // it has begun
      time.pass(10_000)
      await held.release()
      await long
    }
    let ended = 0
    const held = await holdLock(url)
    const long = accounts.flatMap((account) => Array.from({ length: 6 }, () =>
      db.engine.runForAccount(account, held.waitIn, db).finally(() => { ended++ })))
    await new Promise(setImmediate)
    for (let i = 0; i < 10; i++) await db.engine.runForAccount('short', () => rawSql(db, 'select 1'))
    expect(ended).to.equal(0)
    await held.release()
    await Promise.all(long)
  })

  it('finds the bytes of mail that waits for a job, by the payload of the job', async () => {
    const { waitingBytes } = db.engine.shared!
    const waiting = (addressId: string, accountId: string, size: number) => {
      const recipient = { addressId, accountId, address: `${addressId}@mail.example`, emailId: db.newId() }
      const envelope = { sender: '', recipients: [recipient], remoteAddress: '192.0.2.1', helo: '', tls: false }
      const message = { id: db.newId(), receivedAt: 0, size, envelope }
      return inTransaction(db, (tx) => enqueue(tx, 'parse-message', message, { lane: { account: accountId } }))
    }
    const [one, other] = [db.newId(), db.newId()]
    for (const [address, account, size] of [[one, 'ada', 1_000], [one, 'ada', 20], [other, 'bob', 3]] as const) await waiting(address, account, size)
    await inTransaction(db, (tx) => claimJobs(tx, { task: 'parse-message', laneKey: 'ada', limit: 1, claimedBy: 'node' }))
    expect(await Promise.all(['ada', 'bob', 'eve'].map((account) => waitingBytes(account)))).to.deep.equal([1_020, 3, 0])
  })

  it('keeps no statement for each length of a list', async () => {
    const remove = (length: number) => inTransaction(db, (tx) => tx.sql.deleteFrom('secrets').where('name', 'in', Array.from({ length }, String)).execute())
    for (let length = 5; length < 30; length++) await remove(length)
    const kept = await inTransaction(db, (tx) => rawSql(tx, "select statement from pg_prepared_statements where statement like 'delete from \"secrets\"%'"))
    expect(kept).to.deep.equal([])
  })

  it('works with time limits and an isolation level of its role', async () => {
    const name = new URL(url).pathname.slice(1)
    for (const setting of ["statement_timeout = '20ms'", "transaction_timeout = '20ms'", "default_transaction_isolation = 'serializable'"]) {
      await rawSql(db, `alter database ${name} set ${setting}`)
    }
    const limited = await openDatabase(url, systemClock)
    try {
      const isolation = await inTransaction(limited, (tx) => rawSql(tx, "select current_setting('transaction_isolation') as level, pg_sleep(0.1)"))
      expect(isolation[0]).to.include({ level: 'read committed' })
      expect(await rawSql(limited, 'select 1 as one, pg_sleep(0.1)')).to.have.length(1)
    } finally {
      await limited.close()
    }
  })

  it('is unavailable for changes where the server only reads', async () => {
    await rawSql(db, `alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = on`)
    const reading = await openDatabase(url, systemClock, { migrate: false })
    try {
      const error = await insertSecret(reading, 'refused').then(() => null, (reason: unknown) => reason)
      expect(error).to.include({ status: 503, code: 'INTERNAL_ERROR' })
    } finally {
      await reading.close()
    }
  })

  describe('when the connection is lost during a commit', () => {
    for (const [cut, isCommitted] of [['answer', true], ['request', false]] as const) {
      it(isCommitted ? 'does not repeat what the server has committed' : 'repeats what the server has not committed', async () => {
        const proxy = await openPostgresProxy(new URL(url))
        const cutOff = await openDatabase(proxy.url, systemClock, { migrate: false })
        try {
          await insertSecret(cutOff, 'before')
          proxy.cutNext(cut)
          let runs = 0
          await inTransaction(cutOff, async (tx) => {
            runs++
            await tx.sql.insertInto('secrets').values({ name: 'cut', value: '' }).execute()
          })
          expect(runs).to.equal(isCommitted ? 1 : 2)
          expect(await secrets()).to.deep.equal(['before', 'cut'])
        } finally {
          await cutOff.close()
          await proxy.close()
        }
      })
    }

    it('does not repeat a change while the server takes no connection to ask for its outcome', async () => {
      const proxy = await openPostgresProxy(new URL(url))
      const cutOff = await openDatabase(proxy.url, systemClock, { migrate: false })
      try {
        await insertSecret(cutOff, 'before')
        proxy.cutNext('answer', { refusals: 3 })
        const runs = [0, 0]
        await Promise.all(runs.map((_, i) => inTransaction(cutOff, async (tx) => {
          runs[i]!++
          await tx.sql.insertInto('secrets').values({ name: `cut ${i}`, value: '' }).execute()
        })))
        expect(runs).to.deep.equal([1, 1])
        expect(await secrets()).to.deep.equal(['before', 'cut 0', 'cut 1'])
      } finally {
        await cutOff.close()
        await proxy.close()
      }
    })

    it('repeats what a crash of the server has undone, also when later transactions have got its number', async () => {
      const server = await startPostgres()
      const crashing = await openDatabase(server.url('postgres'), systemClock)
      try {
        let runs = 0
        await inTransaction(crashing, async (tx) => {
          runs++
          await tx.sql.insertInto('secrets').values({ name: 'undone', value: '' }).execute()
          if (runs > 1) return
          await server.restart()
          const later = await openDatabase(server.url('postgres'), systemClock, { migrate: false })
          for (let i = 0; i < 10; i++) await insertSecret(later, `later ${i}`)
          await later.close()
        })
        expect(runs).to.equal(2)
        expect(await rawSql(crashing, `select count(*) as total from secrets where name = 'undone'`)).to.deep.equal([{ total: 1 }])
      } finally {
        await crashing.close()
        await server.stop()
      }
    })
  })
})
