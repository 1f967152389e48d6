import Sqlite from 'better-sqlite3'
import { expect } from 'chai'
import { inTransaction } from '../../server/store/database.ts'
import type { Database, Tx } from '../../server/store/database.ts'
import { claimants, ClaimLost, completeJob, confirmClaim, releaseClaimsOf, retryJob } from '../../server/store/jobs/claims.ts'
import {
  cancelJob, claimJobs, removeWaitingJobs, dueJobs, enqueueOnce, hasOtherJob, laneKeysOf, makeDue, nextDue, waitingPayloads,
} from '../../server/store/jobs/jobs.ts'
import { removeSilentNodes } from '../../server/store/jobs/nodes.ts'
import { openNodesWorld } from '../support/store/nodes.ts'
import type { NodesWorld } from '../support/store/nodes.ts'

const task = 'deliver-webhook'
const lane = { account: 'a', webhook: 'w' }
const laneKey = 'a/w'
const job = { id: 'id', claimedBy: 'node', attempts: 1, task, laneKey, payload: { deliveryId: 'd' } } as const

type Operation = (tx: Tx, db: Database) => Promise<unknown>

const byId = 'SEARCH jobs USING PRIMARY KEY (id=?)'
const waiting = (terms: string) => `SEARCH jobs USING INDEX jobs_waiting (${terms})`
const claimed = (terms: string) => `SEARCH jobs USING INDEX jobs_claimed (${terms})`

/** The operations of the queue, and the steps by which the database runs the statements of each. */
const plans: Record<string, [Operation, string[]]> = {
  'claims due jobs of a lane': [
    (tx) => claimJobs(tx, { task, laneKey, limit: 4, claimedBy: 'node' }), [byId, waiting('task=? AND lane=? AND run_at<?')],
  ],
  'finds the next due job of a lane': [(_tx, db) => nextDue(db, task, laneKey), [waiting('task=? AND lane=?')]],
  'finds each lane': [(_tx, db) => laneKeysOf(db, task), [waiting('task=? AND lane>?')]],
  'drops waiting jobs of a lane': [(tx) => removeWaitingJobs(tx, task, lane, 10), [byId, waiting('task=? AND lane=?')]],
  'finds a job that is due': [(tx) => enqueueOnce(tx, 'purge-messages'), [waiting('task=? AND lane=? AND run_at<?')]],
  'finds another job of a lane': [
    (tx) => hasOtherJob(tx, job), [waiting('task=? AND lane=?'), claimed('claimed_by>?'), claimed('claimed_by=? AND task=? AND lane=?')],
  ],
  'makes the jobs of a task due': [(tx) => makeDue(tx, task), [waiting('task=?')]],
  'reads the payloads of a task': [
    (_tx, db) => waitingPayloads(db, task),
    ['COMPOUND QUERY', 'LEFT-MOST SUBQUERY', waiting('task=?'), 'UNION ALL', claimed('claimed_by>?')],
  ],
  'completes a job': [(tx) => completeJob(tx, job), [byId]],
  'retries a job': [(tx) => retryJob(tx, job, 0), [byId]],
  'confirms a claim': [(tx) => confirmClaim(tx, job), [byId]],
  'cancels a job': [(tx) => cancelJob(tx, 'id'), [byId]],
  'finds each node with claims': [(tx) => claimants(tx), [claimed('claimed_by>?')]],
  'releases the claims of a node': [(tx) => releaseClaimsOf(tx, 'node'), [claimed('claimed_by=?')]],
  'looks for claims without a node': [removeSilentNodes, [claimed('claimed_by>?'), claimed('claimed_by=?')]],
}

// the plans do not depend on the number of rows: the database has no statistics
describe('Job queue: query plans', () => {
  let world: NodesWorld
  beforeEach(async () => { world = await openNodesWorld() })
  afterEach(() => world[Symbol.asyncDispose]())

  /** Runs an operation in a database with a job that is claimed, and one that is not. @returns its statements about jobs */
  async function statementsOf(operation: Operation): Promise<string[]> {
    const db = await world.open()
    await inTransaction(db, (tx) => tx.sql.insertInto('jobs').values([null, 'a node'].map((claimedBy) => ({
      id: tx.newId(), task: 'verify-domain', lane: 'd', payload: '{}', run_at: 0, attempts: 0, claimed_by: claimedBy,
    }))).execute())
    const statements = new Set<string>()
    const { prepare } = Sqlite.prototype
    Sqlite.prototype.prepare = function (this: Sqlite.Database, sql: string) {
      if (/^(select|update|delete).*"jobs"/.test(sql)) statements.add(sql)
      return prepare.call(this, sql)
    } as typeof prepare
    try {
      await inTransaction(db, (tx) => operation(tx, db)).catch((error: unknown) => { if (!(error instanceof ClaimLost)) throw error })
    } finally {
      Sqlite.prototype.prepare = prepare
    }
    return [...statements]
  }

  function plansOf(statements: string[]): string[] {
    const sqlite = new Sqlite(world.database, { readonly: true })
    try {
      return statements.flatMap((sql) => {
        const values = Array.from({ length: sql.split('?').length - 1 }, () => '1')
        const steps = sqlite.prepare(`explain query plan ${sql}`).all(values) as { detail: string }[]
        return steps.map(({ detail }) => detail.replace('COVERING ', '')).filter((detail) => !detail.startsWith('LIST SUBQUERY'))
      })
    } finally {
      sqlite.close()
    }
  }

  for (const [name, [operation, plan]] of Object.entries(plans)) {
    it(name, async () => {
      expect(plansOf(await statementsOf(operation))).to.deep.equal(plan)
    })
  }

  it('counts due jobs in the index of unclaimed ones, without reading the table', async () => {
    const [sql] = await statementsOf((_tx, db) => dueJobs(db))
    const sqlite = new Sqlite(world.database, { readonly: true })
    expect(sqlite.prepare(`explain query plan ${sql}`).all(1)).to.have.nested.property('[0].detail', 'SCAN jobs USING COVERING INDEX jobs_waiting')
    sqlite.close()
  })
})
