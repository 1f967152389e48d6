import { expect } from 'chai'
import { inTransaction } from '../../server/store/database.ts'
import type { Database } from '../../server/store/database.ts'
import { claimants, ClaimLost, completeJob, confirmClaim, releaseClaimsOf, releaseOtherClaims, retryJob } from '../../server/store/jobs/claims.ts'
import type { Claim } from '../../server/store/jobs/claims.ts'
import { cancelJob, claimJobs, dueJobs, enqueue, hasOtherJob, nextDue, waitingPayloads } from '../../server/store/jobs/jobs.ts'
import type { Job } from '../../server/store/jobs/jobs.ts'
import { openNodesWorld } from '../support/store/nodes.ts'
import type { NodesWorld } from '../support/store/nodes.ts'

const lane = { account: 'account', webhook: 'webhook' }
const laneKey = 'account/webhook'
const task = 'deliver-webhook'

const queueJob = (db: Database, deliveryId = 'delivery') => inTransaction(db, (tx) => enqueue(tx, task, { deliveryId }, { lane }))
const claim = (db: Database, claimedBy: string, limit = 10) => inTransaction(db, (tx) => claimJobs(tx, { task, laneKey, limit, claimedBy }))
const claimOne = async (db: Database, claimedBy: string): Promise<Job<typeof task>> => {
  const jobs = await claim(db, claimedBy)
  expect(jobs).to.have.length(1)
  return jobs[0]!
}

/** The effect of a run: a row that is stored in the transaction of its outcome. */
const storeEffect = (db: Database, name: string, end: (tx: Parameters<typeof completeJob>[0]) => Promise<void>) =>
  inTransaction(db, async (tx) => {
    await tx.sql.insertInto('secrets').values({ name, value: '' }).execute()
    await end(tx)
  })
const complete = (db: Database, name: string, claimed: Claim) => storeEffect(db, name, (tx) => completeJob(tx, claimed))

const effects = async (db: Database) => (await db.sql.selectFrom('secrets').select('name').orderBy('name').execute()).map(({ name }) => name)

async function expectLost(run: Promise<unknown>) {
  expect(await run.then(() => 'stored', (error: unknown) => error)).to.be.instanceOf(ClaimLost)
}

describe('Job claims', () => {
  let world: NodesWorld
  let first: Database
  let second: Database
  beforeEach(async () => {
    world = await openNodesWorld()
    first = await world.open()
    second = await world.open()
  })
  afterEach(() => world[Symbol.asyncDispose]())

  it('have no end: a claimed job is not due again, however long it runs', async () => {
    await queueJob(first)
    await claimOne(first, 'a')
    await world.clock.advance(86_400_000, async () => {})
    expect(await claim(second, 'b')).to.deep.equal([])
    expect(await nextDue(second, task, laneKey)).to.equal(null)
    expect(await dueJobs(second)).to.deep.equal([])
    expect(await waitingPayloads(second, task)).to.deep.equal([{ deliveryId: 'delivery' }])
  })

  it('are given to one of two nodes that claim at the same time', async () => {
    for (let i = 0; i < 20; i++) await queueJob(first, String(i))
    const claimed = (await Promise.all([claim(first, 'a', 15), claim(second, 'b', 15)])).flat()
    claimed.push(...await claim(second, 'b', 20)) // a node that has waited for the other one may have got none
    const numbers = claimed.map(({ payload }) => Number(payload.deliveryId))
    expect(numbers.sort((a, b) => a - b)).to.deep.equal(Array.from({ length: 20 }, (_, i) => i))
  })

  it('refuse the outcome of a run whose job was taken over, with its whole transaction', async () => {
    await queueJob(first)
    const former = await claimOne(first, 'a')
    await inTransaction(second, (tx) => releaseClaimsOf(tx, 'a'))
    const taken = await claimOne(second, 'b')
    await expectLost(complete(first, 'effect of a', former))
    await expectLost(storeEffect(first, 'retry of a', (tx) => retryJob(tx, former, tx.now)))
    await expectLost(storeEffect(first, 'step of a', (tx) => confirmClaim(tx, former)))
    expect(await effects(second)).to.deep.equal([])
    expect(await nextDue(first, task, laneKey)).to.equal(null)

    await storeEffect(second, 'step of b', (tx) => confirmClaim(tx, taken))
    await complete(second, 'effect of b', taken)
    expect(await effects(first)).to.deep.equal(['effect of b', 'step of b'])
    expect(await waitingPayloads(first, task)).to.deep.equal([])
  })

  it('refuse the outcome of a released job that no node has claimed again', async () => {
    await queueJob(first)
    const former = await claimOne(first, 'a')
    await inTransaction(second, (tx) => releaseClaimsOf(tx, 'a'))
    await expectLost(complete(first, 'effect', former))
    expect(await claim(second, 'b')).to.have.length(1)
  })

  it('refuse the outcome of a run whose job the same node has claimed again', async () => {
    await queueJob(first)
    const former = await claimOne(first, 'a')
    await inTransaction(first, (tx) => retryJob(tx, former, tx.now))
    const again = await claimOne(first, 'a')
    expect([former.attempts, again.attempts]).to.deep.equal([1, 2])
    await expectLost(complete(first, 'former', former))
    await complete(first, 'again', again)
    expect(await effects(first)).to.deep.equal(['again'])
  })

  it('that are lost do not affect the other changes of their commit', async () => {
    await queueJob(first)
    const former = await claimOne(first, 'a')
    await inTransaction(first, (tx) => releaseClaimsOf(tx, 'a'))
    const other = storeEffect(first, 'of another change', async () => {})
    await expectLost(complete(first, 'of the lost claim', former))
    await other
    expect(await effects(first)).to.deep.equal(['of another change'])
  })

  it('end with a cancellation: the run has no effect', async () => {
    const id = await queueJob(first)
    const running = await claimOne(first, 'a')
    expect(await inTransaction(second, (tx) => cancelJob(tx, id))).to.equal(true)
    await expectLost(complete(first, 'effect', running))
    expect(await effects(first)).to.deep.equal([])
    expect(await inTransaction(second, (tx) => cancelJob(tx, id))).to.equal(false)
  })

  it('of all other nodes are released at the start of the only process, which keeps its own', async () => {
    for (const id of ['1', '2', '3', '4']) await queueJob(first, id)
    const [own] = await claim(first, 'a', 1)
    await claim(first, 'b', 1)
    await claim(first, 'c', 1)
    expect(await claimants(second)).to.deep.equal(['a', 'b', 'c'])
    await inTransaction(first, (tx) => releaseOtherClaims(tx, 'a'))
    expect(await claimants(second)).to.deep.equal(['a'])
    expect(await inTransaction(first, (tx) => hasOtherJob(tx, own!))).to.equal(true)
    expect((await claim(second, 'd')).map(({ attempts }) => attempts).sort()).to.deep.equal([1, 2, 2])
    expect(await inTransaction(first, (tx) => hasOtherJob(tx, own!)), 'jobs that are claimed by others').to.equal(true)
  })

  it('that are released wake the lanes of their jobs', async () => {
    await queueJob(first)
    await claimOne(first, 'a')
    const announced = new Promise<Set<string>>((resolve) => { second.commits.once('committed', resolve) })
    await inTransaction(second, (tx) => releaseClaimsOf(tx, 'a'))
    expect([...await announced]).to.deep.equal([`jobs/${task}/${laneKey}`])
  })
})
