import { Command } from 'commander'
import { get } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { get as getByTls } from 'node:https'
import { setTimeout } from 'node:timers/promises'
import { effectiveEnvironment } from '../../server/config/config-file.ts'
import type { EffectiveEnvironment } from '../../server/config/config-file.ts'
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
    .action(async ({ url, wait, ...options }: { url?: string, wait: number, json?: boolean, format?: string }) => {
      const found = await waitForHealth(url ?? serverUrl(effectiveEnvironment(process.env)), wait)
      if (options.json) print(options, found, String)
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
    return { ok: false, url: shown, reason: reasonOf(error as NodeJS.ErrnoException) }
  }
}

const reasonOf = ({ code, message }: NodeJS.ErrnoException) => code === 'ECONNREFUSED'
  ? `${message}. No server listens there: start one with "mayfly serve", or give the URL of another with --url`
  : message

/** The path of the base URL stays: a proxy may give the API one. */
function readyUrl(baseUrl: string): URL {
  if (!isHttpUrl(baseUrl)) throw new CliError('--url: must be an http or https URL.')
  const url = new URL(baseUrl)
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

/** The variables are checked here, not by `readConfig`, which takes most of the time that this command may take. */
function serverUrl({ values, label }: EffectiveEnvironment): string {
  const { MAYFLY_HTTP_HOST: host, MAYFLY_HTTP_PORT: port = '3000', MAYFLY_BASE_URL: baseUrl = defaultUrl.replace('localhost', '127.0.0.1') } = values
  if (host === undefined && !('MAYFLY_HTTP_PORT' in values)) {
    if (isHttpUrl(baseUrl)) return baseUrl
    throw new CliError(`${label('MAYFLY_BASE_URL')}: must be an http or https URL.`)
  }
  const way = 'Give the URL of the server with --url.'
  if (!/^\d{1,5}$/.test(port)) throw new CliError(`${label('MAYFLY_HTTP_PORT')}: must be a whole number from 0 to 65535. ${way}`)
  if (Number(port) === 0) throw new CliError(`${label('MAYFLY_HTTP_PORT')}: is 0, so the system has chosen the port. ${way}`)
  const reached = reachableHost(host ?? '127.0.0.1')
  const url = `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`
  if (isHttpUrl(url)) return url
  throw new CliError(`${label('MAYFLY_HTTP_HOST')}, ${label('MAYFLY_HTTP_PORT')}: ${url} is not a URL. ${way}`)
}

const isHttpUrl = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
