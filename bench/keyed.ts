import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startMeasured } from './measured-server.ts'
import { median, rounds } from './rounds.ts'

/** Measures what an `Idempotency-Key` costs a request, and what a repetition of it costs. */
const folder = mkdtempSync(join(tmpdir(), 'mayfly-bench-'))
const count = 3_000
const server = await startMeasured(folder, 'keyed')
try {
  const create = (headers?: Record<string, string>) => server.call('POST', '/addresses', '{}', headers)
  const costs: [plain: number, keyed: number, repeated: number][] = []
  for (let round = 0; round <= rounds; round++) {
    const keys: string[] = []
    const plain = await server.cost(count, () => create())
    const keyed = await server.cost(count, () => {
      const key = randomUUID()
      keys.push(key)
      return create({ 'idempotency-key': key })
    })
    costs.push([plain, keyed, await server.cost(count, () => create({ 'idempotency-key': keys.pop()! }))])
  }
  const [plain, keyed, repeated] = [0, 1, 2].map((i) => median(costs.slice(1).map((cost) => cost[i]!)))
  console.log('microseconds of processor time to make an address, 20 connections')
  console.log(`  without a key ${plain!.toFixed(0)}, with one ${keyed!.toFixed(0)} (${(keyed! / plain!).toFixed(2)}), repeated ${repeated!.toFixed(0)} ` +
    `(${(repeated! / plain!).toFixed(2)}), ${rounds} rounds of ${count}`)
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}
