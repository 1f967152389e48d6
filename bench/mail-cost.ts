import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { runOnPostgres } from '../test/support/postgres.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import { openServer } from './bench-server.ts'
import { sourceOf } from './mails.ts'
import { portIn, startServer } from './processes.ts'
import { runLoad } from './run-load.ts'

/**
 * `npm run bench:mail-cost [-- NODES [MAILS]]`: the processor time and the disk space that a mail costs the nodes and the database server,
 * from SMTP to the search index, by which the machines of a load are planned. PostgreSQL flushes its commits. Needs /proc.
 */
const [nodeCount, count] = [Number(process.argv[2] ?? 2), Number(process.argv[3] ?? 5_000)]
const connections = 32
/** A unit of the times in /proc/PID/stat. */
const tickMs = 10

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
  const stats = readdirSync('/proc').filter((name) => /^\d+$/.test(name)).flatMap((pid) => statOf(Number(pid)))
  const sum = (of: typeof stats) => of.reduce((total, { ownMs }) => total + ownMs, 0)
  const main = stats.find(({ pid }) => pid === postgres.pid)!
  return {
    nodesMs: sum(stats.filter(({ pid }) => nodes.some((node) => node.pid === pid))),
    databaseMs: sum(stats.filter(({ parent }) => parent === postgres.pid)) + main.ownMs + main.endedMs,
  }
}

/** Times of a process, and of its children that have ended; none for a process that ends meanwhile. */
function statOf(pid: number) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ').map(Number)
    const [parent, ticks, ofEnded] = [fields[1]!, fields[11]! + fields[12]!, fields[13]! + fields[14]!]
    return [{ pid, parent, ownMs: ticks * tickMs, endedMs: ofEnded * tickMs }]
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || (error as NodeJS.ErrnoException).code === 'ESRCH') return []
    throw error
  }
}
