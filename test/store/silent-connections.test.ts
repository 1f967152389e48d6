import { expect } from 'chai'
import { systemClock } from '../../server/clock.ts'
import { inTransaction, openDatabase } from '../../server/store/database.ts'
import type { Database } from '../../server/store/database.ts'
import { openPostgresProxy } from '../support/postgres-proxy.ts'
import { newPostgresDatabase } from '../support/postgres.ts'
import { rawSql } from '../support/store/raw-sql.ts'

/** Maximum time until a call on a silent connection has ended. */
const maxMs = 60_000

describe('PostgreSQL: connections that become silent', () => {
  let url: string
  beforeEach(async () => { url = await newPostgresDatabase() })

  async function open(options: { hidesProcesses?: boolean } = {}) {
    const proxy = await openPostgresProxy(new URL(url), options)
    const db = await openDatabase(proxy.url, systemClock, { migrate: false })
    return {
      proxy, db,
      async [Symbol.asyncDispose]() {
        await db.close()
        await proxy.close()
      },
    }
  }

  /** @returns the number of times that it has run */
  async function insertSecret(db: Database, name: string): Promise<number> {
    let runs = 0
    await inTransaction(db, async (tx) => {
      runs++
      await tx.sql.insertInto('secrets').values({ name, value: '' }).execute()
    })
    return runs
  }
  const secrets = async (db: Database) => (await db.sql.selectFrom('secrets').select('name').orderBy('name').execute()).map(({ name }) => name)
  const sleep = (at: Pick<Database, 'execute'>, seconds: number) => rawSql(at, 'select 1 as one, pg_sleep($1)', [seconds])
  const retryDelays = (db: Database, outcomes: PromiseSettledResult<unknown>[]) =>
    outcomes.map((outcome) => outcome.status === 'rejected' ? db.engine.retryAfterMs(outcome.reason) : 'answered')

  it('reads fail, a change is made once, a snapshot begins on another connection, and all later calls work', async () => {
    await using opened = await open()
    const { db, proxy } = opened
    const total = () => db.snapshot((at) => rawSql(at, 'select count(*) as total from secrets'))
    await Promise.all([...Array.from({ length: 4 }, () => sleep(db, 0.1)), insertSecret(db, 'before'), total()]) // opens all connections
    proxy.freeze()
    const startedAt = performance.now()
    const [outcomes, runs, atLater] = await Promise.all([Promise.allSettled([secrets(db), secrets(db)]), insertSecret(db, 'after'), total()])
    expect(retryDelays(db, outcomes)).to.deep.equal([50, 50])
    expect(runs).to.be.at.most(2)
    expect(atLater[0]!['total']).to.be.within(1, 2)
    // the third connection for reads was not in use: it is not taken any more
    expect(await Promise.all([secrets(db), secrets(db), secrets(db)])).to.deep.equal(Array(3).fill(['after', 'before']))
    expect(performance.now() - startedAt).to.be.below(maxMs)
  })

  it('a commit whose request or answer is lost takes effect once', async () => {
    await using withoutAnswer = await open()
    await using withoutRequest = await open()
    const startedAt = performance.now()
    const runs = await Promise.all(([['answer', withoutAnswer], ['request', withoutRequest]] as const).map(async ([cut, { db, proxy }]) => {
      await insertSecret(db, `before ${cut}`)
      proxy.cutNext(cut, { isSilent: true })
      return insertSecret(db, cut)
    }))
    expect(runs).to.deep.equal([1, 2])
    expect(performance.now() - startedAt).to.be.below(maxMs)
    expect(await secrets(withoutAnswer.db)).to.deep.equal(['answer', 'before answer', 'before request', 'request'])
  })

  it('a query that the server still executes goes on, also where a pooler has other ids of processes', async () => {
    await using direct = await open()
    await using pooled = await open({ hidesProcesses: true })
    const answers = await Promise.all([direct, pooled].flatMap(({ db }) => [sleep(db, 8), inTransaction(db, (tx) => sleep(tx, 8))]))
    expect(answers.map(([row]) => row!['one'])).to.deep.equal([1, 1, 1, 1])
  })

  it('a database with a query on one closes', async () => {
    const { db, proxy } = await open()
    await secrets(db)
    proxy.freeze()
    const startedAt = performance.now()
    const outcomes = Promise.allSettled([secrets(db)])
    await new Promise(setImmediate) // the read has its connection
    await db.close()
    expect(retryDelays(db, await outcomes)).to.deep.equal([50])
    expect(performance.now() - startedAt).to.be.below(maxMs)
    await proxy.close()
  })
})
