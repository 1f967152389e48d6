import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { noDns } from '../test/support/no-dns.ts'
import { openHttp } from './http-load.ts'
import { portIn, startProcess } from './processes.ts'
import { inParallel, median, rounds } from './rounds.ts'

/**
 * Measures what the audit log costs a request: two servers side by side, one of which does not write it. Their processor
 * time is compared, all threads together, as it does not depend on what else the machine does.
 */
const folder = mkdtempSync(join(tmpdir(), 'mayfly-bench-'))
const servers: Server[] = []
try {
  const audited = await start('audited', {})
  const bare = await start('bare', { NODE_OPTIONS: `--import=${fileURLToPath(new URL('without-audit.ts', import.meta.url))}` })
  const parts: Record<string, [count: number, work: (server: Server) => Promise<unknown>]> = {
    'list 20 addresses': [8_000, ({ call }) => call('GET', '/addresses?limit=20')],
    'read an address': [8_000, ({ call, addressId }) => call('GET', `/addresses/${addressId}`)],
    'make an address': [3_000, ({ call }) => call('POST', '/addresses', '{}')],
    'make and remove a webhook': [1_500, async ({ call }) => {
      const { data } = JSON.parse(await call('POST', '/webhooks', '{"url":"https://hooks.example.com/","events":["email.deleted"]}'))
      await call('DELETE', `/webhooks/${data.id}`)
    }],
  }
  console.log('microseconds of processor time a request, 20 connections; how often as much as without the audit log')
  for (const [name, [count, work]] of Object.entries(parts)) {
    const times: [number, number][] = []
    for (let round = 0; round <= rounds; round++) times.push([await cost(audited, count, work), await cost(bare, count, work)])
    const [a, b] = [0, 1].map((side) => median(times.slice(1).map((pair) => pair[side]!)))
    const ratios = times.slice(1).map(([a, b]) => a / b).sort((a, b) => a - b)
    console.log(`  ${name.padEnd(26)} ${a!.toFixed(0).padStart(5)} ${b!.toFixed(0).padStart(5)}   ${median(ratios).toFixed(2)}, ` +
      `${rounds} rounds from ${ratios[0]!.toFixed(2)} to ${ratios.at(-1)!.toFixed(2)}`)
  }
} finally {
  for (const server of servers) await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function cost(server: Server, count: number, work: (server: Server) => Promise<unknown>) {
  const before = server.processorTime()
  await inParallel(20, count, () => work(server))
  await pause(300) // the rows of the last reads are written a little later
  return (server.processorTime() - before) / count
}

function pause(milliseconds: number) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

interface Server {
  /** Microseconds that the process has used. */
  processorTime(): number
  addressId: string
  call(method: string, path: string, body?: string): Promise<string>
  stop(): Promise<void>
}

async function start(name: string, env: Record<string, string>): Promise<Server> {
  const started = await startProcess('../cli/mayfly.js', ['serve'], {
    MAYFLY_DATABASE: join(folder, `${name}.db`),
    MAYFLY_HTTP_PORT: '0',
    MAYFLY_SMTP_PORT: '0',
    MAYFLY_RATE_LIMIT: '1000000000',
    MAYFLY_MIN_FREE_BYTES: '0',
    MAYFLY_DNS_SERVERS: await noDns(),
    MAYFLY_LOG_LEVEL: 'warn',
    ...env,
  })
  const http = openHttp(/svc_live_\w+/.exec(started.output)![0])
  const port = portIn(started.output, 'http')
  const server: Server = {
    addressId: '',
    processorTime() {
      const [, fields] = readFileSync(`/proc/${started.pid}/stat`, 'utf8').split(') ')
      const [user, system] = fields!.split(' ').slice(11, 13) as [string, string]
      return (Number(user) + Number(system)) * 10_000
    },
    call: (method, path, body) => http.call(port, method, `/api/v1${path}`, body),
    stop() {
      http.close()
      return started.stop()
    },
  }
  servers.push(server)
  for (let i = 0; i < 100; i++) server.addressId = JSON.parse(await server.call('POST', '/addresses', '{}')).data.id
  return server
}
