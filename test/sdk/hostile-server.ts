import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'

/** Behaviours of the server, by name. */
export type Behaviour = keyof typeof behaviours

export interface HostileConnection {
  /** The first part of the path of its request. */
  name: string
  /** Bytes of answers that the server could write. */
  written: number
  isOpen: boolean
}

export interface HostileServer extends AsyncDisposable {
  url: string
  connections: HostileConnection[]
  /** Resolves when all connections that had a request are closed, or after ten seconds. `fetch` keeps spare ones for four seconds. */
  closed(): Promise<void>
}

/** Maximum bytes of a flood, to protect the machine from a client that reads all of it. */
const maxFloodBytes = 80 * 1024 * 1024

/** Opens a server of raw TCP. @param choose the behaviour for the first part of a path */
export async function openHostileServer(choose: (name: string) => Behaviour): Promise<HostileServer> {
  const connections: HostileConnection[] = []
  const sockets = new Set<Socket>()
  const requested = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    const connection: HostileConnection = { name: '', written: 0, isOpen: true }
    connections.push(connection)
    socket.on('error', () => {}).once('close', () => {
      connection.isOpen = false
      sockets.delete(socket)
      requested.delete(socket)
    })
    socket.once('data', (text) => {
      requested.add(socket)
      const [, name, path] = /^\w+ \/(\w+)(\S*)/.exec(String(text))!
      connection.name = name!
      behaviours[choose(name!)](socket, path!, connection)
    })
    socket.on('data', () => {})
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections,
    async closed() {
      const tooLong = Promise.withResolvers<void>()
      const timer = setTimeout(() => tooLong.resolve(), 10_000)
      // not once() of node:events, which an error before it ends
      const closed = [...requested].map((socket) => new Promise<void>((resolve) => socket.once('close', () => resolve())))
      await Promise.race([Promise.all(closed), tooLong.promise])
      clearTimeout(timer)
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await once(server.close(), 'close')
    },
  }
}

type Act = (socket: Socket, path: string, connection: HostileConnection) => void

const behaviours = {
  'stalls before the headers': () => {},
  'stalls within the headers': (socket) => void socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nx-slow: 1'),
  'stalls within the body': (socket, path) => void socket.write(`${head(200, typeOf(path))}${beginning(path)}`),
  'drops within the body': (socket, path) => void socket.write(`${head(200, typeOf(path), 'content-length: 1000\r\n')}${beginning(path)}`, () => socket.destroy()),
  'floods with headers': (socket, path, connection) => flood(socket, head(200, typeOf(path)).replace(/\r\n$/, 'x-long: '), connection),
  'floods with a body': (socket, path, connection) => flood(socket, `${head(200, typeOf(path))}${beginning(path)}`, connection),
  'floods with an error': (socket, _path, connection) => flood(socket, `${head(500, 'application/json')}{"error":"`, connection),
  'floods with a web page': (socket, _path, connection) => flood(socket, head(200, 'text/html'), connection),
} satisfies Record<string, Act>

/** Without a length: the body ends with the connection. */
const head = (status: number, type: string, more = '') => `HTTP/1.1 ${status} X\r\ncontent-type: ${type}\r\n${more}\r\n`

function typeOf(path: string) {
  if (path.endsWith('/raw')) return 'message/rfc822'
  if (path.endsWith('/events')) return 'text/event-stream'
  return path.includes('/attachments/') ? 'application/octet-stream' : 'application/json'
}

const beginning = (path: string) => path.endsWith('/events') ? 'data: {"type":"' : '{"data":"'

/** Writes as much as the client takes. */
function flood(socket: Socket, start: string, connection: HostileConnection) {
  const piece = Buffer.alloc(65_536, 'x')
  const more = () => {
    while (connection.written < maxFloodBytes && !socket.destroyed) {
      connection.written += piece.length
      if (!socket.write(piece)) return void socket.once('drain', more)
    }
  }
  socket.write(start)
  more()
}
