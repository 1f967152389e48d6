import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { noDns } from '../support/no-dns.ts'
import { serverBuild } from '../support/server-build.ts'

/** `mayfly serve` of the checkout, for measurements. */
export const serveCommand = [fileURLToPath(new URL('../../cli/mayfly.js', import.meta.url)), 'serve']

/**
 * Runs the server as a process of its own, in a folder, on free ports. The caller has to end it.
 * @param command arguments of Node; by default the built server, which starts three times as fast as that of the checkout
 */
export async function startServer(folder: string, variables: Record<string, string> = {}, command?: string[]) {
  const child = spawn(process.execPath, command ?? [(await serverBuild()).programs.serve], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      MAYFLY_DATABASE: `${folder}/mayfly.db`,
      MAYFLY_HTTP_PORT: '0',
      MAYFLY_SMTP_PORT: '0',
      MAYFLY_MIN_FREE_BYTES: '0',
      MAYFLY_DNS_SERVERS: await noDns(),
      MAYFLY_RATE_LIMIT: '1000000',
      ...variables,
    },
  })
  const output = await outputUntilListening(child)
  return {
    child,
    exited: new Promise<void>((resolve) => child.once('exit', () => resolve())),
    url: /listening http=(\S+)/.exec(output)![1]!,
    smtpPort: Number(/smtp=\S+:(\d+)/.exec(output)![1]),
    key: /svc_live_\w+/.exec(output)?.[0] ?? '',
  }
}

async function outputUntilListening(child: ChildProcess) {
  let [output, errors] = ['', '']
  child.stderr!.on('data', (text) => { errors = (errors + String(text)).slice(-2_000) })
  for await (const line of createInterface(child.stdout!)) {
    output += `${line}\n`
    if (line.startsWith('listening ')) return output
  }
  throw new Error(`the server ended before it listened: ${output}${errors}`)
}

export async function newAddress(url: string, key: string) {
  const { data } = await call(url, key, '/addresses', { method: 'POST', body: '{}' }) as { data: { id: string, address: string } }
  return data
}

/** Calls the API. @throws Error for any status that is not 2xx */
export async function call(url: string, key: string, path: string, init: RequestInit = {}): Promise<unknown> {
  const headers = { authorization: `Bearer ${key}`, ...(init.body ? { 'content-type': 'application/json' } : {}) }
  const response = await fetch(`${url}/api/v1${path}`, { ...init, headers })
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`)
  return response.json()
}
