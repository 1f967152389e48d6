import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { noDns } from '../test/support/no-dns.ts'

export interface Started {
  /** The output up to the line with the URL. */
  output: string
  pid: number
  stop(): Promise<void>
}

/**
 * Starts a server without rate limits and without queries to external name servers.
 * @param tracer a command that runs the server, with the same process number
 */
export const startServer = async (database: string, env: Record<string, string> = {}, tracer: string[] = []): Promise<Started> =>
  startProcess('../cli/mayfly.js', ['serve'], {
    MAYFLY_DATABASE: database,
    MAYFLY_HTTP_PORT: '0',
    MAYFLY_SMTP_PORT: '0',
    MAYFLY_RATE_LIMIT: '1000000000',
    MAYFLY_MIN_FREE_BYTES: '0',
    MAYFLY_DNS_SERVERS: await noDns(),
    MAYFLY_LOG_LEVEL: 'warn',
    ...env,
  }, tracer)

/** Starts a script in a new process, and waits until it prints its URL. @throws Error when the process ends first */
export async function startProcess(
  script: string, args: string[] = [], env: Record<string, string> = {}, tracer: string[] = [],
): Promise<Started> {
  const [command, ...more] = [...tracer, process.execPath, fileURLToPath(new URL(script, import.meta.url)), ...args]
  const child = spawn(command!, more, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] })
  const kill = () => { child.kill('SIGKILL') } // when the benchmark fails
  process.prependOnceListener('exit', kill)
  const exited = new Promise<void>((resolve) => child.once('exit', () => {
    process.off('exit', kill)
    resolve()
  }))
  let output = ''
  for await (const line of createInterface(child.stdout)) {
    output += `${line}\n`
    if (line.includes('listening ')) break
  }
  if (!output.includes('listening ')) throw new Error(`${script} ended before it listened`)
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
