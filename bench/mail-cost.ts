import { readdirSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { runOnPostgres } from '../test/support/postgres.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import { openServer } from './bench-server.ts'
import { sourceOf } from './mails.ts'
import { portIn, startServer } from './processes.ts'
import { processorTimes } from './processor-times.ts'
import { runLoad } from './run-load.ts'

/**
 * `npm run bench -- mail-cost [NODES [MAILS]]`: the processor time and the disk space that a mail costs the nodes and the database server,
 * from SMTP to the search index, by which the machines of a load are planned. PostgreSQL flushes its commits. Needs /proc.
 */
const [nodeCount, count] = [Number(process.argv[2] ?? 2), Number(process.argv[3] ?? 5_000)]
const connections = 32

const postgres = await startPostgres({ isDurable: true })
await runOnPostgres(postgres.url('postgres'), 'create database planned template template0')
const database = postgres.url('planned')
const first = await openServer(database)
const nodes: { pid: number, smtpPort: number, stop(): Promise<void> }[] = [first]
while (nodes.length < nodeCount) {
  const { output, ...started } = await startServer(database)
  nodes.push({ ...started, smtpPort: portIn(output, 'smtp') })
}
console.log(`${nodeCount} nodes, ${count} mails over ${connections} connections to each`)
for (const mail of ['otp', 'newsletter']) {
  const box = await first.newAddress()
  const load = (mails: number) => Promise.all(nodes.map(({ smtpPort: port }) =>
    runLoad({ port, recipient: box.address, mails: [mail], count: mails / nodeCount, connections })))
  await load(200)
  await indexed()
  const before = { ...usage(), bytes: await bytes() }
  const reports = await load(count)
  await indexed()
  const seconds = Math.max(...reports.map((report) => report.seconds))
  const after = { ...usage(), bytes: await bytes() }
  const each = (name: keyof typeof before) => (after[name] - before[name]) / count
  console.log(`${mail} of ${sourceOf(mail).length} bytes: ${Math.round(count / seconds)} mails a second until all have their 250; each takes `
    + `${each('nodesMs').toFixed(2)} ms of processor time of the nodes, ${each('databaseMs').toFixed(2)} ms of that of the database, and `
    + `${Math.round(each('bytes'))} bytes of its disk`)
}
for (const node of nodes) await node.stop()
await postgres.stop()

/** Waits until all mails are in the search index. */
async function indexed() {
  while (Number((await runOnPostgres(database, 'select count(*) as waiting from email_search_pending'))[0]!['waiting']) > 0) await pause(100)
}

async function bytes() {
  return Number((await runOnPostgres(database, 'checkpoint', 'select pg_database_size(current_database()) as bytes'))[0]!['bytes'])
}

/** Processor time of the nodes, and of all processes of the database server, also those that have ended. */
function usage() {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name)).flatMap((pid) => timesOf(Number(pid)))
  const sum = (of: typeof processes) => of.reduce((total, { ownMs }) => total + ownMs, 0)
  const main = processes.find(({ pid }) => pid === postgres.pid)!
  return {
    nodesMs: sum(processes.filter(({ pid }) => nodes.some((node) => node.pid === pid))),
    databaseMs: sum(processes.filter(({ parent }) => parent === postgres.pid)) + main.ownMs + main.endedMs,
  }
}

/** None for a process that ends meanwhile. */
function timesOf(pid: number) {
  try {
    return [{ pid, ...processorTimes(pid) }]
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code!)) return []
    throw error
  }
}
