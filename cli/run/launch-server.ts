import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { newApiKey } from '../../server/api-key-format.ts'
import { waitAtMost } from '../../server/deadline.ts'
import { isExecutable } from '../../server/program-file.ts'
import { CliError } from '../cli-error.ts'

/** The alias of the address that gets the mail to all others. */
const catchAllAlias = 'app'

/** How SDKs and apps reach a server, as variables of their environment. */
export type Variables = Record<'MAYFLY_BASE_URL' | 'MAYFLY_API_KEY' | 'SMTP_URL' | 'SMTP_HOST' | 'SMTP_PORT', string>

export interface LaunchOptions {
  database: string
  /** The file to which lines of the server are added. */
  log: string
  httpPort: number
  smtpPort: number
  /** Seconds until the server has to be ready. */
  wait: number
  /** A folder that the server removes at its end, which is that of its stdin. Without it, the server outlives this process. */
  temporary?: string
  /** Called at once with the process, which is not ready yet. */
  onSpawn?(pid: number): void
  signal: AbortSignal
}

export interface LaunchedServer {
  pid: number
  variables: Variables
  /** Resolves when the process has ended. */
  ended: Promise<void>
  /** The last lines of the server. */
  lastLines(): string
  stop(): Promise<void>
}

/** The pause between two looks for the line that says where the server listens. */
const pauseMs = 20

/** Time in which a server has to end: it gives itself 30 seconds. */
const maxStopMs = 40_000

/** Characters of the server's last lines in an error. */
const maxShown = 2_000

/**
 * Starts `mayfly serve` on 127.0.0.1 as a process of its own, and waits until it is ready. Ctrl-C on the terminal does not reach it.
 * @throws CliError with its last lines when it ends before, or takes too long; the reason of the signal
 */
export async function launchServer(options: LaunchOptions): Promise<LaunchedServer> {
  const { signal, temporary } = options
  const key = newApiKey('live')
  const file = openLog(options.log)
  const begin = fstatSync(file).size
  const words = ['serve', '--json', '--catch-all', catchAllAlias, ...temporary === undefined ? [] : ['--temporary', temporary]]
  const child = spawn(process.execPath, [...isExecutable ? [] : [process.argv[1]!], ...words], {
    env: serverEnvironment(key, options), stdio: [temporary === undefined ? 'ignore' : 'pipe', file, file], detached: true, windowsHide: true,
  })
  closeSync(file)
  child.stdin?.on('error', () => {}) // EPIPE: it has ended
  const ended = new Promise<void>((resolve) => { child.once('exit', () => resolve()).once('error', () => resolve()) })
  const text = () => readFileSync(options.log).subarray(begin).toString()
  const lastLines = () => text().trimEnd().slice(-maxShown)
  const stop = () => stopServer(child, ended)
  try {
    if (child.pid !== undefined) options.onSpawn?.(child.pid)
    const variables = variablesOf(await waitForPlaces(child, text, options), key)
    await issueCatchAll(variables)
    if (temporary === undefined) child.unref()
    return { pid: child.pid!, variables, ended, lastLines, stop }
  } catch (error) {
    await stop()
    if (signal.aborted) throw signal.reason
    throw new CliError(`${(error as Error).message}\n${lastLines()}`.trimEnd())
  }
}

function openLog(path: string): number {
  try {
    return openSync(path, 'a', 0o600)
  } catch (error) {
    throw new CliError(`${path} cannot be written: ${(error as Error).message}`)
  }
}

/**
 * Variables that would share the database of another server, open further ports or let mail out; and npm's, by which the server would end
 * with the shell of the command that starts it.
 */
const notForServer = [
  'MAYFLY_CONFIG', 'MAYFLY_BASE_URL', 'MAYFLY_API_KEY', 'MAYFLY_OUTBOUND', 'MAYFLY_SUBMISSION_PORT', 'MAYFLY_SMTPS_PORT', 'npm_lifecycle_script',
]

/** Limits are lifted unless their variable is set. */
function serverEnvironment(key: string, { database, httpPort, smtpPort }: LaunchOptions): NodeJS.ProcessEnv {
  const given = Object.entries(process.env).filter(([name]) => !notForServer.includes(name))
  return {
    MAYFLY_RATE_LIMIT: '0', MAYFLY_MIN_FREE_BYTES: '0', MAYFLY_ALLOW_PRIVATE_WEBHOOKS: 'true', ...Object.fromEntries(given),
    MAYFLY_DATABASE: database, MAYFLY_INITIAL_API_KEY: key, MAYFLY_HTTP_HOST: '127.0.0.1', MAYFLY_HTTP_PORT: String(httpPort),
    MAYFLY_SMTP_HOST: '127.0.0.1', MAYFLY_SMTP_PORT: String(smtpPort),
  }
}

interface Places {
  http: string
  smtp: string
}

async function waitForPlaces(child: ChildProcess, text: () => string, { wait, signal }: LaunchOptions): Promise<Places> {
  let failure: Error | undefined
  child.once('error', (error) => { failure = error })
  const until = performance.now() + wait * 1_000
  for (;;) {
    signal.throwIfAborted()
    const line = text().split('\n').slice(0, -1).find((line) => line.startsWith('{"event":"listening"'))
    if (line) return (JSON.parse(line) as { listening: Places }).listening
    if (failure) throw new Error(`The server cannot be started: ${failure.message}`)
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('The server could not start:')
    if (performance.now() > until) throw new Error(`The server was not ready within ${wait} s; --wait gives it longer.`)
    await setTimeout(pauseMs)
  }
}

function variablesOf({ http, smtp }: Places, key: string): Variables {
  const [, host, port] = /^(.*):(\d+)$/.exec(smtp) as unknown as [string, string, string]
  return { MAYFLY_BASE_URL: http, MAYFLY_API_KEY: key, SMTP_URL: `smtp://${smtp}`, SMTP_HOST: host, SMTP_PORT: port }
}

/** Issues the address before its first mail, so that a test can wait for that. */
async function issueCatchAll({ MAYFLY_BASE_URL: baseUrl, MAYFLY_API_KEY: apiKey }: Variables) {
  const { Mayfly } = await import('@mayfly-mail/sdk') // imported late: help and wrong options need no SDK
  await new Mayfly({ baseUrl, apiKey }).addresses.create({ alias: catchAllAlias })
}

async function stopServer(child: ChildProcess, ended: Promise<void>) {
  if (child.stdin) child.stdin.end()
  else child.kill()
  if (await waitAtMost(maxStopMs, ended.then(() => true))) return
  child.kill('SIGKILL')
  await ended
}
