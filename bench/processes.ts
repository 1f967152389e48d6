import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { noDns } from '../test/support/no-dns.ts'

export interface Started {
  /** What it printed up to the line that says where it listens. */
  output: string
  pid: number
  stop(): Promise<void>
}

/** Starts a server that no limit slows down, and that asks no name server outside. */
export const startServer = async (database: string, env: Record<string, string> = {}): Promise<Started> =>
  startProcess('../cli/mayfly.js', ['serve'], {
    MAYFLY_DATABASE: database,
    MAYFLY_HTTP_PORT: '0',
    MAYFLY_SMTP_PORT: '0',
    MAYFLY_RATE_LIMIT: '1000000000',
    MAYFLY_MIN_FREE_BYTES: '0',
    MAYFLY_DNS_SERVERS: await noDns(),
    MAYFLY_LOG_LEVEL: 'warn',
    ...env,
  })

/** Starts a script of ours in a process of its own, and waits until it says where it listens. */
export async function startProcess(script: string, args: string[] = [], env: Record<string, string> = {}): Promise<Started> {
  const child = spawn(process.execPath, [fileURLToPath(new URL(script, import.meta.url)), ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  let output = ''
  for await (const line of createInterface(child.stdout)) {
    output += `${line}\n`
    if (line.includes('listening ')) break
  }
  child.stdout.resume()
  return {
    output,
    pid: child.pid!,
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
  }
}

export const portIn = (output: string, name: 'http' | 'smtp') => Number(new RegExp(`listening .*${name}=\\S*:(\\d+)`).exec(output)![1])
