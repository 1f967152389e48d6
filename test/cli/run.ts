import { execFile, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { noDns } from '../support/no-dns.ts'

const program = fileURLToPath(new URL('../../cli/mayfly.js', import.meta.url))

export interface Outcome {
  code: number | null
  stdout: string
  stderr: string
}

/** What a command is given beside its arguments: `MAYFLY_…` variables, and nothing of the test's own environment. */
export type Variables = Record<string, string>

/** Runs `mayfly` with these arguments to its end. */
export function mayfly(args: string[], variables: Variables): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [program, ...args], { env: variables, timeout: 20_000 }, (_error, stdout, stderr) => {
      resolve({ code: child.exitCode, stdout, stderr })
    })
  })
}

export interface Served extends AsyncDisposable {
  /** What it printed up to the line that says where it listens, that one included. */
  lines: string[]
  /** Sends a signal, and resolves when the process has ended. */
  stop(signal?: NodeJS.Signals): Promise<Outcome>
}

/** Runs `mayfly serve` on free ports until it listens. */
export async function serve(variables: Variables, args: string[] = []): Promise<Served> {
  const child = spawn(process.execPath, [program, 'serve', ...args], {
    env: { MAYFLY_HTTP_PORT: '0', MAYFLY_SMTP_PORT: '0', MAYFLY_MIN_FREE_BYTES: '0', MAYFLY_DNS_SERVERS: await noDns(), ...variables },
  })
  const outcome: Outcome = { code: null, stdout: '', stderr: '' }
  child.stderr.on('data', (text) => { outcome.stderr += String(text) })
  const ended = once(child, 'close').then(() => ({ ...outcome, code: child.exitCode }))
  const listens = new Promise<void>((resolve) => {
    child.stdout.on('data', (text) => {
      outcome.stdout += String(text)
      if (/listening.*\n/.test(outcome.stdout)) resolve()
    })
  })
  const early = await Promise.race([listens, ended])
  if (early) throw new Error(`it ended with ${early.code}: ${early.stderr}`)
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    if (isRunning(child)) child.kill(signal)
    return ended
  }
  return {
    lines: outcome.stdout.trimEnd().split('\n'),
    stop,
    async [Symbol.asyncDispose]() {
      await stop('SIGKILL')
    },
  }
}

const isRunning = (child: ChildProcess) => child.exitCode === null && child.signalCode === null
