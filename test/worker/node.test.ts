import { expect } from 'chai'
import { pino } from 'pino'
import type { Clock } from '../../server/clock.ts'
import { inTransaction } from '../../server/store/database.ts'
import type { Database } from '../../server/store/database.ts'
import { ClaimLost, completeJob } from '../../server/store/jobs/claims.ts'
import { claimJobs, enqueue } from '../../server/store/jobs/jobs.ts'
import { openSharedNode } from '../../server/worker/node.ts'
import type { OwnNode } from '../../server/worker/node.ts'
import { readVersion } from '../../server/version.ts'
import { nodesOf, openNodesWorld } from '../support/store/nodes.ts'
import type { NodesWorld } from '../support/store/nodes.ts'

const queueJob = (db: Database) => inTransaction(db, (tx) => enqueue(tx, 'purge-mailbox', { addressId: 'a' }))
const claim = (db: Database, node: OwnNode) =>
  inTransaction(db, (tx) => claimJobs(tx, { task: 'purge-mailbox', laneKey: '', limit: 10, claimedBy: node.id }))

describe('Nodes: beats', () => {
  let world: NodesWorld
  let db: Database
  let lines: { level: number, msg: string }[]
  beforeEach(async () => {
    world = await openNodesWorld()
    db = await world.open()
    lines = []
  })
  afterEach(() => world[Symbol.asyncDispose]())

  /** Opens a node on a clock that can stand still, as that of a suspended process does. */
  async function openOn(database: Database) {
    const held: (() => void)[] = []
    let isSuspended = false
    const clock: Clock = {
      now: world.clock.now,
      at: (time, task) => world.clock.at(time, () => {
        if (isSuspended) held.push(task)
        else task()
      }),
    }
    const log = pino({}, { write: (line: string) => { lines.push(JSON.parse(line)) } })
    const node = await openSharedNode({ db: database, clock, log })
    return {
      node,
      suspend() { isSuspended = true },
      resume() {
        isSuspended = false
        for (const task of held.splice(0)) task()
      },
    }
  }

  /** Advances the time; the beats of a turn are committed before the next ones. */
  const advance = (seconds: number) => world.clock.advance(seconds * 1_000, committed)
  async function committed() {
    for (let i = 0; i < 3; i++) await inTransaction(db, async () => {})
    for (let i = 0; i < 20; i++) await new Promise(setImmediate)
  }
  const nodes = () => nodesOf(db)

  it('keep the jobs of a node, however long they run, until it ends', async () => {
    const [first, second] = [await openOn(db), await openOn(db)]
    const [row] = await nodes()
    expect(row).to.include({ id: first.node.id, version: readVersion(), startedAt: world.clock.now() })
    await queueJob(db)
    await claim(db, first.node)
    await advance(120)
    expect(await claim(db, second.node)).to.deep.equal([])
    expect((await nodes()).map(({ id }) => id)).to.deep.equal([first.node.id, second.node.id])
    await first.node.close()
    expect(await claim(db, second.node)).to.have.length(1)
    await second.node.close()
    expect(await nodes()).to.deep.equal([])
    expect(lines).to.deep.equal([])
  })

  it('that a suspended process does not send give its jobs to others, and its late outcome is refused', async () => {
    const [first, second] = [await openOn(db), await openOn(db)]
    const before = first.node.id
    await queueJob(db)
    const [former] = await claim(db, first.node)
    first.suspend()
    await advance(25)
    expect(lines.map(({ msg }) => msg)).to.deep.equal(['jobs of silent nodes are due again'])
    const [taken] = await claim(db, second.node)
    expect(taken).to.include({ id: former!.id, attempts: 2 })

    first.resume()
    await committed()
    expect(first.node.id).to.not.equal(before)
    expect((await nodes()).map(({ id }) => id)).to.deep.equal([second.node.id, first.node.id])
    expect(lines.at(-1)!.msg).to.equal('other nodes have taken the jobs of this one over, as it was silent')
    const late = await inTransaction(db, (tx) => completeJob(tx, former!)).catch((error: unknown) => error)
    expect(late).to.be.instanceOf(ClaimLost)
    await inTransaction(db, (tx) => completeJob(tx, taken!))
    await advance(60)
    expect(await nodes()).to.have.length(2)
    await first.node.close()
    await second.node.close()
  })

  it('that no node can send, as in an outage of the database, leave the jobs where they are', async () => {
    const [first, second] = [await openOn(db), await openOn(db)]
    const ids = [first.node.id, second.node.id]
    await queueJob(db)
    await claim(db, first.node)
    for (const node of [first, second]) node.suspend()
    await advance(60)
    second.resume()
    await committed()
    await advance(5)
    first.resume()
    await advance(60)
    expect((await nodes()).map(({ id }) => id)).to.deep.equal(ids)
    expect(await claim(db, second.node)).to.deep.equal([])
    expect(lines).to.deep.equal([])

    for (const node of [first, second]) node.suspend()
    await advance(60)
    second.resume() // alone
    await advance(15)
    expect(await claim(db, second.node)).to.have.length(1)
    await first.node.close()
    await second.node.close()
  })
})
