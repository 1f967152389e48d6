import { spawn } from 'node:child_process'
import { createServer, connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** A port of this host on which no server listens. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject).listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}

const startMs = 30_000

/** Resolves when a server accepts connections. @throws Error after 30 seconds */
export async function untilListening(port: number): Promise<void> {
  for (const until = Date.now() + startMs; Date.now() < until; await pause(100)) if (await accepts(port)) return
  throw new Error(`no server listens on port ${port}`)
}

const accepts = (port: number) => new Promise<boolean>((resolve) => {
  const socket = connect({ port, host: '127.0.0.1' })
  socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
  socket.once('close', () => socket.destroy())
  socket.setTimeout(1_000, () => resolve(false))
  socket.once('connect', () => socket.end('QUIT\r\n'))
})

/** Starts a script of Node without output, and waits until it listens. */
export async function startScript(
  args: string[], port: number, options: { cwd: string, env?: Record<string, string> },
): Promise<{ pid: number, stop(): Promise<void> }> {
  const child = spawn(process.execPath, args, { cwd: options.cwd, env: { ...process.env, ...options.env }, stdio: 'ignore' })
  const kill = () => { child.kill('SIGKILL') } // it has no mail to keep
  process.prependOnceListener('exit', kill)
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await untilListening(port)
  return {
    pid: child.pid!,
    async stop() {
      process.off('exit', kill)
      kill()
      await exited
    },
  }
}
