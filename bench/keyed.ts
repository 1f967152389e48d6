import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startMeasured } from './measured-server.ts'
import { measureInTurn, median, rounds } from './rounds.ts'

/** Measures the cost of an `Idempotency-Key` per request, and of a repetition. */
const folder = mkdtempSync(join(tmpdir(), 'mayfly-bench-'))
const count = 3_000
const server = await startMeasured(folder, 'keyed')
try {
  const create = (headers?: Record<string, string>) => server.call('POST', '/addresses', '{}', headers)
  const keys: string[] = []
  const createWithNewKey = () => {
    const key = randomUUID()
    keys.push(key)
    return create({ 'idempotency-key': key })
  }
  const figures = await measureInTurn([
    () => server.cost(count, () => create()),
    () => server.cost(count, createWithNewKey),
    () => server.cost(count, () => create({ 'idempotency-key': keys.pop()! })),
  ])
  const [plain, keyed, repeated] = figures.map(median)
  console.log('microseconds of processor time to make an address, 20 connections')
  console.log(`  without a key ${plain!.toFixed(0)}, with one ${keyed!.toFixed(0)} (${(keyed! / plain!).toFixed(2)}), repeated ${repeated!.toFixed(0)} ` +
    `(${(repeated! / plain!).toFixed(2)}), ${rounds} rounds of ${count}`)
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}
