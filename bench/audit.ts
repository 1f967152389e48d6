import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startMeasured } from './measured-server.ts'
import type { MeasuredServer } from './measured-server.ts'
import { describeRatios, measureInTurn, median, rounds } from './rounds.ts'

/** Measures the cost of the audit log per request: two servers side by side, one of which does not write it. */
const folder = mkdtempSync(join(tmpdir(), 'mayfly-bench-'))
const servers: MeasuredServer[] = []
try {
  const audited = await start('audited', {})
  const bare = await start('bare', { NODE_OPTIONS: `--import=${fileURLToPath(new URL('without-audit.ts', import.meta.url))}` })
  const parts: Record<string, [count: number, work: (server: MeasuredServer) => Promise<unknown>]> = {
    'list 20 addresses': [8_000, ({ call }) => call('GET', '/addresses?limit=20')],
    'read an address': [8_000, ({ call, addressId }) => call('GET', `/addresses/${addressId}`)],
    'make an address': [3_000, ({ call }) => call('POST', '/addresses', '{}')],
    'make and remove a webhook': [1_500, async ({ call }) => {
      const { data } = JSON.parse(await call('POST', '/webhooks', '{"url":"https://hooks.example.com/","events":["email.deleted"]}'))
      await call('DELETE', `/webhooks/${data.id}`)
    }],
  }
  console.log(`microseconds of processor time a request, with and without the audit log, 20 connections; their ratio, ${rounds} rounds`)
  for (const [name, [count, work]] of Object.entries(parts)) {
    const [a, b] = await measureInTurn([audited, bare].map((server) => () => server.cost(count, work))) as [number[], number[]]
    console.log(`  ${name.padEnd(26)} ${median(a).toFixed(0).padStart(5)} ${median(b).toFixed(0).padStart(5)}   ${describeRatios(a, b, 2)}`)
  }
} finally {
  for (const server of servers) await server.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function start(name: string, env: Record<string, string>): Promise<MeasuredServer> {
  const server = await startMeasured(folder, name, env)
  servers.push(server)
  return server
}
