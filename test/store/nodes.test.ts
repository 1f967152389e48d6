import { expect } from 'chai'
import { inTransaction } from '../../server/store/database.ts'
import type { Database } from '../../server/store/database.ts'
import { claimJobs, enqueue } from '../../server/store/jobs/jobs.ts'
import { insertNode, maxSilenceMs, recordBeat, removeNode, removeSilentNodes } from '../../server/store/jobs/nodes.ts'
import { openNodesWorld } from '../support/store/nodes.ts'
import type { NodesWorld } from '../support/store/nodes.ts'

const task = 'purge-mailbox'

const register = (db: Database, id: string) => inTransaction(db, (tx) => insertNode(tx, { id, label: `host/${id}`, version: '1.0.0' }))
const beat = (db: Database, id: string) => inTransaction(db, (tx) => recordBeat(tx, id))
const removeSilent = (db: Database) => inTransaction(db, removeSilentNodes)
const claim = (db: Database, claimedBy: string, limit = 100) => inTransaction(db, (tx) => claimJobs(tx, { task, laneKey: '', limit, claimedBy }))
const queueJobs = (db: Database, count: number) => inTransaction(db, async (tx) => {
  for (let i = 0; i < count; i++) await enqueue(tx, task, { addressId: String(i) })
})
const nodeIds = async (db: Database) => (await db.sql.selectFrom('nodes').select('id').orderBy('id').execute()).map(({ id }) => id)

describe('Nodes: those that are silent', () => {
  let world: NodesWorld
  let db: Database
  const advance = (ms: number) => world.clock.advance(ms, async () => {})

  beforeEach(async () => {
    world = await openNodesWorld()
    db = await world.open()
    await register(db, 'a')
    await register(db, 'b')
  })
  afterEach(() => world[Symbol.asyncDispose]())

  it('are removed after 15 seconds, and their jobs are due at once', async () => {
    await queueJobs(db, 3)
    await claim(db, 'a')
    await advance(maxSilenceMs)
    await beat(db, 'b')
    expect(await removeSilent(db)).to.deep.equal({ nodes: [], jobs: 0 })
    expect(await claim(db, 'b')).to.deep.equal([])
    await advance(1)
    expect(await removeSilent(db)).to.deep.equal({ nodes: ['a'], jobs: 3 })
    expect(await nodeIds(db)).to.deep.equal(['b'])
    expect((await claim(db, 'b')).map(({ attempts }) => attempts)).to.deep.equal([2, 2, 2])
    expect(await beat(db, 'a')).to.equal(false)
    expect(await beat(db, 'b')).to.equal(true)
  })

  it('are not those that send beats: a job of a minute is not claimed twice', async () => {
    await queueJobs(db, 1)
    await claim(db, 'a')
    for (let seconds = 0; seconds < 60; seconds += 5) {
      await advance(5_000)
      for (const id of ['a', 'b']) expect(await beat(db, id)).to.equal(true)
      expect(await removeSilent(db)).to.deep.equal({ nodes: [], jobs: 0 })
      expect(await claim(db, 'b')).to.deep.equal([])
    }
  })

  it('and their jobs are counted once by several nodes that look at the same time', async () => {
    await queueJobs(db, 40)
    await claim(db, 'a', 25)
    await claim(db, 'b', 15)
    await advance(maxSilenceMs + 1)
    const others = await Promise.all(['c', 'd', 'e'].map(async (id) => {
      const other = await world.open()
      await register(other, id)
      return other
    }))
    const found = await Promise.all(others.map(removeSilent))
    expect(found.flatMap(({ nodes }) => nodes).sort()).to.deep.equal(['a', 'b'])
    expect(found.reduce((sum, { jobs }) => sum + jobs, 0)).to.equal(40)
    const claimed = (await Promise.all(others.map((other, i) => claim(other, 'cde'[i]!)))).flat()
    expect(new Set(claimed.map(({ id }) => id)).size).to.equal(40)
    expect(claimed).to.have.length(40)
  })

  it('lose a job too that they claim after their removal', async () => {
    await advance(maxSilenceMs + 1)
    await beat(db, 'b')
    await removeSilent(db)
    await queueJobs(db, 2)
    await claim(db, 'a')
    expect(await removeSilent(db)).to.deep.equal({ nodes: [], jobs: 2 })
    expect(await claim(db, 'b')).to.have.length(2)
  })

  it('need not be waited for when they end: their jobs are due at once', async () => {
    await queueJobs(db, 2)
    await claim(db, 'a')
    await inTransaction(db, (tx) => removeNode(tx, 'a'))
    expect(await nodeIds(db)).to.deep.equal(['b'])
    expect(await claim(db, 'b')).to.have.length(2)
  })
})
