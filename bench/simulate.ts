import { availableParallelism } from 'node:os'
import { openPostgresProxy } from '../test/support/postgres-proxy.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import { sourceOf } from './mails.ts'
import { costsOfGroups, costsOfService, publishGroups } from './measured-costs.ts'
import type { PublishedGroups } from './measured-costs.ts'
import { openMeasuredService } from './measured-service.ts'
import type { Load, MeasuredLoad } from './measured-service.ts'
import { simulateService } from './simulated-service.ts'
import type { GroupCost, ServiceCosts, ServicePlan } from './simulated-service.ts'

/**
 * `npm run bench -- simulate`: measures the costs of mail of 2 kB on this machine, simulates the same work with them, and prints both side
 * by side; then simulates larger services (docs/at-scale.md). Other work on this machine is measured, and left out of its processors.
 */
const [nodes, connections] = [2, 32]
const mail = 'otp'
/** The costs are those of the first and the last. */
const loads: Load[] = [
  { mail, count: 1_000, connections, perSecond: 100 },
  { mail, count: 1_600, connections, perSecond: 200 },
  { mail, count: 4_000, connections },
]
const delaysMs = [0, 1, 5]
const none: GroupCost = { group: 0, mail: 0 }
const nameWidth = 50
/** Mails a second, nodes of two processors, and processors of the database, as in docs/at-scale.md. */
const services = [[200, 3, 2], [1_300, 7, 8], [2_000, 10, 8], [2_500, 13, 16], [10_000, 52, 64]] as const

const postgres = await startPostgres({ isDurable: true })
const proxies = await Promise.all(delaysMs.map((delayMs) => openPostgresProxy(new URL(postgres.url('postgres')), { delayMs })))
const databases = delaysMs.map((delayMs, i) => delayMs === 0 ? postgres.url('postgres') : proxies[i]!.url)
const published: PublishedGroups[][] = []
for (const database of databases) published.push(await publishGroups(postgres, { database }))
const ofOneAccount = costsOfGroups(published[0]!)
const ofAccounts = costsOfGroups(await publishGroups(postgres, { database: databases[0]!, accounts: 500 }))

const service = await openMeasuredService(postgres, nodes)
await service.measure(loads.at(-1)!) // compiles the code
const measured: MeasuredLoad[] = []
for (const load of loads) measured.push(await service.measure(load))
await service.stop()
for (const proxy of proxies) await proxy.close()
await postgres.stop()

const [light, full] = [measured[0]!, measured.at(-1)!]
if (2 * light.mailsInGroup > full.mailsInGroup) {
  throw new Error(`Other work on this machine uses ${light.othersProcessors.toFixed(2)} processors: the light load is none. Run it again later.`)
}
const costs = costsOfService(ofOneAccount, [light, full], sourceOf(mail))
printCosts(costs)
comparePublishing()
compareLoads()
const costsOfMany = { ...costs, senderMs: 0, database: ofAccounts.database, end: ofAccounts.end }
predictLock()
predictServices()
process.exit() // the threads have connections

function printCosts({ main, thread, parseMs, database, end, later, senderMs }: ServiceCosts) {
  const line = (name: string, { group, mail }: GroupCost) =>
    console.log(`  ${name.padEnd(nameWidth)} ${group.toFixed(2).padStart(6)} ${mail.toFixed(3).padStart(7)}`)
  console.log('Costs in milliseconds: of a group of mails that share a commit, and of each mail in it')
  line('node, thread of SMTP', main)
  line('node, thread that reads and writes mail', { ...thread, mail: thread.mail + parseMs })
  line('node, after the 250', later.node)
  line('database, mails of a group', database)
  line('database, end of a group with its lock', end)
  line('the same with mail for 500 accounts', ofAccounts.end)
  line('database, after the 250', later.database)
  line('process that sends the mail', { group: 0, mail: senderMs })
}

/** A ratio of 1.00 would be a perfect simulation. */
function compare(name: string, unit: string, measuredFigure: number, simulatedFigure: number) {
  const figures = [measuredFigure, simulatedFigure].map((figure) => figure.toFixed(1).padStart(8)).join(' ')
  console.log(`  ${name.padEnd(nameWidth)} ${figures} ${unit.padEnd(8)} ${(simulatedFigure / measuredFigure).toFixed(2)}`)
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
  for (const [i, load] of loads.entries()) {
    const { othersProcessors, indexedAfterMs, ...figures } = measured[i]!
    const plan: ServicePlan = { nodes, processorsOfNode: availableParallelism() - othersProcessors, threads: 1, roundTripMs: 0 }
    const simulated = simulateService(costs, plan, load)
    console.log(`\n${load.perSecond ?? 'Most'} mails a second at ${nodes} nodes: measured, simulated, ratio`)
    console.log(`  (others used ${othersProcessors.toFixed(2)} processors; all were in the search index ${indexedAfterMs.toFixed(0)} ms after the last 250)`)
    compare('mails a second', 'a second', figures.mailsPerSecond, simulated.mailsPerSecond)
    compare('from the final dot to the 250, p50', 'ms', figures.p50Ms, simulated.p50Ms)
    compare('p99', 'ms', figures.p99Ms, simulated.p99Ms)
    compare('mails in a group', '', figures.mailsInGroup, simulated.mailsInGroup)
    compare('end of a group, with its lock', 'ms', figures.endMs, simulated.endMs)
  }
}

/** More nodes and processors than any database has: the lock that orders the commits is the bound. */
function predictLock() {
  console.log('\nOne database, 40 nodes, processors without end: the lock that orders the commits is the bound')
  for (const roundTripMs of [0.5, 1, 5]) {
    const plan = { nodes: 40, processorsOfNode: 1_000, processorsOfDatabase: 1_000, threads: 1, roundTripMs }
    const { mailsPerSecond, mailsInGroup } = simulateService(costsOfMany, plan, { count: 100_000, connections: 256 })
    console.log(`  round trip of ${roundTripMs} ms: ${mailsPerSecond.toFixed(0)} mails a second, ${mailsInGroup.toFixed(0)} in a group`)
  }
}

function predictServices() {
  console.log('\nMails a second at random times, nodes of two processors, a database, a round trip of 0.5 ms:')
  console.log('   mails nodes  processors of database   250: p50, p99 ms   in a group   lock   processors used: nodes, database')
  for (const [perSecond, nodes, processorsOfDatabase] of services) {
    const plan = { nodes, processorsOfNode: 2, processorsOfDatabase, threads: 1, roundTripMs: 0.5 }
    const figures = simulateService(costsOfMany, plan, { count: 10 * perSecond, perSecond })
    const columns = [
      [perSecond, 8, 0], [nodes, 5, 0], [processorsOfDatabase, 12, 0], [figures.p50Ms, 24, 0], [figures.p99Ms, 8, 0],
      [figures.mailsInGroup, 11, 1], [figures.lockShare * 100, 9, 0], [figures.nodesProcessors, 22, 1], [figures.databaseProcessors, 8, 1],
    ] as const
    console.log(columns.map(([value, width, digits]) => value.toFixed(digits).padStart(width)).join(' '))
  }
}
