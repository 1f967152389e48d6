import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { AppError } from '../errors.ts'
import { clientNetwork, clientNetworks } from '../network.ts'
import type { FairShare } from './fair-share.ts'
import type { HttpLimits } from './limits.ts'
import { faultOfParser, noTunnel, requestTimedOut } from './malformed.ts'

/** Bytes that the HTTP parser gets per call: at most about forty requests with a key. */
const pieceBytes = 4096

/** Connections that share a limit. */
interface Group {
  key: string
  open: number
  /** Connections without a request in progress, the longest idle one first. */
  idle: Set<Socket>
}

interface Connection {
  groups: Group[]
  /** Until an account is known, its connections share their turns. */
  network: string
  /** In the order of arrival: the request in progress, then the pipelined requests that have not begun. */
  requests: Map<IncomingMessage, ServerResponse>
  /** Refuses the last request, which is not valid HTTP, once the others are answered; undefined without one. */
  refuse?: () => void
}

export interface ConnectionOptions {
  limits: HttpLimits
  share: FairShare
  /** Whether the limits per network do not apply: loopback and trusted proxies, which many callers share. */
  isUnbounded(address: string): boolean
  answer(req: IncomingMessage, res: ServerResponse): void
  /** Answers a request that Node's parser refused, and ends the connection. */
  refuse(socket: Socket, fault: AppError): void
}

/**
 * Limits the open connections of a server: in total, and per network of a client. At a limit, a new connection closes the one that
 * has been idle longest, and is refused only when all others have requests in progress.
 *
 * Pipelined requests of a connection run one after the other, and connections take turns (`fair-share.ts`). At `maxPipelinedRequests`
 * open requests, a connection is not read.
 */
export function boundConnections(server: Server, { limits, share, isUnbounded, answer, refuse }: ConnectionOptions): void {
  const groups = new Map<string, Group>()
  const connections = new Map<Socket, Connection>()

  server.on('connection', (socket) => {
    const wanted = groupsOf(socket.remoteAddress)
    if (!wanted.every(([key, max]) => hasRoom(key, max))) return void socket.destroy()
    const joined = wanted.map(([key]) => groups.get(key) ?? { key, open: 0, idle: new Set<Socket>() })
    for (const group of joined) {
      groups.set(group.key, group)
      group.open++
      group.idle.add(socket)
    }
    connections.set(socket, { groups: joined, network: clientNetwork(socket.remoteAddress ?? ''), requests: new Map() })
    socket.once('close', () => leave(socket))
    readInPieces(socket)
  })

  server.on('timeout', (socket: Socket) => {
    if (isWaitingForServer(socket)) socket.setTimeout(limits.stallTimeoutMs)
    else stopReading(socket, isInBody(socket) && socket.writableLength === 0 ? requestTimedOut() : undefined)
  })

  server.on('clientError', (error, socket: Socket) => stopReading(socket, faultOfParser(error)))
  server.on('connect', (_req, socket) => stopReading(socket as Socket, noTunnel()))

  /** @param fault of the last request; undefined for an error of the connection, which has no answer */
  function stopReading(socket: Socket, fault: AppError | undefined) {
    const connection = connections.get(socket)
    if (!connection || !fault || connection.refuse || !socket.writable) return void socket.destroy()
    socket.on('error', () => {}).removeAllListeners('data').removeAllListeners('end').resume() // no parser gets the rest, or its end
    const isLastInBody = isInBody(socket)
    connection.refuse = () => {
      if (connection.requests.size > (isLastInBody ? 1 : 0)) return // the requests before it are answered first
      const [current] = connection.requests.values()
      if (current?.headersSent || !socket.writable) return void socket.destroy()
      refuse(socket, fault)
      setTimeout(() => socket.destroy(), limits.maxLingerMs).unref() // until then the rest is read, as in `unread-body.ts`
    }
    connection.refuse()
  }

  /** Whether the body of the last request has not arrived. */
  function isInBody(socket: Socket) {
    return [...connections.get(socket)?.requests.keys() ?? []].at(-1)?.complete === false
  }

  function groupsOf(address: string | undefined): [key: string, max: number][] {
    const all: [string, number] = ['all', limits.maxConnections]
    if (address === undefined || isUnbounded(address)) return [all]
    return [...clientNetworks(address).map(({ name, factor }): [string, number] => [name, limits.maxConnectionsPerAddress * factor]), all]
  }

  function hasRoom(key: string, max: number) {
    const group = groups.get(key)
    if (!group || group.open < max) return true
    const [idlest] = group.idle
    if (!idlest) return false
    leave(idlest)
    idlest.destroy()
    return true
  }

  function leave(socket: Socket) {
    const connection = connections.get(socket)
    if (!connection) return
    connections.delete(socket)
    for (const group of connection.groups) {
      group.idle.delete(socket)
      if (--group.open === 0) groups.delete(group.key)
    }
    share.removeConnection(socket)
  }

  /** Whether the caller has sent its requests to the end and has read all that was written: then it may be silent. */
  function isWaitingForServer(socket: Socket) {
    const requests = connections.get(socket)?.requests
    if (!requests || requests.size === 0 || socket.writableLength > 0) return false
    const [current] = requests.keys()
    return requests.size > 1 || current!.complete // behind others, the last one may be incomplete because the socket is not read
  }

  /** Whether a body is large, or of unknown length. */
  function hasLargeBody({ headers }: IncomingMessage) {
    return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > limits.maxSmallBodyBytes
  }

  /** Feeds the parser in small pieces: it makes a request object of every request in its input, and all of them would wait in memory. */
  function readInPieces(socket: Socket) {
    const [parse] = socket.listeners('data') as ((bytes: Buffer) => void)[]
    socket.removeListener('data', parse!)
    socket.on('data', (bytes: Buffer) => {
      const isFull = () => (connections.get(socket)?.requests.size ?? 0) >= limits.maxPipelinedRequests
      const isOver = () => socket.destroyed || connections.get(socket)?.refuse !== undefined
      let start = 0
      while (start < bytes.length && !isOver() && !isFull()) parse!.call(socket, bytes.subarray(start, start += pieceBytes))
      if (start >= bytes.length || isOver()) return
      socket.pause()
      socket.unshift(bytes.subarray(start))
    })
  }

  server.on('request', (req, res) => {
    const { socket } = req
    const connection = connections.get(socket)
    if (!connection || socket.destroyed) return
    const { requests, groups, network } = connection
    requests.set(req, res)
    if (hasLargeBody(req)) socket.pause() // the body is read in the turn of its account; reading it resumes the socket
    for (const { idle } of groups) idle.delete(socket)
    share.startOnConnection(socket, network, (end) => {
      if (!res.socket) return end() // the response before this one has closed the connection
      res.setMaxListeners(20) // several modules listen for `close`, and Node warns above ten listeners
      res.once('close', () => {
        requests.delete(req)
        end()
        connection.refuse?.()
        if (requests.size === limits.maxPipelinedRequests - 1) socket.resume()
        if (requests.size === 0 && connections.has(socket)) for (const { idle } of groups) idle.add(socket)
      })
      answer(req, res)
    })
  })
}
