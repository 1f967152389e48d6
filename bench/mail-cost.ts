import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { runOnPostgres } from '../test/support/postgres.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import { openServer } from './bench-server.ts'
import { sourceOf } from './mails.ts'
import { portIn, startServer } from './processes.ts'
import { familyMs, processorTimes } from './processor-times.ts'
import { runLoad } from './run-load.ts'

/**
 * `npm run bench -- mail-cost [NODES [MAILS]] [--sources]`: the processor time and the disk space that a mail costs the nodes and the
 * database server, from SMTP to the search index, by which the machines of a load are planned. With `--sources`, in turns also with a
 * folder for the sources of mail, until they are there. PostgreSQL flushes its commits. Needs /proc.
 */
const [nodeCount = 2, count = 5_000] = process.argv.slice(2).filter((argument) => /^\d+$/.test(argument)).map(Number)
const hasStore = process.argv.includes('--sources')
const connections = 32
/** With two worlds, medians of so many rounds are compared. */
const rounds = hasStore ? 3 : 1

const postgres = await startPostgres({ isDurable: true })
const folder = mkdtempSync(join(tmpdir(), 'mayfly-sources-'))
const worlds = [await openWorld('planned')]
if (hasStore) worlds.push(await openWorld('apart', { MAYFLY_SOURCES: pathToFileURL(folder).href }))
console.log(`${nodeCount} nodes, ${count} mails over ${connections} connections to each`)
for (const mail of ['otp', 'newsletter', ...hasStore ? ['invoice'] : []]) {
  const costs = worlds.map((): Cost[] => [])
  for (let round = 0; round < rounds; round++) for (const [i, world] of worlds.entries()) costs[i]!.push(await measure(world, mail))
  console.log(`${mail} of ${sourceOf(mail).length} bytes:`)
  for (const [i, { name }] of worlds.entries()) {
    const of = (member: keyof Cost) => medianOf(costs[i]!, member)
    console.log(`  ${name}: ${Math.round(of('mailsPerSecond'))} mails a second until all have their 250; each takes `
      + `${of('nodesMs').toFixed(2)} ms of processor time of the nodes, ${of('databaseMs').toFixed(2)} ms of that of the database, and `
      + `${Math.round(of('bytes'))} bytes of its disk, ${Math.round(of('vacuumedBytes'))} after VACUUM FULL, and `
      + `${Math.round(of('walBytes'))} of its WAL`)
  }
  if (!hasStore) continue
  const ratios = costs[0]!.map((without, i) => (without.nodesMs + without.databaseMs) / (costs[1]![i]!.nodesMs + costs[1]![i]!.databaseMs))
  console.log(`  mails a second of processor time, apart / planned by round: ${ratios.map((ratio) => ratio.toFixed(2)).join(', ')}`)
}
for (const { nodes } of worlds) for (const node of nodes) await node.stop()
await postgres.stop()
rmSync(folder, { recursive: true })

interface Cost {
  mailsPerSecond: number
  nodesMs: number
  databaseMs: number
  bytes: number
  vacuumedBytes: number
  walBytes: number
}

async function openWorld(name: string, variables: Record<string, string> = {}) {
  await runOnPostgres(postgres.url('postgres'), `create database ${name} template template0`)
  const database = postgres.url(name)
  const first = await openServer(database, variables)
  const nodes: { pid: number, smtpPort: number, stop(): Promise<void> }[] = [first]
  while (nodes.length < nodeCount) {
    const { output, ...started } = await startServer(database, variables)
    nodes.push({ ...started, smtpPort: portIn(output, 'smtp') })
  }
  return { name, database, first, nodes, hasStore: 'MAYFLY_SOURCES' in variables }
}

async function measure({ database, first, nodes, hasStore }: typeof worlds[number], mail: string): Promise<Cost> {
  const sent = mail === 'invoice' ? count / 10 : count // of 300 kB
  const box = await first.newAddress()
  const load = (mails: number) => Promise.all(nodes.map(({ smtpPort: port }) =>
    runLoad({ port, recipient: box.address, mails: [mail], count: mails / nodeCount, connections })))
  const done = async () => {
    await none('select count(*) as waiting from email_search_pending')
    if (hasStore) await none('select count(*) as waiting from message_chunks')
  }
  const none = async (query: string) => {
    while (Number((await runOnPostgres(database, query))[0]!['waiting']) > 0) await pause(100)
  }
  await load(200)
  await done()
  const vacuumedBefore = await bytes(database, 'vacuum full')
  const before = { ...usage(nodes), bytes: await bytes(database), walBytes: await walBytes(database) }
  const reports = await load(sent)
  await done()
  const after = { ...usage(nodes), walBytes: await walBytes(database), bytes: await bytes(database) }
  const each = (name: keyof typeof before) => (after[name] - before[name]) / sent
  return {
    mailsPerSecond: sent / Math.max(...reports.map((report) => report.seconds)),
    nodesMs: each('nodesMs'), databaseMs: each('databaseMs'), bytes: each('bytes'), walBytes: each('walBytes'),
    vacuumedBytes: (await bytes(database, 'vacuum full') - vacuumedBefore) / sent,
  }
}

async function bytes(database: string, ...statements: string[]) {
  const rows = await runOnPostgres(database, ...statements, 'checkpoint', 'select pg_database_size(current_database()) as bytes')
  return Number(rows[0]!['bytes'])
}

async function walBytes(database: string) {
  return Number((await runOnPostgres(database, "select pg_current_wal_lsn() - '0/0' as bytes"))[0]!['bytes'])
}

function medianOf(costs: Cost[], member: keyof Cost) {
  const sorted = costs.map((cost) => cost[member]).sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]!
}

/** Processor time of the nodes, and of all processes of the database server. */
function usage(nodes: { pid: number }[]) {
  return { nodesMs: nodes.reduce((total, { pid }) => total + processorTimes(pid).ownMs, 0), databaseMs: familyMs(postgres.pid) }
}
