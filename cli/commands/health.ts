import { Command } from 'commander'
import { get } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { get as getByTls } from 'node:https'
import { setTimeout } from 'node:timers/promises'
import { readConfigFile } from '../../server/config-file.ts'
import { CliError } from '../cli-error.ts'
import { parseDuration, withExamples, withJson } from '../client/options.ts'
import { defaultUrl } from '../client/settings.ts'
import { line, print, say } from '../output.ts'
import { reachableHost } from '../reachable-host.ts'

/** Timeout of a request, the pause between two with `--wait`, and the maximum characters that are read of an answer. */
const timeoutMs = 4_000
const pauseMs = 200
const maxAnswerLength = 1_000

interface Health {
  ok: boolean
  url: string
  /** Null when the server is ready. */
  reason: string | null
}

export function healthCommand(): Command {
  return withJson(withExamples(new Command('health'), [
    'mayfly health                                        the exit code is 1 unless the server is ready',
    'mayfly health --wait 30s                             after a start',
    'mayfly health --url https://mail.example.com         as others reach it',
  ]))
    .option('--url <url>', 'the server; default: MAYFLY_HTTP_HOST and MAYFLY_HTTP_PORT of this machine, else MAYFLY_BASE_URL')
    .option('--wait <time>', 'tries again until the server is ready, for this time at most, such as 30s', parseDuration, 0)
    .action(async ({ url, wait, json }: { url?: string, wait: number, json?: boolean }) => {
      const found = await waitForHealth(url ?? serverUrl({ ...readConfigFile(process.env['MAYFLY_CONFIG']?.trim() ?? ''), ...process.env }), wait)
      if (json) print({ json }, found, String)
      else if (found.ok) print({}, `ready: ${found.url}`, String)
      else say(line`mayfly: not ready: ${found.url}: ${found.reason ?? ''}`)
      if (!found.ok) process.exitCode = 1
    })
}

async function waitForHealth(baseUrl: string, waitSeconds: number): Promise<Health> {
  const until = performance.now() + waitSeconds * 1_000
  for (;;) {
    const found = await readHealth(baseUrl)
    if (found.ok || performance.now() + pauseMs > until) return found
    await setTimeout(pauseMs)
  }
}

async function readHealth(baseUrl: string): Promise<Health> {
  const url = readyUrl(baseUrl)
  const shown = `${url.origin}${url.pathname}` // without a password
  try {
    const [status, text] = await read(url)
    return status === 200 ? { ok: true, url: shown, reason: null } : { ok: false, url: shown, reason: `HTTP ${status} ${text}`.trim() }
  } catch (error) {
    return { ok: false, url: shown, reason: (error as Error).message }
  }
}

/** The path of the base URL stays: a proxy may give the API one. */
function readyUrl(baseUrl: string): URL {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) throw new CliError('--url, MAYFLY_BASE_URL: must be an http or https URL.')
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/readyz`
  return url
}

/** @returns the status, and the beginning of the text */
function read(url: URL): Promise<[status: number, text: string]> {
  return new Promise((resolve, reject) => {
    const request = url.protocol === 'https:' ? getByTls : get
    const late = AbortSignal.timeout(timeoutMs)
    request(url, { agent: false, signal: late }, (answer: IncomingMessage) => {
      let text = ''
      answer.setEncoding('utf8').on('error', reject).on('data', (chunk: string) => {
        text = (text + chunk).slice(0, maxAnswerLength)
      }).on('end', () => resolve([answer.statusCode!, text]))
    }).on('error', (error) => reject(late.aborted ? new Error(`no answer within ${timeoutMs / 1_000} seconds`) : error))
  })
}

/** The variables are read here, not by `readConfig`, which takes most of the time that this command may take. */
function serverUrl(env: NodeJS.ProcessEnv): string {
  const [host, port] = ['MAYFLY_HTTP_HOST', 'MAYFLY_HTTP_PORT'].map((name) => env[name]?.trim() || undefined)
  if (host === undefined && port === undefined) return env['MAYFLY_BASE_URL']?.trim() || defaultUrl.replace('localhost', '127.0.0.1')
  if (port === '0') throw new CliError('MAYFLY_HTTP_PORT: is 0, so the system has chosen the port. Give the URL of the server with --url.')
  const reached = reachableHost(host ?? '127.0.0.1')
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port ?? '3000'}`
}
