import { expect } from 'chai'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { noDns } from './no-dns.ts'

/** Stops of each way to start a server: `STOP_TRIES=20 npm test -- FILE…` makes more. */
export const stopTries = Number(process.env['STOP_TRIES'] ?? 3)

/** The time in which both ports have to be free after SIGTERM. */
const maxStopMs = 30_000

/** A command that runs a server in the foreground. */
export interface ServerCommand {
  command: string
  args: string[]
  cwd: string
  env: Record<string, string>
  signal?: NodeJS.Signals
}

/** Starts a server, signals the started process alone, and expects that its ports are free in time and that no process is left. */
export async function expectStop({ command, args, cwd, env, signal = 'SIGTERM' }: ServerCommand): Promise<void> {
  const free = { MAYFLY_HTTP_PORT: '0', MAYFLY_SMTP_PORT: '0', MAYFLY_MIN_FREE_BYTES: '0', MAYFLY_LOG_LEVEL: 'warn', MAYFLY_DNS_SERVERS: await noDns() }
  const child = spawn(command, args, { cwd, env: { ...free, ...env }, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  let stderr = ''
  child.stderr.on('data', (text) => { stderr += String(text) })
  // when all processes that have these streams have ended
  const closed = once(child, 'close')
  try {
    let ports: number[] | undefined
    const lines = createInterface({ input: child.stdout })
    for await (const line of lines) {
      const found = /^listening http=\S+:(\d+) smtp=\S+:(\d+)$/.exec(line)
      if (found) ports = found.slice(1).map(Number)
      if (found) break
    }
    if (!ports) throw new Error(`${command} did not start: ${stderr}`)
    child.stdout.resume()
    child.kill(signal)
    const signalledAt = performance.now()
    while ((await Promise.all(ports.map(isTaken))).includes(true)) {
      expect(performance.now() - signalledAt, `milliseconds until the ports are free; ${stderr}`).to.be.lessThan(maxStopMs)
      await setTimeout(10)
    }
    await closed
  } finally {
    killGroup(child.pid!)
  }
}

function killGroup(pid: number) {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error // all of its processes have ended
  }
}

async function isTaken(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
