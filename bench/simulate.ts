import { availableParallelism } from 'node:os'
import { openPostgresProxy } from '../test/support/postgres-proxy.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import { sourceOf } from './mails.ts'
import { costsOfGroups, costsOfService, publishGroups } from './measured-costs.ts'
import type { PublishedGroups } from './measured-costs.ts'
import { openMeasuredService } from './measured-service.ts'
import type { Load, MeasuredLoad } from './measured-service.ts'
import { simulateService } from './simulated-service.ts'
import type { GroupCost, ServiceCosts, ServicePlan, SimulatedLoad } from './simulated-service.ts'

/**
 * `npm run bench -- simulate`: measures the costs of mail of 2 kB on this machine, simulates the same work with them, and prints both side
 * by side; then simulates larger services (docs/at-scale.md). Other work on this machine is measured, and left out of its processors.
 */
const [nodes, connections] = [2, 32]
const mail = 'otp'
const [light, full]: [Load, Load] = [{ mail, count: 1_000, connections, perSecond: 100 }, { mail, count: 4_000, connections }]
const between: Load = { mail, count: 2_000, connections, perSecond: 250 }
const delaysMs = [0, 1, 5]
const none: GroupCost = { group: 0, mail: 0 }

const postgres = await startPostgres({ isDurable: true })
const proxies = await Promise.all(delaysMs.map((delayMs) => openPostgresProxy(new URL(postgres.url('postgres')), { delayMs })))
const databases = delaysMs.map((delayMs, i) => delayMs === 0 ? postgres.url('postgres') : proxies[i]!.url)
const published: PublishedGroups[][] = []
for (const database of databases) published.push(await publishGroups(postgres, { database }))
const ofOneAccount = costsOfGroups(published[0]!)
const ofAccounts = costsOfGroups(await publishGroups(postgres, { database: databases[0]!, accounts: 500 }))

const service = await openMeasuredService(postgres, nodes)
await service.measure(full) // compiles the code
const measured: MeasuredLoad[] = []
for (const load of [light, between, full]) measured.push(await service.measure(load))
await service.stop()
for (const proxy of proxies) await proxy.close()
await postgres.stop()

const costs = costsOfService(ofOneAccount, [measured[0]!, measured[2]!], sourceOf(mail))
printCosts(costs)
comparePublishing()
compareLoads()
const costsOfMany = { ...costs, senderMs: 0, database: ofAccounts.database, end: ofAccounts.end }
predictLock()
predictServices()
process.exit() // the threads have connections

function printCosts({ main, thread, parseMs, database, end, later, ...others }: ServiceCosts) {
  const line = (name: string, { group, mail }: GroupCost) => console.log(`  ${name.padEnd(52)} ${group.toFixed(2).padStart(6)} ${mail.toFixed(3).padStart(7)}`)
  console.log('Costs in milliseconds: of a group of mails that share a commit, and of each mail in it')
  line('node, thread of SMTP', main)
  line('node, thread that reads and writes mail', { ...thread, mail: thread.mail + parseMs })
  line('node, after the 250', later.node)
  line('database, mails of a group', database)
  line('database, end of a group with its lock', end)
  line('the same with mail for 500 accounts', ofAccounts.end)
  line('database, after the 250', later.database)
  line('process that sends the mail', { group: 0, mail: others.senderMs })
}

/** A ratio of 1.00 would be a perfect simulation. */
function compare(name: string, unit: string, measuredFigure: number, simulatedFigure: number) {
  console.log(`  ${name.padEnd(52)} ${measuredFigure.toFixed(1).padStart(8)} ${simulatedFigure.toFixed(1).padStart(8)} ${unit.padEnd(8)} ${(simulatedFigure / measuredFigure).toFixed(2)}`)
}

/** Groups of one thread, which has nothing else to do, as in bench/postgres.ts. */
function comparePublishing() {
  console.log('\nMails of one thread: measured, simulated, ratio')
  const own = { ...costs, ...ofOneAccount, senderMs: 0, main: none, parseMs: 0, later: { node: none, database: none } }
  for (const [i, roundTripMs] of delaysMs.entries()) {
    for (const { groupSize, mailsASecond, othersProcessors } of published[i]!) {
      const plan: ServicePlan = { nodes: 1, processorsOfNode: availableParallelism() - othersProcessors, threads: 1, roundTripMs }
      const simulated = simulateService(own, plan, { count: 20 * groupSize, connections: groupSize })
      compare(`${groupSize} in a commit, round trip of ${roundTripMs} ms`, 'a second', mailsASecond, simulated.mailsPerSecond)
    }
  }
}

function compareLoads() {
  for (const [i, load] of [light, between, full].entries()) {
    const { othersProcessors, ...figures } = measured[i]!
    const simulated = simulateService(costs, { nodes, processorsOfNode: availableParallelism() - othersProcessors, threads: 1, roundTripMs: 0 }, load)
    console.log(`\n${load.perSecond ?? 'Most'} mails a second at ${nodes} nodes, ${othersProcessors.toFixed(2)} processors used by others: measured, simulated, ratio`)
    compare('mails a second', 'a second', figures.mailsPerSecond, simulated.mailsPerSecond)
    compare('from the final dot to the 250, p50', 'ms', figures.p50Ms, simulated.p50Ms)
    compare('p99', 'ms', figures.p99Ms, simulated.p99Ms)
    compare('mails in a group', '', figures.mailsInGroup, simulated.mailsInGroup)
    compare('end of a group, with its lock', 'ms', figures.endMs, simulated.endMs)
    console.log(`  ${'all are in the search index after the last 250'.padEnd(52)} ${figures.indexedAfterMs.toFixed(0).padStart(8)}          ms`)
  }
}

/** More nodes and processors than any database has: the lock that orders the commits is the bound. */
function predictLock() {
  console.log('\nOne database with 40 nodes, and processors without end: only the lock that orders the commits is a bound')
  for (const roundTripMs of [0.5, 1, 5]) {
    const plan = { nodes: 40, processorsOfNode: 1_000, processorsOfDatabase: 1_000, threads: 1, roundTripMs }
    const most = simulateService(costsOfMany, plan, { count: 100_000, connections: 256 })
    console.log(`  round trip of ${roundTripMs} ms: ${most.mailsPerSecond.toFixed(0)} mails a second, ${most.mailsInGroup.toFixed(0)} in a group, 250 after ${most.p50Ms.toFixed(0)} ms`)
  }
}

function predictServices() {
  console.log('\nMail at random times, nodes of two processors, a round trip of 0.5 ms')
  const plans: [string, SimulatedLoad, Pick<ServicePlan, 'nodes' | 'processorsOfDatabase'>][] = [
    ['200 a second (1 million a day)', { count: 4_000, perSecond: 200 }, { nodes: 3, processorsOfDatabase: 2 }],
    ['1,300 a second (6.5 million a day)', { count: 26_000, perSecond: 1_300 }, { nodes: 6, processorsOfDatabase: 8 }],
    ['2,000 a second (10 million a day)', { count: 40_000, perSecond: 2_000 }, { nodes: 9, processorsOfDatabase: 16 }],
    ['10,000 a second (50 million a day), one database', { count: 100_000, perSecond: 10_000 }, { nodes: 40, processorsOfDatabase: 64 }],
  ]
  for (const [name, load, plan] of plans) {
    const figures = simulateService(costsOfMany, { ...plan, processorsOfNode: 2, threads: 1, roundTripMs: 0.5 }, load)
    console.log(`  ${name}, ${plan.nodes} nodes, database of ${plan.processorsOfDatabase} processors: ${figures.mailsPerSecond.toFixed(0)} a second; `
      + `250 after p50 ${figures.p50Ms.toFixed(0)} ms, p99 ${figures.p99Ms.toFixed(0)} ms; ${figures.mailsInGroup.toFixed(1)} in a group; lock held ${(figures.lockShare * 100).toFixed(0)} % of the time; `
      + `processors used: nodes ${figures.nodesProcessors.toFixed(1)}, database ${figures.databaseProcessors.toFixed(1)}`)
  }
}
