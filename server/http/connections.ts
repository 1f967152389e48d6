import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { networkOf } from '../network.ts'
import type { FairShare } from './fair-share.ts'
import type { HttpLimits } from './limits.ts'

/** Bytes that the parser is given at a time: some forty requests at most that have a key. */
const pieceBytes = 4096

/** Connections that share a limit. */
interface Group {
  key: string
  open: number
  /** Those without a request under way, the one that has been so longest first. */
  idle: Set<Socket>
}

/** Bits of the network that shares a limit. */
const networkBits = { ipv4: 24, ipv6: 64 }

interface Connection {
  groups: Group[]
  /** The request that is carried out, then the pipelined ones that wait for it. */
  requests: Set<IncomingMessage>
}

export interface ConnectionOptions {
  limits: HttpLimits
  share: FairShare
  /** Tells the addresses behind which there are many callers: loopback and proxies. */
  isUnbounded(address: string): boolean
  answer(req: IncomingMessage, res: ServerResponse): void
}

/**
 * Bounds the connections of a server: all of them, and those of an address and of its network. One too many takes the place of the
 * one that has been idle longest, kept alive or silent, and is refused only where all others have requests under way.
 *
 * Requests that are pipelined on a connection are carried out one after the other, and connections take turns. While many wait on
 * a connection, no more of it is read.
 */
export function boundConnections(server: Server, { limits, share, isUnbounded, answer }: ConnectionOptions): void {
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
    connections.set(socket, { groups: joined, requests: new Set() })
    socket.once('close', () => leave(socket))
    readInPieces(socket)
  })

  server.on('timeout', (socket: Socket) => {
    if (isOurTurn(socket)) socket.setTimeout(limits.stalledMs)
    else socket.destroy()
  })

  function groupsOf(address: string | undefined): [key: string, max: number][] {
    const all: [string, number] = ['all', limits.connections]
    if (address === undefined || isUnbounded(address)) return [all]
    return [[`address ${address}`, limits.connectionsPerAddress], [`network ${networkOf(address, networkBits)}`, limits.connectionsPerNetwork], all]
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
    share.leave(socket)
  }

  /** Silence is no fault of a caller that has sent its requests and read what there is of its answers. */
  function isOurTurn(socket: Socket) {
    const requests = connections.get(socket)?.requests
    if (!requests || requests.size === 0 || socket.writableLength > 0) return false
    const [current] = requests
    return requests.size > 1 || current!.complete // the last one may be incomplete because it is not read
  }

  /** Gives the parser what has come piece by piece: it makes requests of all that it is given, and they wait in memory. */
  function readInPieces(socket: Socket) {
    const [parse] = socket.listeners('data') as ((bytes: Buffer) => void)[]
    socket.removeListener('data', parse!)
    socket.on('data', (bytes: Buffer) => {
      const isFull = () => (connections.get(socket)?.requests.size ?? 0) >= limits.pipelinedRequests
      let start = 0
      while (start < bytes.length && !socket.destroyed && !isFull()) parse!.call(socket, bytes.subarray(start, start += pieceBytes))
      if (start >= bytes.length || socket.destroyed) return
      socket.pause()
      socket.unshift(bytes.subarray(start))
    })
  }

  server.on('request', (req, res) => {
    const { socket } = req
    const connection = connections.get(socket)
    if (!connection || socket.destroyed) return
    const { requests, groups } = connection
    requests.add(req)
    for (const { idle } of groups) idle.delete(socket)
    share.beginOn(socket, socket.remoteAddress ?? '', (end) => {
      if (!res.socket) return end() // the answer before this one ended the connection
      res.setMaxListeners(20) // each part that follows an answer listens for its end
      res.once('close', () => {
        requests.delete(req)
        end()
        if (requests.size === limits.pipelinedRequests - 1) socket.resume()
        if (requests.size === 0 && connections.has(socket)) for (const { idle } of groups) idle.add(socket)
      })
      answer(req, res)
    })
  })
}
