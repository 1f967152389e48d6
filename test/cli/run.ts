import { execFile, spawn, spawnSync } from 'node:child_process'
import type { ChildProcess, ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { noDns } from '../support/no-dns.ts'
import { serverBuild } from '../support/server-build.ts'

const { programs: { mayfly: program }, compileCache } = await serverBuild()
export { program }

export interface Outcome {
  code: number | null
  stdout: string
  stderr: string
}

/** The environment of a command: `MAYFLY_…` variables, without those of the test's own environment. */
export type Variables = Record<string, string>

const environment = (variables: Variables) => ({ NODE_COMPILE_CACHE: compileCache, ...variables })

/** Runs `mayfly` with these arguments to its end. */
export function mayfly(args: string[], variables: Variables, stdin = ''): Promise<Outcome> {
  return new Promise((resolve) => {
    const options = { env: environment(variables), timeout: 20_000 }
    const child = execFile(process.execPath, [program, ...args], options, (_error, stdout, stderr) => {
      resolve({ code: child.exitCode, stdout, stderr })
    })
    child.stdin!.on('error', () => {}) // EPIPE when a command has ended without reading its stdin
    child.stdin!.end(stdin)
  })
}

export interface Started extends AsyncDisposable {
  child: ChildProcessWithoutNullStreams
  /** Resolves with the match once stdout or stderr has it. @throws Error when the process ends without a match */
  says(stream: 'stdout' | 'stderr', text: RegExp): Promise<RegExpExecArray>
  /** Sends a signal, and resolves when the process has ended. */
  stop(signal: NodeJS.Signals): Promise<Outcome>
  ended: Promise<Outcome>
}

const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Ends a process with this one at the latest: a test that fails by its timeout stops nothing. */
function endWithTests(child: ChildProcess) {
  running.add(child)
  child.once('exit', () => running.delete(child))
}

/** Starts a command that runs until it gets a signal. */
export const start = (args: string[], variables: Variables): Started =>
  follow(spawn(process.execPath, [program, ...args], { env: environment(variables) }))

/** Whether `startOnTerminal` works on this machine: it needs the `script` of util-linux. */
export const hasTerminal = (): boolean => String(spawnSync('script', ['--version']).stdout).includes('util-linux')

/**
 * Runs a command on its own terminal, by default 120 columns wide. Its stderr is merged into stdout.
 * @param options.shell makes the script of a shell of the words of the command; by default the command takes the place of the shell
 */
export function startOnTerminal(
  args: string[], variables: Variables, { columns = 120, shell = (command: string) => `exec ${command}` } = {},
): Started {
  const command = [process.execPath, program, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')
  const env = { PATH: process.env['PATH'], TERM: 'xterm', SHELL: '/bin/sh', ...environment(variables) }
  return follow(spawn('script', ['-qec', `stty cols ${columns}; ${shell(command)}`, '/dev/null'], { env }))
}

function follow(child: ChildProcessWithoutNullStreams): Started {
  endWithTests(child)
  const outcome: Outcome = { code: null, stdout: '', stderr: '' }
  const ended = once(child, 'close').then(() => ({ ...outcome, code: child.exitCode }))
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (text) => { outcome[stream] += String(text) })
  }
  return {
    child,
    ended,
    says: (stream, text) => new Promise((resolve, reject) => {
      const look = () => {
        const match = text.exec(outcome[stream])
        if (match) resolve(match)
      }
      child[stream].on('data', look)
      void ended.then(({ code, stderr }) => reject(new Error(`it ended with ${code}: ${stderr}`)))
      look()
    }),
    stop(signal) {
      if (isRunning(child)) child.kill(signal)
      return ended
    },
    async [Symbol.asyncDispose]() {
      if (isRunning(child)) child.kill('SIGKILL')
      await ended
    },
  }
}

export interface Served extends AsyncDisposable {
  /** The process id, which does not change when the launcher replaces itself. */
  pid: number
  /** The output up to the line with the URL, inclusive. */
  lines: string[]
  /** Sends a signal, and resolves when the process has ended. */
  stop(signal?: NodeJS.Signals): Promise<Outcome>
}

/** Runs `mayfly serve` on free ports until it listens. */
export async function serve(variables: Variables, args: string[] = []): Promise<Served> {
  const defaults = { MAYFLY_HTTP_PORT: '0', MAYFLY_SMTP_PORT: '0', MAYFLY_MIN_FREE_BYTES: '0', MAYFLY_DNS_SERVERS: await noDns() }
  const child = spawn(process.execPath, [program, 'serve', ...args], { env: environment({ ...defaults, ...variables }) })
  endWithTests(child)
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
  const lines = outcome.stdout.trimEnd().split('\n') // a new database adds a line about the dashboard
  return {
    pid: child.pid!,
    lines: lines.slice(0, lines.findIndex((line) => line.includes('listening')) + 1),
    stop,
    async [Symbol.asyncDispose]() {
      await stop('SIGKILL')
    },
  }
}

const isRunning = (child: ChildProcess) => child.exitCode === null && child.signalCode === null
