import type { Socket } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import type { SMTPConnection, SMTPConnectionOptions } from 'smtp-server/lib/smtp-connection.js'
import { clientAddress, clientNetworks, isLoopback } from '../network.ts'
import type { ClientNetwork } from '../network.ts'
import { exceedsClientLimits, networkDelays, openMailRate, TurnBudget } from './client-limits.ts'
import type { MailRate, SmtpClient } from './client-limits.ts'
import { LimitedConnection } from './connection.ts'
import type { LimitedSession } from './connection.ts'
import type { SmtpLimits } from './limits.ts'
import { MailMemory } from './mail-memory.ts'
import { receiveProxyHeader } from './proxy-header.ts'
import { refusalOfConnection } from './refusals.ts'
import type { SharedBySessions } from './shared-by-sessions.ts'

const proxyAdvice = '. Let the proxy send the header for SMTP, or remove its address from MAYFLY_TRUSTED_PROXIES'

interface SessionRules {
  limits: SmtpLimits
  /** Maximum bytes of incoming mail in memory. */
  memoryBytes: number
  allowsInsecureAuth: boolean
  recordRefusal: SharedBySessions['recordRefusal']
  beforeData: SharedBySessions['beforeData']
  /** Where there are several cells. */
  cells?: {
    Connection: typeof LimitedConnection
    isSecret(text: string): boolean
    /** Called when the socket of a session is closed. */
    end(connection: LimitedConnection): void
  } | undefined
}

/** The sessions of all ports, with the limits that the options of smtp-server lack. */
export class LimitedSessions implements SharedBySessions {
  readonly limits: SmtpLimits
  readonly allowsInsecureAuth: boolean
  readonly connections = new Set<SMTPConnection>()
  readonly openConnections = new Set<LimitedConnection>()
  readonly recordRefusal: SharedBySessions['recordRefusal']
  readonly beforeData: SharedBySessions['beforeData']
  readonly cells: SessionRules['cells']
  readonly turnBudget: TurnBudget
  readonly mailMemory: MailMemory
  readonly mailRate: MailRate
  readonly delayOfGuess: (network: string) => number
  readonly delayOfHandshake: (network: string) => number

  constructor({ limits, memoryBytes, allowsInsecureAuth, recordRefusal, beforeData, cells }: SessionRules) {
    this.limits = limits
    this.allowsInsecureAuth = allowsInsecureAuth
    this.recordRefusal = recordRefusal
    this.beforeData = beforeData
    this.cells = cells
    this.turnBudget = new TurnBudget(limits.commandsPerTurn)
    this.mailMemory = new MailMemory(memoryBytes - limits.connections * limits.readAheadBytes - limits.leaderBytes, limits.smallMailBytes)
    this.mailRate = openMailRate(limits.mailBytesPerSecond)
    this.delayOfGuess = networkDelays({
      atOnce: limits.guesses, perSecond: limits.guessesPerSecond, maxDelayMs: limits.guessDelayMs,
    })
    this.delayOfHandshake = networkDelays({
      atOnce: limits.handshakes, perSecond: limits.handshakesPerSecond, maxDelayMs: limits.handshakeDelayMs,
    })
  }

  /** Whether a new session exceeds a limit of one of its client's networks, also after a delayed one of theirs was ended for it. */
  exceeds(networks: ClientNetwork[]): boolean {
    const isTooMany = () => exceedsClientLimits({ networks }, this.openConnections, this.limits.connectionsPerAddress)
    return isTooMany() && (!this.endDelayed(networks) || isTooMany())
  }

  /**
   * Makes room for a client: ends the oldest session that waits for a delayed reply, of the smallest of its networks that has one.
   * @returns whether there was such a session
   */
  private endDelayed(networks: ClientNetwork[]): boolean {
    const now = performance.now()
    const isEvictable = (other: LimitedConnection) => other.delay.isRunning && other.idleMs(now) >= this.limits.evictableMs
    const delayed = [...this.openConnections].filter(isEvictable)
    const [oldest] = networks.flatMap(({ name }, i) => delayed.find((other) => other.networks[i]?.name === name) ?? [])
    oldest?.dismiss('Too many connections from your address')
    return oldest !== undefined
  }

  makeRoom() {
    if (this.connections.size <= this.limits.connections) return
    const now = performance.now()
    let idlest: LimitedConnection | undefined
    let maxIdleMs = this.limits.evictableMs
    for (const connection of this.openConnections) {
      const idleMs = this.connections.has(connection) ? connection.idleMs(now) : -Infinity
      if (idleMs < maxIdleMs) continue
      idlest = connection
      maxIdleMs = idleMs
    }
    idlest?.dismiss('Too many connections, and this one is idle')
  }
}

/** The listener of one port. */
export class LimitedServer extends SMTPServer {
  readonly shared: LimitedSessions
  private readonly isProxy: (address: string) => boolean

  /** @param isProxy whether connections from an IP address begin with a header of the PROXY protocol */
  constructor(options: SMTPServerOptions, shared: LimitedSessions, isProxy: (address: string) => boolean) {
    super(options)
    this.shared = shared
    this.connections = shared.connections
    this.isProxy = isProxy
    // more than the connections that are answered 421, but finite: clients may leave refused connections open
    this.server.maxConnections = 2 * shared.limits.connections
  }

  override _expectsProxyHeader(socket: Socket) {
    return this.isProxy(socket.remoteAddress ?? '')
  }

  // in place of smtp-server's own, which reads version 1 alone, and less strictly
  override _handleProxy(socket: Socket, callback: (error: Error | null, options?: SMTPConnectionOptions & { id: string }) => void) {
    if (!this.isProxy(socket.remoteAddress ?? '')) return void setImmediate(callback, null)
    const address = clientAddress(socket.remoteAddress!)
    const { proxyHeaderMs, localProxyHeaderMs } = this.shared.limits
    const optionalMs = isLoopback(address) ? localProxyHeaderMs : 0
    receiveProxyHeader(socket, { timeoutMs: proxyHeaderMs, optionalMs }, (error, header) => {
      if (error) this.refuse(socket, { address }, `${error.message}, and this address is a trusted proxy`, proxyAdvice)
      const { client = null } = header ?? {}
      callback(error, { id: '', ...client && { remoteAddress: client.address, remotePort: client.port } })
    })
  }

  override connect(socket: Socket, options?: SMTPConnectionOptions) {
    const { remoteAddress } = socket
    if (socket.destroyed || remoteAddress === undefined) {
      socket.on('error', () => {}) // the client has reset the connection before it was accepted
      return void socket.destroy()
    }
    const address = clientAddress(options?.remoteAddress ?? remoteAddress)
    const networks = clientNetworks(address)
    if (this.shared.exceeds(networks)) return this.refuse(socket, { address })
    const connection = new (this.shared.cells?.Connection ?? LimitedConnection)(this, socket, options)
    this.shared.openConnections.add(connection)
    this.connections.add(connection)
    connection.on('error', (error) => this.emit('error', error))
    connection.init()
  }

  /** A socket was closed. */
  override onClose({ connection }: LimitedSession) {
    connection.delay.cancel()
    this.shared.cells?.end(connection)
    this.shared.openConnections.delete(connection)
  }

  /**
   * Refuses a connection, by default for the limits of its networks. Thousands at once cost little without a session.
   * @param advice to the operator: it is logged, and not sent
   */
  private refuse(socket: Socket, client: Pick<SmtpClient, 'address'>, text = 'Too many connections from your address', advice = '') {
    this.shared.recordRefusal(refusalOfConnection(client, text + advice))
    socket.on('error', () => {}) // the client is gone already
    if (!this.options.needsUpgrade) socket.write(`421 ${text}\r\n`) // no clear text where a client expects TLS
    socket.destroySoon()
  }
}
