import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { pino } from 'pino'
import { systemClock } from '../../../server/clock.ts'
import { insertAccount } from '../../../server/store/accounts/accounts.ts'
import { inTransaction, openDatabase } from '../../../server/store/database.ts'
import type { Database } from '../../../server/store/database.ts'
import { EventFeed } from '../../../server/store/events/feed.ts'
import { removeOldEvents, emit, lastSeq, removeEventsOf } from '../../../server/store/events/outbox.ts'
import type { Owner } from '../../../server/store/schema/values.ts'
import { newDatabase, newFolder } from '../../support/new-database.ts'

describe('Feed: followers of an engine that answers later', () => {
  let folder: string
  let db: Database
  let owner: Owner
  beforeEach(async () => {
    folder = await newFolder()
    db = await openDatabase(await newDatabase(join(folder, 'mayfly.db')), systemClock)
    owner = { accountId: (await inTransaction(db, (tx) => insertAccount(tx, 'a@example.org', 'business'))).id, mode: 'live', bound: undefined }
  })
  afterEach(async () => {
    await db.close()
    await rm(folder, { recursive: true })
  })

  const emitOne = (of = owner) => inTransaction(db, (tx) => emit(tx, of, 'address.created', { addressId: 'a' }))

  /** A feed whose first read after `hold` gets its result when it is released. */
  function openSlowFeed() {
    let held: Promise<void> | undefined
    let wasRead = () => {}
    const feed = new EventFeed({
      ...db,
      async execute(sql, parameters) {
        const result = await db.execute(sql, parameters)
        const holding = held
        held = undefined
        if (holding) wasRead()
        await holding
        return result
      },
    }, pino({ level: 'silent' }))
    const seqs = () => {
      const taken: number[] = []
      return { taken, take: (events: { seq: number }[]) => { taken.push(...events.map(({ seq }) => seq)) } }
    }
    return {
      feed, seqs,
      hold() {
        const [released, read] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
        held = released.promise
        wasRead = read.resolve
        return { release: released.resolve, read: read.promise }
      },
    }
  }

  it('get an event that is committed between the read of the last number and their registration', async () => {
    await emitOne()
    const { feed, seqs, hold } = openSlowFeed()
    const { taken, take } = seqs()
    const { release, read } = hold()
    const following = feed.follow(owner, 'events.stream', take)
    await read
    await emitOne()
    release()
    expect((await following).from).to.equal(1)
    await feed.caughtUp()
    await emitOne()
    await feed.caughtUp()
    expect(taken).to.deep.equal([2, 3])
  })

  it('begin after the events that the feed has handed over meanwhile, and get the next ones once', async () => {
    await emitOne()
    const { feed, seqs, hold } = openSlowFeed()
    const [first, second] = [seqs(), seqs()]
    await feed.follow(owner, 'events.stream', first.take)
    await feed.caughtUp()
    const { release, read } = hold()
    const following = feed.follow(owner, 'events.stream', second.take)
    await read
    await emitOne()
    await feed.caughtUp()
    expect(first.taken).to.deep.equal([2])
    release()
    expect((await following).from).to.equal(2)
    await emitOne()
    await feed.caughtUp()
    expect([first.taken, second.taken]).to.deep.equal([[2, 3], [3]])
  })

  it('free their place when the last number cannot be read', async () => {
    const { feed, seqs } = openSlowFeed()
    const failing = new EventFeed({ ...db, execute: async () => { throw new Error('no connection') } }, pino({ level: 'silent' }))
    for (let i = 0; i <= 100; i++) { // one more than an account may have open
      const error = await failing.follow(owner, 'events.stream', seqs().take).catch((error: Error) => error.message)
      expect([error, failing.followers(), feed.followers()]).to.deep.equal(['no connection', 0, 0])
    }
  })

  it('the last number stays when the last events are old, or those of a deleted account', async () => {
    const other = { ...owner, accountId: 'other' }
    for (const each of [other, owner, other, owner, owner]) await emitOne(each)
    let after: number | undefined = 0
    while (after !== undefined) after = await inTransaction(db, (tx) => removeEventsOf(tx, owner.accountId, { after: after!, limit: 2 }))
    const rows = () => db.sql.selectFrom('outbox').select(['seq', 'account_id', 'data']).orderBy('seq').execute()
    expect(await rows()).to.deep.equal([
      { seq: 1, account_id: 'other', data: '{"addressId":"a"}' }, { seq: 3, account_id: 'other', data: '{"addressId":"a"}' },
      { seq: 5, account_id: '', data: '{}' },
    ])
    await inTransaction(db, (tx) => removeOldEvents(tx, { before: tx.now + 1, limit: 10 }))
    expect([(await rows()).map(({ seq }) => seq), await lastSeq(db)]).to.deep.equal([[5], 5])
    await emitOne()
    expect(await lastSeq(db)).to.equal(6)
  })
})
