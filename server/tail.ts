import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import type { Server, Socket } from 'node:net'
import { relative } from 'node:path'
import type { ActivityNotice } from './activity.ts'
import { timestamp } from './clock.ts'
import type { App } from './context.ts'

/** A line that a reader gets, as JSON. */
export type TailLine = ActivityNotice & { at: string }

/** The first line that a reader gets: the base URL of the server. */
export interface TailGreeting { baseUrl: string }

/** Maximum readers at once. */
export const maxReaders = 16
/** Maximum bytes that wait for a reader; a slower one is disconnected. */
const maxWaitingBytes = 1024 * 1024
/** Time after which a server that does not greet is left. */
const maxGreetingMs = 1_000
/** Maximum bytes of the path of a Unix socket, on Linux and macOS. */
const maxPathBytes = 103

/** The path of the Unix socket of a database, absolute or relative, whichever is shorter. Its name is that of the file and `-tail`. */
export function tailSocketOf(database: string): string {
  const path = `${database}-tail`
  const fromHere = relative('.', path)
  return fromHere.length < path.length ? fromHere : path
}

/**
 * Listens for `mayfly tail` at a Unix socket beside the database. Only the user of the server may connect, and only with access to the
 * folder. It never delays the server, which starts without it when it cannot listen.
 * @returns a function that ends this
 */
export async function listenTail(app: Pick<App, 'activity' | 'baseUrl' | 'clock' | 'log'>, database: string): Promise<() => Promise<void>> {
  const path = tailSocketOf(database)
  const readers = new Set<Socket>()
  const server = createServer((socket) => {
    if (readers.size >= maxReaders) return socket.destroy()
    readers.add(socket)
    follow(app, socket, () => readers.delete(socket))
  })
  try {
    if (process.platform === 'win32') throw new Error('Windows has no socket in a folder')
    if (Buffer.byteLength(path) > maxPathBytes) throw new Error(`the path of a socket has at most ${maxPathBytes} bytes: ${path}`)
    server.on('error', (error) => app.log.warn({ err: error }, '"mayfly tail": a connection cannot be accepted'))
    await rm(path, { force: true }) // left by a server that was killed: the lock of the database is held by this process
    await listenPrivately(server, path)
  } catch (error) {
    app.log.warn(`"mayfly tail" cannot follow this server: ${(error as Error).message}`)
  }
  return async () => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    for (const reader of readers) reader.destroy()
    await closed
  }
}

/** The socket is made with mode 0600: `listen` binds it before it returns. */
async function listenPrivately(server: Server, path: string) {
  const listening = once(server, 'listening')
  const umask = process.umask(0o177)
  server.listen(path)
  process.umask(umask)
  await listening
}

function follow({ activity, baseUrl, clock }: Pick<App, 'activity' | 'baseUrl' | 'clock'>, socket: Socket, onClose: () => void) {
  socket.write(`${JSON.stringify({ baseUrl: baseUrl() } satisfies TailGreeting)}\n`)
  const stop = activity.listen((event) => {
    if (socket.writableLength > maxWaitingBytes) return socket.destroy()
    socket.write(`${JSON.stringify({ at: timestamp(clock.now()), ...event } satisfies TailLine)}\n`)
  })
  socket.on('error', () => {}) // the reader has gone; `close` follows
  socket.once('close', () => {
    stop()
    onClose()
  })
  socket.resume()
}

/** The base URL of the server that runs on a database in a file; undefined when it does not tell it, as on Windows. */
export async function findBaseUrl(database: string): Promise<string | undefined> {
  const socket = connect(tailSocketOf(database))
  try {
    const greeting = await new Promise<string | undefined>((resolve) => {
      const giveUp = () => resolve(undefined)
      socket.setTimeout(maxGreetingMs, giveUp).once('data', (bytes) => resolve(String(bytes).split('\n')[0])).once('error', giveUp).once('close', giveUp)
    })
    return greeting && (JSON.parse(greeting) as Partial<TailGreeting>).baseUrl
  } finally {
    socket.destroy()
  }
}
