import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startMeasured } from './measured-server.ts'
import type { MeasuredServer } from './measured-server.ts'
import { median, rounds } from './rounds.ts'

/** Measures what the audit log costs a request: two servers side by side, one of which does not write it. */
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
  console.log('microseconds of processor time a request, 20 connections; how often as much as without the audit log')
  for (const [name, [count, work]] of Object.entries(parts)) {
    const times: [number, number][] = []
    for (let round = 0; round <= rounds; round++) times.push([await audited.cost(count, work), await bare.cost(count, work)])
    const [a, b] = [0, 1].map((side) => median(times.slice(1).map((pair) => pair[side]!)))
    const ratios = times.slice(1).map(([a, b]) => a / b).sort((a, b) => a - b)
    console.log(`  ${name.padEnd(26)} ${a!.toFixed(0).padStart(5)} ${b!.toFixed(0).padStart(5)}   ${median(ratios).toFixed(2)}, ` +
      `${rounds} rounds from ${ratios[0]!.toFixed(2)} to ${ratios.at(-1)!.toFixed(2)}`)
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
