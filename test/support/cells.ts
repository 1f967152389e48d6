import { EventEmitter, once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { Transform } from 'node:stream'
import { newApiKey } from '../../server/api-key-format.ts'
import { openTestApp } from './app.ts'
import type { ApiAnswer, TestApp, TestOptions } from './app.ts'
import { newPostgresDatabase } from './postgres.ts'

/** The network to a port of a cell. `unavailable` refuses connections, `silent` takes them and passes nothing on. */
export type GateState = 'open' | 'unavailable' | 'silent'

class Gate {
  readonly #server = createServer((socket) => this.#pass(socket))
  readonly #sockets = new Set<Socket>()
  readonly #events = new EventEmitter<{ bytes: [Buffer], end: [] }>()
  state: GateState = 'open'
  target = 0
  connections = 0
  /** Bytes to the cell wait for it. */
  held: Promise<void> | undefined = undefined

  get port() {
    return (this.#server.address() as AddressInfo).port
  }

  async listen() {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening')
    return this
  }

  /** Resolves with the bytes to the cell from now on, when they have a text. */
  receives(text: string): Promise<string> {
    let all = ''
    return new Promise((resolve) => {
      const read = (bytes: Buffer) => {
        all += bytes.toString('latin1')
        if (!all.includes(text)) return
        this.#events.off('bytes', read)
        resolve(all)
      }
      this.#events.on('bytes', read)
    })
  }

  /** Resolves when the next connection ends. */
  async ends() {
    await once(this.#events, 'end')
  }

  /** Open connections are cut, or get no more bytes. */
  set(state: GateState) {
    this.state = state
    if (state === 'silent') for (const socket of this.#sockets) socket.unpipe().pause()
    else for (const socket of this.#sockets) socket.destroy()
  }

  close() {
    this.set('unavailable')
    this.#server.close()
  }

  #pass(near: Socket) {
    this.#hold(near)
    if (this.state === 'unavailable') return void near.destroy()
    if (this.state === 'silent') return
    this.connections++
    const far = connect(this.target, '127.0.0.1')
    this.#hold(far)
    const hold = new Transform({
      transform: (bytes: Buffer, _encoding, done) => {
        this.#events.emit('bytes', bytes)
        void (this.held ?? Promise.resolve()).then(() => done(null, bytes))
      },
    })
    near.pipe(hold).pipe(far).pipe(near)
    near.once('close', () => far.destroy())
    far.once('close', () => {
      near.destroy()
      this.#events.emit('end')
    })
  }

  #hold(socket: Socket) {
    this.#sockets.add(socket)
    socket.on('error', () => {}).once('close', () => this.#sockets.delete(socket))
  }
}

export interface TestCell extends TestApp {
  name: string
  /** By which the other cells reach it. */
  gates: { http: Gate, smtp: Gate }
  /** Changes both. */
  set(state: GateState): void
}

export interface TestCells extends AsyncDisposable {
  cells: TestCell[]
  /** The variables of all. */
  env: Record<string, string>
}

export const cellsSecret = 'a-secret-of-the-cells'

/** Opens cells that serve together, each with a database of its own, one node and an account. */
export async function openCells(count: number, options: TestOptions = {}): Promise<TestCells> {
  const names = Array.from({ length: count }, (_, i) => `${'abcdef'[i]}.mail.example`)
  const gates = await Promise.all(names.map(async () => ({ http: await new Gate().listen(), smtp: await new Gate().listen() })))
  const env = {
    MAYFLY_CELLS: names.map((name, i) => `${name} http://127.0.0.1:${gates[i]!.http.port} 127.0.0.1:${gates[i]!.smtp.port}`).join(', '),
    MAYFLY_CELLS_SECRET: cellsSecret,
  }
  const cells: TestCell[] = []
  const close = async () => {
    for (const { http, smtp } of gates) [http, smtp].map((gate) => gate.close())
    await Promise.all(cells.map((cell) => cell[Symbol.asyncDispose]()))
  }
  try {
    for (const [i, name] of names.entries()) {
      const database = await newPostgresDatabase()
      const variables = { ...env, MAYFLY_DEFAULT_DOMAIN: name, ...options.env }
      const app = await openTestApp({ isRealTime: true, ...options, database, env: variables })
      const { http, smtp } = gates[i]!
      http.target = app.app.http.port
      smtp.target = app.app.smtp.port
      cells.push({ ...app, name, gates: gates[i]!, set: (state) => [http, smtp].map((gate) => gate.set(state)) })
    }
    return { cells, env, [Symbol.asyncDispose]: close }
  } catch (error) {
    await close()
    throw error
  }
}

/** A well-formed API key that no cell has. */
export const unknownKey = (): string => newApiKey('live')

/** Calls the API at a cell. */
export async function callAt(
  { url }: TestCell, key: string, method: string, path: string, body?: unknown, headers: Record<string, string> = {},
): Promise<ApiAnswer> {
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    body: body === undefined ? null : JSON.stringify(body),
    headers: { authorization: `Bearer ${key}`, ...body === undefined ? {} : { 'content-type': 'application/json' }, ...headers },
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(String(bytes)) : bytes }
}
