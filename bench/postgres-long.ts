import { loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { figuresOf } from '../test/attack/figures.ts'
import { startPostgres } from '../test/support/postgres-server.ts'
import { openServer } from './bench-server.ts'
import { openHttp } from './http-load.ts'
import { sourceOf } from './mails.ts'
import { readMetrics, slowest } from './metrics-text.ts'
import type { MetricsText } from './metrics-text.ts'
import { runLoad } from './run-load.ts'
import { openSmtp } from './smtp-client.ts'

/**
 * `npm run bench -- postgres-long [RATE [SECONDS]]`: a node on a PostgreSQL server that flushes its commits gets RATE mails a second, 1,000
 * or 0.7 of what this machine carries, and removes them after a minute. Then lists and waits are measured, and the dead rows, for SECONDS
 * (120) each: before, during and after a transaction with a snapshot, as that of a dump, which reads all tables and then stays open. The
 * server of the tests has no pg_dump.
 */
const [asked, seconds] = [Number(process.argv[2] ?? 1_000), Number(process.argv[3] ?? 120)]
const carriedShare = 0.7
const retentionSeconds = 60
const stepsOfPhase = 6
const listPauseMs = 25
/** Until the server has the request of a wait; later mail is found too, by its id. */
const attachMs = 20
const connections = 50

const postgres = await startPostgres({ isDurable: true, settings: { autovacuum_naptime: 5 } }) // a minute by default, which is a phase here
const url = postgres.url('postgres')
const server = await openServer(url, { MAYFLY_RETENTION_SECONDS: String(retentionSeconds) })
const http = openHttp(server.key)
const [full, awaited] = [await server.newAddress(), await server.newAddress()]
const load = { port: server.smtpPort, recipient: full.address, mails: ['otp'], connections }

await runLoad({ ...load, count: 500 })
const count = 3_000
const carried = count / (await runLoad({ ...load, count })).seconds
const perSecond = Math.round(Math.min(asked, carried * carriedShare))
console.log(`this machine carries ${carried.toFixed(0)} mails of 2 kB a second; ${perSecond} a second are sent; mail is removed after ${retentionSeconds} s`)

const over = new AbortController()
const sending = runLoad({ ...load, count: Number.MAX_SAFE_INTEGER, perSecond }, over.signal).catch((error: unknown) => {
  if (!over.signal.aborted) throw error
})
/** Milliseconds of the requests since the last line. */
const times = { lists: [] as number[], waits: [] as number[] }
/** The parameter of the next wait: the mail of the one before. */
let after = ''
const probes = [repeat(listOnce), repeat(waitOnce, await openSmtp(server.smtpPort))]
await pause((retentionSeconds + 10) * 1_000)

console.log('  s  phase    mails/s   list p50, p99 ms   wait p50, p99 ms    dead rows: most in               oldest  end of a group: lock, commit p99 ms   load of the machine')
let last = readMetrics(await http.get(server.httpPort, '/metrics'))
let lastAt = performance.now()
const startedAt = lastAt
takeTimes()
const totals: string[] = []
await phase('before')
const dump = await openDump()
await phase('during')
await dump.end()
await phase('after')
console.log(totals.join('\n'))
over.abort()
await Promise.all([sending, ...probes])
http.close()
await server.stop()
await postgres.stop()

async function phase(name: string) {
  const [first, all] = [last, { lists: [] as number[], waits: [] as number[] }]
  const begunAt = lastAt
  for (let i = 0; i < stepsOfPhase; i++) {
    await pause(seconds / stepsOfPhase * 1_000)
    const measured = takeTimes()
    all.lists.push(...measured.lists)
    all.waits.push(...measured.waits)
    const [before, beforeAt] = [last, lastAt]
    last = readMetrics(await http.get(server.httpPort, '/metrics'))
    lastAt = performance.now()
    console.log(`${((lastAt - startedAt) / 1_000).toFixed(0).padStart(4)}  ${describe(name, measured, before, lastAt - beforeAt)}`)
  }
  totals.push(`all   ${describe(name, all, first, lastAt - begunAt)}`)
}

function takeTimes() {
  return { lists: times.lists.splice(0), waits: times.waits.splice(0) }
}

function describe(name: string, times: { lists: number[], waits: number[] }, before: MetricsText, ms: number): string {
  const mails = (last.sum('mayfly_mails_accepted_total') - before.sum('mayfly_mails_accepted_total')) / ms * 1_000
  const dead = last.values('mayfly_table_rows').filter(({ labels }) => labels['state'] === 'dead').sort((a, b) => b.value - a.value)
  const most = dead.slice(0, 2).map(({ labels, value }) => `${labels['table']} ${value}`).join(', ')
  const oldest = last.values('mayfly_oldest_transaction_seconds').find(({ labels }) => labels['holder'] === 'transaction')
  const end = (step: string) => slowest(before, last, 'mayfly_commit_wait_seconds', { step }).padStart(6)
  return `${name.padEnd(7)} ${mails.toFixed(0).padStart(6)}  ${timesOf(times.lists)}  ${timesOf(times.waits)}   ${
    String(dead.reduce((sum, { value }) => sum + value, 0)).padStart(8)}: ${most.padEnd(34)} ${(oldest?.value ?? NaN).toFixed(0).padStart(4)} s  ${end('lock')} ${end('commit')}   ${loadavg()[0]!.toFixed(1)}`
}

function timesOf(times: number[]): string {
  const { p50, p99 } = figuresOf(times)
  return `${p50.toFixed(1).padStart(7)} ${p99.toFixed(1).padStart(8)} `
}

async function repeat<Args extends unknown[]>(work: (...args: Args) => Promise<void>, ...args: Args) {
  while (!over.signal.aborted) await work(...args)
}

async function listOnce() {
  const begun = performance.now()
  await http.get(server.httpPort, `/api/v1/emails?address_id=${full.id}&limit=20`)
  times.lists.push(performance.now() - begun)
  await pause(listPauseMs)
}

/** The time from the final dot of a mail to the answer of a wait for it. */
async function waitOnce(client: Awaited<ReturnType<typeof openSmtp>>) {
  const answered = http.get(server.httpPort, `/api/v1/emails/wait?address_id=${awaited.id}&timeout=20${after}`).then((text) => {
    if (text !== '') after = `&after=${JSON.parse(text).data.id}`
    return performance.now()
  })
  await pause(attachMs)
  let sentAt = 0
  await client.send(awaited.address, sourceOf('otp'), () => { sentAt = performance.now() })
  const answeredAt = await answered
  times.waits.push(answeredAt - sentAt)
}

/** Begins as `pg_dump` does, and reads all rows of all tables. */
async function openDump(): Promise<Client> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query('begin isolation level repeatable read read only')
  const { rows: tables } = await client.query<{ name: string }>('select tablename as name from pg_tables where schemaname = current_schema()')
  const begun = performance.now()
  for (const { name } of tables) {
    await client.query(`declare dumped cursor for select * from "${name}"`)
    while ((await client.query('fetch 1000 from dumped')).rows.length > 0) { /* all rows */ }
    await client.query('close dumped')
  }
  console.log(`      the dump has read ${tables.length} tables in ${((performance.now() - begun) / 1_000).toFixed(1)} s, and stays open`)
  return client
}
