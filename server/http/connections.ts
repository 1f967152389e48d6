import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { networkOf } from '../network.ts'
import type { HttpLimits } from './limits.ts'

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
  underWay: Map<IncomingMessage, ServerResponse>
}

/**
 * Bounds the connections of a server: all of them, and those of an address and of its network. One too many takes the place of the
 * one that has been idle longest, kept alive or silent, and is refused only where all others have requests under way.
 * @param isUnbounded tells the addresses behind which there are many callers: loopback and proxies
 * @returns whether a request is to be answered; false for one too many of a connection, which is closed
 */
export function boundConnections(
  server: Server, limits: HttpLimits, isUnbounded: (address: string) => boolean,
): (req: IncomingMessage, res: ServerResponse) => boolean {
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
    connections.set(socket, { groups: joined, underWay: new Map() })
    socket.once('close', () => leave(socket))
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
    // Node 22 tells only the answer that has the socket; those that are queued behind it are told here
    for (const res of connection.underWay.values()) if (!res.socket && !res.closed) res.emit('close')
  }

  /** Silence is no fault of a caller that has sent its requests and read what there is of its answers. */
  function isOurTurn(socket: Socket) {
    const underWay = connections.get(socket)?.underWay
    return underWay !== undefined && underWay.size > 0 && socket.writableLength === 0 && [...underWay.keys()].every((req) => req.complete)
  }

  return (req, res) => {
    const { socket } = req
    const connection = connections.get(socket)
    if (!connection || socket.destroyed) return false
    const { underWay, groups } = connection
    if (underWay.size >= limits.requestsPerConnection) {
      socket.destroy()
      return false
    }
    res.setMaxListeners(20) // each part that follows an answer listens for its end
    underWay.set(req, res)
    for (const { idle } of groups) idle.delete(socket)
    res.once('close', () => {
      underWay.delete(req)
      if (underWay.size === 0 && connections.has(socket)) for (const { idle } of groups) idle.add(socket)
    })
    return true
  }
}
