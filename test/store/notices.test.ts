import { expect } from 'chai'
import { systemClock } from '../../server/clock.ts'
import { inTransaction, openDatabase } from '../../server/store/database.ts'
import type { Database } from '../../server/store/database.ts'
import type { Notices } from '../../server/store/shared-database.ts'
import { enqueue } from '../../server/store/jobs/jobs.ts'
import { newPostgresDatabase } from '../support/postgres.ts'
import { rawSql } from '../support/store/raw-sql.ts'

describe('PostgreSQL: notices of other nodes', function () {

  let url: string
  let db: Database
  const open: Notices[] = []

  beforeEach(async () => {
    url = await newPostgresDatabase()
    db = await openDatabase(url, systemClock)
  })
  afterEach(async () => {
    for (const notices of open.splice(0)) await notices.close()
    await db.close()
  })

  async function openListener() {
    const received: (Set<string> | null)[] = []
    const failures: unknown[] = []
    let wake = () => {}
    const notices = await db.engine.shared!.openNotices({
      receive(topics) {
        received.push(topics)
        wake()
      },
      failed: (error) => failures.push(error),
    })
    open.push(notices)
    return {
      notices, received, failures,
      async until(isReached: () => boolean) {
        while (!isReached()) await new Promise<void>((resolve) => { wake = resolve })
      },
    }
  }
  const topicsOf = (received: (Set<string> | null)[]) => received.flatMap((topics) => topics ? [...topics] : [null])

  it('name the topics to all other nodes, and not to the sender', async () => {
    const [a, b, c] = [await openListener(), await openListener(), await openListener()]
    a.notices.send(new Set(['events/1/live', 'jobs/deliver-mail/"ü\n\\/x']))
    await Promise.all([b, c].map((node) => node.until(() => node.received.length > 0)))
    b.notices.send(new Set(['from b']))
    await a.until(() => a.received.length > 0)
    expect(topicsOf(a.received)).to.deep.equal(['from b'])
    expect(topicsOf(b.received)).to.deep.equal(['events/1/live', 'jobs/deliver-mail/"ü\n\\/x'])
    expect(topicsOf(c.received).slice(0, 2)).to.deep.equal(topicsOf(b.received))
  })

  it('are divided where a payload would be too long, and name no topic where there are too many', async () => {
    const [a, b] = [await openListener(), await openListener()]
    const many = new Set(Array.from({ length: 900 }, (_, i) => `jobs/authenticate-message/${'ä'.repeat(50)}/${i}`))
    a.notices.send(many)
    await b.until(() => topicsOf(b.received).length >= many.size)
    expect(b.received.length).to.be.greaterThan(1)
    expect(new Set(topicsOf(b.received))).to.deep.equal(many)

    b.received.length = 0
    a.notices.send(new Set(Array.from({ length: 1_001 }, (_, i) => `events/${i}/live`)))
    await b.until(() => b.received.length > 0)
    a.notices.send(new Set(['x'.repeat(9_000)]))
    await b.until(() => b.received.length > 1)
    expect(b.received).to.deep.equal([null, null])
  })

  it('go on after the connections were lost, and both sides look at everything', async () => {
    const [a, b] = [await openListener(), await openListener()]
    await rawSql(db, `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'mayfly notices' and datname = current_database()`)
    await Promise.all([a, b].map((node) => node.until(() => node.received.includes(null))))
    expect([a.failures.length, b.failures.length]).to.deep.equal([1, 1])
    while (!topicsOf(b.received).includes('later')) {
      a.notices.send(new Set(['later'])) // a sender whose connection is not open yet keeps none
      await new Promise(setImmediate)
    }
  })

  it('are not needed for due jobs, which are found by their lanes, some at a time', async () => {
    await inTransaction(db, async (tx) => {
      for (let i = 0; i < 1_500; i++) {
        await enqueue(tx, 'deliver-webhook', { deliveryId: 'd' }, { lane: { account: 'a', webhook: String(i).padStart(4, '0') }, runAt: i % 2 ? tx.now : tx.now + 60_000 })
      }
      await enqueue(tx, 'purge-account', { accountId: 'a', eventsAfter: null })
    })
    const { dueLanes } = db.engine.shared!
    const first = await dueLanes(db.now(), undefined)
    expect(first.due).to.have.length(500)
    const second = await dueLanes(db.now(), first.last)
    expect(second.last).to.equal(undefined)
    const lanes = [...first.due, ...second.due].map(({ task, lane }) => `${task} ${lane}`)
    expect(lanes).to.have.length(751)
    expect(new Set(lanes).size).to.equal(751)
    expect(lanes.at(-1)).to.equal('purge-account ')
  })
})
