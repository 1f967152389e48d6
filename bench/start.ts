import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { noDns } from '../test/support/no-dns.ts'
import { median, rounds } from './rounds.ts'
import { processorTimes } from './processor-times.ts'

/**
 * Measures the start of `mayfly serve`, from the start of its process to the line that says where it listens, and the memory of a server
 * without work, beside Node alone and an empty Koa server. `first` starts have an empty compile cache, and a new database.
 */
interface Start {
  wallMs: number
  /** Processor time of all threads up to the line. */
  processorMs: number
  megabytes: number
}

const checkout = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'mayfly-bench-'))
const environment = {
  ...process.env,
  MAYFLY_HTTP_PORT: '0', MAYFLY_SMTP_PORT: '0', MAYFLY_MIN_FREE_BYTES: '0', MAYFLY_LOG_LEVEL: 'warn', MAYFLY_DNS_SERVERS: await noDns(),
}
const listen = `.listen(0, '127.0.0.1', () => console.log('listening'))`
const bare = ['--input-type=module', '--eval']
const programs: Record<string, (round: string) => [args: string[], state: string]> = {
  'node alone': () => [[...bare, `console.log('listening'); setInterval(() => {}, 1e6)`], 'bare'],
  'an empty Koa server': () => [[...bare, `import Koa from 'koa'; new Koa()${listen}`], 'bare'],
  'mayfly serve, first': (round) => [['cli/mayfly.js', 'serve'], `first-${round}`],
  'mayfly serve, again': () => [['cli/mayfly.js', 'serve'], 'again'],
}
/** Milliseconds after the start at which the memory of a server without work is read; the later one is after the threads have ended. */
const idleMs = [5_000, 35_000]

try {
  const starts: Record<string, Start[]> = {}
  for (let round = 0; round <= rounds; round++) { // the first round only fills the caches
    for (const [name, program] of Object.entries(programs)) {
      const { child, ...start } = await startOnce(...program(String(round)))
      await end(child)
      if (round > 0) (starts[name] ??= []).push(start)
    }
  }
  console.log(`median of ${rounds} starts, and their range`)
  for (const [name, all] of Object.entries(starts)) {
    const of = (key: keyof Start) => all.map((start) => start[key])
    console.log(`  ${name.padEnd(22)} ${describe(of('wallMs'))} ms, ${describe(of('processorMs'))} ms of processor time, ${describe(of('megabytes'))} MB`)
  }
  const { child } = await startOnce(...programs['mayfly serve, again']!(''))
  let waited = 0
  for (const until of idleMs) {
    await setTimeout(until - waited)
    waited = until
    console.log(`memory of the server after ${until / 1000} s without work: ${residentMegabytes(child.pid!).toFixed(0)} MB`)
  }
  await end(child)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function startOnce(args: string[], state: string): Promise<Start & { child: ChildProcess }> {
  const startedAt = performance.now()
  const child = spawn(process.execPath, args, {
    cwd: checkout,
    env: { ...environment, NODE_COMPILE_CACHE: join(folder, `${state}-cache`), MAYFLY_DATABASE: join(folder, `${state}.db`) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) if (String(chunk).includes('listening')) break
  const wallMs = performance.now() - startedAt
  child.stdout.resume()
  return { child, wallMs, processorMs: processorTimes(child.pid!).ownMs, megabytes: residentMegabytes(child.pid!) }
}

async function end(child: ChildProcess) {
  child.kill('SIGTERM')
  await once(child, 'exit')
}

function residentMegabytes(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!
  return Number(kilobytes) / 1024
}

function describe(values: number[]) {
  return `${median(values).toFixed(0).padStart(4)} (${Math.min(...values).toFixed(0)} to ${Math.max(...values).toFixed(0)})`
}
