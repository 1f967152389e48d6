import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Middleware } from 'koa'
import { invalidRequest, malformedRequest } from '../../errors.ts'
import type { AppError } from '../../errors.ts'
import { clientNetworks } from '../../network.ts'
import type { ClientNetwork } from '../../network.ts'
import type { HttpLimits } from '../limits.ts'
import type { FairShare } from '../operations/fair-share.ts'
import type { RateLimit } from '../operations/rate-limit.ts'
import { oldestOfLargest } from './largest-holder.ts'
import { faultOfParser, noTunnel, requestTimedOut } from './refusals.ts'
import { targetOf } from './request-target.ts'

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
  /** The number of the request in progress. */
  begun: number
  /** Those of the client of that request, once they are looked up. */
  networks: ClientNetwork[] | undefined
  /** Refuses the last request, which is not valid HTTP, once the others are answered; undefined without one. */
  refuse?: () => void
}

export interface ConnectionOptions {
  limits: HttpLimits
  share: FairShare
  /** Whether the limits per network do not apply: loopback and trusted proxies, which many callers share. */
  isUnbounded(address: string): boolean
  /** The address of the client of a request, as trusted proxies report it. */
  clientOf(req: IncomingMessage): string
  /** The path of the base URL, which is left out of the paths of requests: a proxy may remove it, or not. */
  basePath: string
  answer(req: IncomingMessage, res: ServerResponse): Promise<void>
  /** Answers a request that Node's parser refused, and ends the connection. */
  refuse(socket: Socket, fault: AppError): Promise<void>
}

/**
 * Limits the open connections of a server, in total and by network. A new connection at a limit closes the connection that has been idle
 * longest; it is refused when all have requests in progress. Before, the client or the account with the most of these loses some, behind a
 * trusted proxy too.
 *
 * Pipelined requests of a connection run one after the other, and connections take turns (`fair-share.ts`). At `maxPipelinedRequests`
 * open requests, a connection is not read.
 */
export class ServerConnections {
  readonly #options: ConnectionOptions
  readonly #groups = new Map<string, Group>()
  readonly #connections = new Map<Socket, Connection>()
  /** Ends of the requests that are being answered: each uses the database until then, also when its caller has disconnected. */
  readonly #running = new Set<Promise<void>>()
  #isClosed = false
  #begun = 0

  constructor(options: ConnectionOptions) {
    this.#options = options
  }

  /** Limits the connections of a server from now on. */
  limit(server: Server): void {
    server.on('connection', (socket) => this.#accept(socket))
    server.on('request', this.#queue)
    server.on('timeout', (socket: Socket) => this.#endSilence(socket))
    server.on('clientError', (error, socket: Socket) => this.#stopReading(socket, faultOfParser(error)))
    server.on('connect', (_req, socket) => this.#stopReading(socket as Socket, noTunnel()))
  }

  /** Begins none of the requests that still wait, and waits for those that are being answered. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all(this.#running)
  }

  /** Takes a connection out of the limits of its address: another cell uses it for many clients. */
  trust(socket: Socket): void {
    const connection = this.#connections.get(socket)
    if (!connection || connection.groups.length === 1) return
    for (const group of connection.groups.splice(0, connection.groups.length - 1)) this.#remove(socket, group)
  }

  #accept(socket: Socket) {
    const networks = clientNetworks(socket.remoteAddress ?? '')
    const wanted = this.#groupsOf(socket.remoteAddress, networks)
    if (!wanted.every(([key, max]) => this.#hasRoom(key, max))) return void socket.destroy()
    const joined = wanted.map(([key]) => this.#groups.get(key) ?? { key, open: 0, idle: new Set<Socket>() })
    for (const group of joined) {
      this.#groups.set(group.key, group)
      group.open++
      group.idle.add(socket)
    }
    this.#connections.set(socket, { groups: joined, network: networks.at(-1)!.name, requests: new Map(), begun: 0, networks: undefined })
    socket.once('close', () => this.#leave(socket))
    this.#readInPieces(socket)
  }

  #groupsOf(address: string | undefined, networks: ClientNetwork[]): [key: string, max: number][] {
    const { limits, isUnbounded } = this.#options
    const all: [string, number] = ['all', limits.maxConnections]
    if (address === undefined || isUnbounded(address)) return [all]
    return [...networks.map(({ name, factor }): [string, number] => [name, limits.maxConnectionsPerAddress * factor]), all]
  }

  #hasRoom(key: string, max: number) {
    const group = this.#groups.get(key)
    if (!group || group.open < max) return true
    const [idlest] = group.idle
    if (!idlest) return false
    this.#close(idlest)
    return true
  }

  #close(socket: Socket) {
    this.#leave(socket)
    socket.destroy()
  }

  /** Closes the connection of another request when so many are in progress that new connections would soon be refused. */
  #closeOldest(beginning: Connection) {
    const oldest = oldestOfLargest(this.#held(beginning))
    if (oldest) this.#close(oldest)
  }

  * #held(beginning: Connection) {
    const { share, clientOf, isUnbounded } = this.#options
    for (const [connection, held] of this.#connections) {
      const [current] = held.requests.keys()
      if (!current || held === beginning) continue
      if (!held.networks) {
        const client = clientOf(current)
        held.networks = isUnbounded(client) ? [] : clientNetworks(client)
      }
      const account = share.accountOf(connection)
      const holders = account === undefined ? held.networks : [...held.networks, { name: account, factor: 1 }]
      yield { connection, begun: held.begun, holders }
    }
  }

  #leave(socket: Socket) {
    const connection = this.#connections.get(socket)
    if (!connection) return
    this.#connections.delete(socket)
    for (const group of connection.groups) this.#remove(socket, group)
  }

  #remove(socket: Socket, group: Group) {
    group.idle.delete(socket)
    if (--group.open === 0) this.#groups.delete(group.key)
  }

  /** Feeds the parser in small pieces: it makes a request object of every request in its input, and all of them would wait in memory. */
  #readInPieces(socket: Socket) {
    const [parse] = socket.listeners('data') as ((bytes: Buffer) => void)[]
    socket.removeListener('data', parse!)
    socket.on('data', (bytes: Buffer) => {
      for (let start = 0; start < bytes.length; start += pieceBytes) {
        const connection = this.#connections.get(socket)
        if (socket.destroyed || connection?.refuse) return
        if (connection && connection.requests.size >= this.#options.limits.maxPipelinedRequests) {
          socket.pause()
          return void socket.unshift(bytes.subarray(start))
        }
        parse!.call(socket, bytes.subarray(start, start + pieceBytes))
      }
    })
  }

  /** Lets a request wait for the requests of its connection before it, and for its turn. */
  readonly #queue = (req: IncomingMessage, res: ServerResponse) => {
    const { limits } = this.#options
    const { socket, headers } = req
    const connection = this.#connections.get(socket)
    if (!connection || socket.destroyed) return
    connection.requests.set(req, res)
    // a large body, or one of unknown length, is read in the turn of its account; reading it resumes the socket
    const hasLargeBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > limits.maxSmallBodyBytes
    if (hasLargeBody) socket.pause()
    for (const { idle } of connection.groups) idle.delete(socket)
    if (connection.requests.size === 1) this.#begin(connection, req, res)
  }

  #begin(connection: Connection, req: IncomingMessage, res: ServerResponse) {
    const { share, answer, basePath, limits } = this.#options
    connection.begun = ++this.#begun
    connection.networks = undefined
    const { open, idle } = connection.groups.at(-1)! // of all
    if (open - idle.size > limits.maxInProgress) this.#closeOldest(connection)
    share.begin(req.socket, connection.network, async () => {
      if (!res.socket || this.#isClosed) return // the response before this one has closed the connection, or all are closed
      res.setMaxListeners(20) // several modules listen for `close`, and Node warns above ten listeners
      res.once('close', () => this.#endRequest(connection, req))
      if (basePath !== '' || !req.url!.startsWith('/')) req.url = targetOf(req.url!, basePath)
      const { promise: ended, resolve: end } = Promise.withResolvers<void>()
      this.#running.add(ended)
      try {
        await answer(req, res)
      } finally {
        end()
        this.#running.delete(ended)
      }
    })
  }

  #endRequest(connection: Connection, req: IncomingMessage) {
    const { requests, groups } = connection
    const { socket } = req
    requests.delete(req)
    connection.refuse?.()
    if (requests.size === this.#options.limits.maxPipelinedRequests - 1) socket.resume()
    const [next] = requests
    if (next) this.#begin(connection, ...next)
    if (requests.size === 0 && this.#connections.has(socket)) for (const { idle } of groups) idle.add(socket)
  }

  /** Ends a connection that has been silent, unless it waits for the server. */
  #endSilence(socket: Socket) {
    if (this.#isWaitingForServer(socket)) socket.setTimeout(this.#options.limits.stallTimeoutMs)
    else this.#stopReading(socket, this.#isInBody(socket) && socket.writableLength === 0 ? requestTimedOut() : undefined)
  }

  /** Whether the caller has sent its requests to the end and has read all that was written: then it may be silent. */
  #isWaitingForServer(socket: Socket) {
    const requests = this.#connections.get(socket)?.requests
    if (!requests || requests.size === 0 || socket.writableLength > 0) return false
    const [current] = requests.keys()
    return requests.size > 1 || current!.complete // behind others, the last one may be incomplete because the socket is not read
  }

  /** @param fault of the last request; undefined for an error of the connection, which has no answer */
  #stopReading(socket: Socket, fault: AppError | undefined) {
    const connection = this.#connections.get(socket)
    if (!connection || !fault || connection.refuse || !socket.writable) return void socket.destroy()
    socket.on('error', () => {}).removeAllListeners('data').removeAllListeners('end').resume() // no parser gets the rest, or its end
    const isLastInBody = this.#isInBody(socket)
    connection.refuse = () => {
      if (connection.requests.size > (isLastInBody ? 1 : 0)) return // the requests before it are answered first
      const [current] = connection.requests.values()
      if (current?.headersSent || !socket.writable) return void socket.destroy()
      const { refuse, limits } = this.#options
      // the time begins with the answer, for which a database counts; until then the rest is read, as in `middleware.ts`
      void refuse(socket, fault).then(() => setTimeout(() => socket.destroy(), limits.maxLingerMs).unref())
    }
    connection.refuse()
  }

  /** Whether the body of the last request has not arrived. */
  #isInBody(socket: Socket) {
    return [...this.#connections.get(socket)?.requests.keys() ?? []].at(-1)?.complete === false
  }
}

/** Headers that a request has once at most: Node takes the first or joins them, and a proxy may read another one. */
const singleHeaders = ['host', 'authorization', 'content-type', 'idempotency-key', 'last-event-id', 'x-mayfly-mode', 'x-mayfly-fault']

/**
 * Refuses requests that Node's parser accepts, but for a header: Node would answer without JSON. They are counted as those without a key.
 */
export const refuseMalformed = (limit: RateLimit): Middleware => async (ctx, next) => {
  const fault = faultOfHeaders(ctx.req)
  if (!fault) return next()
  ctx.set('Connection', 'close')
  await limit.count(ctx, undefined)
  throw fault
}

function faultOfHeaders({ headers, rawHeaders, httpVersion }: IncomingMessage): AppError | undefined {
  if (headers.host === undefined && httpVersion === '1.1') return invalidRequest('header.Host', 'is required (RFC 9112, section 3.2)')
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue') {
    return malformedRequest(417, 'header.Expect: must be 100-continue, or left out.')
  }
  const coding = headers['transfer-encoding']
  // against request smuggling (RFC 9112, section 6.1): Node passes on the bytes of other codings, and a proxy of HTTP/1.0 knows no chunks
  if (coding !== undefined && (coding.trim().toLowerCase() !== 'chunked' || httpVersion !== '1.1')) {
    return invalidRequest('header.Transfer-Encoding', 'must be chunked, in HTTP/1.1, or left out')
  }
  if (Object.keys(headers).length === rawHeaders.length / 2) return undefined // each name is there once
  const names = rawHeaders.filter((_, index) => index % 2 === 0)
  const repeated = names.find((name, index) => singleHeaders.includes(name.toLowerCase())
    && names.slice(index + 1).some((other) => other.toLowerCase() === name.toLowerCase()))
  return repeated === undefined ? undefined : invalidRequest(`header.${repeated}`, 'is there more than once; leave out all but one')
}
