import { expect } from 'chai'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { openNodes } from '../support/nodes.ts'
import { startPostgres } from '../support/postgres-server.ts'
import type { PostgresServer } from '../support/postgres-server.ts'
import { rawRequest } from '../support/raw-request.ts'
import {
  holdEnds, holdSnapshot, holdTable, leaveDeadRows, leavePrepared, leaveSlot, newOwnedDatabase,
} from '../support/store/vacuum-holders.ts'

/** @returns the values of the metrics of a node by name and labels, such as `mayfly_table_rows{table="jobs",state="dead"}` */
async function read({ url }: TestApp): Promise<Map<string, number>> {
  const { text } = await rawRequest(url, { path: '/metrics' })
  const lines = [...text.matchAll(/^(mayfly_\S+) (\S+)$/gm)]
  return new Map(lines.map(([, name, value]) => [name!.replace(/node="[^"]*",?/, '').replace(',}', '}'), Number(value)]))
}

describe('Nodes: metrics', function () {

  it('have a label with the node, except those of the database', async () => {
    await using world = await openNodes(1)
    await world.nodes[0]!.newAddress()
    const { text } = await rawRequest(world.nodes[0]!.url, { path: '/metrics' })
    const lines = text.split('\n').filter((line) => line.startsWith('mayfly_'))
    const isOfDatabase = (line: string) => /^mayfly_(jobs_|search_|table_|vacuum_|oldest_)/.test(line)
    expect(lines.filter(isOfDatabase).length).to.be.greaterThan(20)
    expect(lines.filter((line) => line.startsWith('mayfly_commit_wait_seconds_count'))).to.have.length(2)
    for (const line of lines) expect(line.includes(`/${process.pid}"`), line).to.equal(!isOfDatabase(line))
  })

  it('have the time for which commits of the main thread and of the threads for mail wait', async () => {
    await using world = await openNodes(1)
    const node = world.nodes[0]!
    const { address } = await node.newAddress()
    await node.app.worker.settled()
    for (const change of [() => node.newAddress(), () => node.send({ to: address, text: 'one' })]) {
      const before = await read(node)
      const held = await holdEnds(world.database)
      const changed = change()
      while (await held.waiters() === 0) { /* it has not begun to wait */ }
      const seenAt = performance.now()
      while (performance.now() - seenAt < 20) await held.waiters()
      const waitedMs = performance.now() - seenAt
      await held.release()
      await changed
      const after = await read(node)
      const grown = (name: string) => after.get(`mayfly_commit_wait_seconds_${name}`)! - before.get(`mayfly_commit_wait_seconds_${name}`)!
      expect(grown('count{step="lock"}')).to.be.at.least(1)
      expect(grown('count{step="commit"}')).to.equal(grown('count{step="lock"}'))
      expect(grown('sum{step="lock"}') * 1000).to.be.at.least(waitedMs)
      expect(grown('sum{step="commit"}')).to.be.at.least(0)
    }
  })

  describe('of the database server:', () => {
    let server: PostgresServer
    let node: TestApp
    const url = () => server.url('postgres')
    before(async () => {
      server = await startPostgres({ settings: { max_prepared_transactions: 2, wal_level: 'logical', autovacuum: 'off' } })
      node = await openTestApp({ database: url(), isRealTime: true })
    })
    after(async () => {
      await node[Symbol.asyncDispose]()
      await server.stop()
    })

    const ageOf = (metrics: Map<string, number>, holder: string) => metrics.get(`mayfly_oldest_transaction_seconds{holder="${holder}"}`)
    const heldBy = (metrics: Map<string, number>, holder: string) => metrics.get(`mayfly_vacuum_held_transactions{holder="${holder}"}`)

    it('the age of what keeps vacuum from removing rows: a transaction, a prepared one, a replication slot', async () => {
      const holders = [['slot', leaveSlot], ['prepared', leavePrepared], ['transaction', holdSnapshot]] as const
      const first = await read(node)
      for (const [kind] of holders.slice(0, 2)) expect(heldBy(first, kind), kind).to.equal(0)
      expect(ageOf(first, 'prepared')).to.equal(0)
      expect(heldBy(first, 'standby')).to.equal(0)
      const held = []
      for (const [, leave] of holders) held.push(await leave(url()))
      for (let i = 0; i < 5; i++) await node.newAddress()
      const during = await read(node)
      for (const [kind] of holders) expect(heldBy(during, kind), kind).to.be.at.least(5)
      for (const kind of ['prepared', 'transaction']) expect(ageOf(during, kind), kind).to.be.above(0)
      for (const { release } of held) await release()
      const last = await read(node)
      for (const [kind] of holders.slice(0, 2)) expect(heldBy(last, kind), kind).to.equal(0)
      expect(ageOf(last, 'prepared')).to.equal(0)
      expect(heldBy(last, 'transaction')).to.be.below(heldBy(during, 'transaction')!)
    })

    it('live and dead rows, and the size of tables and indexes', async () => {
      await leaveDeadRows(url(), 'secrets', 1_000)
      const metrics = await read(node)
      expect(metrics.get('mayfly_table_rows{table="secrets",state="dead"}')).to.equal(1_000)
      expect(metrics.get('mayfly_table_rows{table="secrets",state="live"}')).to.be.below(10)
      for (const part of ['rows', 'indexes']) {
        expect(metrics.get(`mayfly_table_bytes{table="secrets",part="${part}"}`)).to.be.within(8_192, 200_000)
      }
    })

    it('are left out while a table is locked, and all others are there', async () => {
      const lock = await holdTable(url(), 'webhooks')
      const during = await read(node)
      await lock.release()
      const namesOf = (metrics: Map<string, number>) => [...new Set([...metrics.keys()].map((name) => name.replace(/\{.*/, '')))]
      const all = namesOf(await read(node))
      expect(all.filter((name) => !namesOf(during).includes(name))).to.have.members([
        'mayfly_table_rows', 'mayfly_table_bytes', 'mayfly_vacuum_held_transactions', 'mayfly_oldest_transaction_seconds',
      ])
    })

    it('have no age of the transactions of other users without the right to read it', async () => {
      const owned = await newOwnedDatabase(url(), 'ada')
      await using other = await openTestApp({ database: owned, isRealTime: true })
      const held = await holdSnapshot(Object.assign(new URL(url()), { pathname: '/ada' }).href)
      for (let i = 0; i < 5; i++) await other.newAddress()
      const metrics = await read(other)
      await held.release()
      expect(ageOf(metrics, 'transaction')).to.be.NaN
      expect(heldBy(metrics, 'transaction')).to.be.at.least(5)
    })
  })
})
