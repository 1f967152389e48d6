import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openHttp } from './http-load.ts'
import { processorUs } from './measured-server.ts'
import { portIn, startProcess, startServer } from './processes.ts'
import type { Started } from './processes.ts'
import { describeRatios, inParallel, measureInTurn, median, rounds } from './rounds.ts'

/** Measures requests beside bare node:http with the same look-ups and SQL: their rate, and the processor time of the server for each. */
const path = '/api/v1/addresses'
const parts: [name: string, count: number, method: string, path: string, body?: string][] = [
  ['list 20 addresses', 8_000, 'GET', `${path}?limit=20`],
  ['create an address', 4_000, 'POST', path, '{}'],
]

/** A server with 100 addresses on a database of its own. */
interface Target {
  pid: number
  call(method: string, path: string, body?: string): Promise<string>
  stop(): Promise<void>
}

const folder = mkdtempSync(join(tmpdir(), 'mayfly-bench-'))
const targets: Target[] = []
try {
  const mayfly = await startMayfly()
  const bare = await startBare()
  console.log(`Mayfly and bare node:http with the same look-ups and SQL, 20 connections; their ratio in ${rounds} rounds`)
  for (const [name, count, ...request] of parts) {
    const costs: number[][] = [[], []]
    const rates = await measureInTurn([mayfly, bare].map((target, i) => async () => {
      const [begun, used] = [performance.now(), processorUs(target.pid)]
      await inParallel(20, count, () => target.call(...request))
      costs[i]!.push((processorUs(target.pid) - used) / count)
      return count / (performance.now() - begun) * 1000
    }))
    const [ours, theirs] = costs.map((some) => some.slice(1)) as [number[], number[]] // without the round that warms up
    print(`${name}, a second`, rates[0]!, rates[1]!, describeRatios(rates[0]!, rates[1]!, 2))
    print('  processor time, µs', ours, theirs, describeRatios(theirs, ours, 2))
  }
} finally {
  for (const { stop } of targets) await stop()
  rmSync(folder, { recursive: true, force: true })
}

async function startMayfly(): Promise<Target> {
  const started = await startServer(join(folder, 'mayfly.db'))
  const target = addTarget(started, /svc_live_\w+/.exec(started.output)![0])
  for (let i = 0; i < 100; i++) await target.call('POST', path, '{}')
  return target
}

/** On a database that the server has made. */
async function startBare(): Promise<Target> {
  const file = join(folder, 'bare.db')
  const first = await startServer(file)
  const key = /svc_live_\w+/.exec(first.output)![0]
  const http = openHttp(key)
  for (let i = 0; i < 100; i++) await http.call(portIn(first.output, 'http'), 'POST', path, '{}')
  http.close()
  await first.stop()
  return addTarget(await startProcess('./bare-http.ts', [], { MAYFLY_DATABASE: file, BENCH_KEY: key }), key)
}

function addTarget(started: Started, key: string): Target {
  const http = openHttp(key)
  const target: Target = {
    pid: started.pid,
    call: (method, path, body) => http.call(portIn(started.output, 'http'), method, path, body),
    stop() {
      http.close()
      return started.stop()
    },
  }
  targets.push(target)
  return target
}

function print(name: string, ours: number[], theirs: number[], ratio: string) {
  console.log(`  ${name.padEnd(28)} ${median(ours).toFixed(0).padStart(6)} ${median(theirs).toFixed(0).padStart(6)}   ${ratio}`)
}
