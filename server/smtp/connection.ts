import type { Socket } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { SMTPConnection, type SMTPConnectionOptions } from 'smtp-server/lib/smtp-connection.js'
import type { Recipient, ReturnPath } from '../envelope.ts'
import type { Refusal } from '../metrics/metrics.ts'
import { isOneTooMany } from './crowd.ts'
import type { Client } from './crowd.ts'
import { JunkCounter } from './junk.ts'
import type { Progress } from './junk.ts'
import type { SmtpLimits } from './limits.ts'
import { MailMemory } from './mail-memory.ts'
import { MailParser } from './mail-parser.ts'
import { mailRate } from './mail-rate.ts'
import type { MailRate } from './mail-rate.ts'
import type { MailSource } from './mail-source.ts'
import { clientAddress, clientNetwork } from './network.ts'
import { reasonOf, statusOfCode } from './replies.ts'
import { shareTurns } from './turns.ts'
import type { Turns } from './turns.ts'

/** Bytes of a mail that take as much time as one command. */
const bytesPerCommand = 16_384

/** smtp-server with the limits that its options lack. */
export class LimitedServer extends SMTPServer {
  readonly limits: SmtpLimits
  /** Every connection whose socket is open, those too that only wait for the client to hang up. */
  readonly open = new Set<LimitedConnection>()

  readonly noteRefusal: (reason: Refusal) => void
  readonly turns: Turns
  readonly memory: MailMemory
  readonly rate: MailRate

  /** @param memoryBytes maximum bytes of incoming mail in memory */
  constructor(options: SMTPServerOptions, limits: SmtpLimits, memoryBytes: number, noteRefusal: (reason: Refusal) => void) {
    super(options)
    this.limits = limits
    this.noteRefusal = noteRefusal
    this.turns = shareTurns(limits.commandsPerTurn)
    this.memory = new MailMemory(memoryBytes - limits.connections * limits.readAheadBytes - limits.leaderBytes, limits.smallMailBytes)
    this.rate = mailRate(limits.mailBytesPerSecond)
    // far above those that are answered 421, so that clients that never hang up cannot pile up either
    this.server.maxConnections = 2 * limits.connections
  }

  override connect(socket: Socket, options?: SMTPConnectionOptions) {
    const { remoteAddress } = socket
    if (socket.destroyed || remoteAddress === undefined) {
      socket.on('error', () => {}) // the client has reset the connection before it was accepted
      return void socket.destroy()
    }
    const client = { address: clientAddress(remoteAddress), network: clientNetwork(remoteAddress) }
    if (isOneTooMany(client, this.open, this.limits)) return this.refuse(socket)
    const connection = new LimitedConnection(this, socket, options)
    this.open.add(connection)
    this.connections.add(connection)
    connection.on('error', (error) => this._onError(error))
    connection.init()
  }

  /** Refuses a client beyond the limit of its address or network. Without a session, thousands that connect at once cost little. */
  private refuse(socket: Socket) {
    this.noteRefusal(reasonOf(421))
    socket.on('error', () => {}) // the client is gone already
    socket.write('421 Too many connections from your address\r\n')
    socket.destroySoon()
  }

  /** Ends the session that has made no progress for longest, if there are too many. */
  makeRoom() {
    if (this.connections.size <= this.limits.connections) return
    const now = performance.now()
    let idlest: LimitedConnection | undefined
    let longestMs = this.limits.evictableMs
    for (const connection of this.open) {
      const idleMs = this.connections.has(connection) ? connection.idleMs(now) : -Infinity
      if (idleMs < longestMs) continue
      idlest = connection
      longestMs = idleMs
    }
    idlest?.dismiss('Too many connections, and this one is idle')
  }
}

/** One client. What starts with `_` is smtp-server's own and the reason why its version is pinned. */
export class LimitedConnection extends SMTPConnection implements Client {
  declare _server: LimitedServer
  /** Accepted recipients of the current mail, by their address in lower case. */
  readonly recipients = new Map<string, Recipient | ReturnPath>()
  private mail: MailSource | undefined
  private isTakingMail = false
  private readonly junk: JunkCounter
  readonly address: string
  readonly network: string
  private lastReply = performance.now()
  private lastProgress = this.lastReply

  constructor(server: LimitedServer, socket: Socket, options?: SMTPConnectionOptions) {
    super(server, socket, options)
    this.junk = new JunkCounter(server.limits)
    this.address = clientAddress(socket.remoteAddress ?? '')
    this.network = clientNetwork(this.address)
    Object.assign(this.session, { connection: this })
  }

  // the greeting does not wait for clients that speak too early: a session in one packet does no harm here
  override init() {
    this._server.makeRoom()
    super.init()
    this.connectionReady()
    if (this._closing) this._socket.destroySoon()
  }

  override connectionReady(next?: () => void) {
    if (!this._ready && !this._closing && !this._closed) super.connectionReady(next)
  }

  get isInSession() {
    return this._server.connections.has(this)
  }

  /**
   * Milliseconds since the last progress, which is a new recipient or the begin or end of a mail. Each received byte of a mail
   * subtracts a millisecond. 0 while the client waits for this server.
   */
  idleMs(now: number) {
    const isSending = this.mail?.isOpen
    if (isSending ? this.mail!.isHeldUp : this.isTakingMail || this._handlerPending) return 0
    return now - this.lastProgress - (isSending ? this.mail!.bytes : 0)
  }

  override _onCommand(command: Buffer, callback?: () => void) {
    this._server.turns.take(this.network, 1, () => {
      if (this._closing || this._closed) return callback?.()
      this._unrecognizedCommands = 0 // disables smtp-server's own limit of ten: `junk` replaces it
      if (this.junk.count()) return super._onCommand(command, callback)
      this.endLater()
    })
  }

  /** Reads no more commands, and ends the session after a pause. The pauses differ, so that clients do not reconnect all at once. */
  private endLater() {
    setTimeout(() => {
      if (!this._closing && !this._closed) this.send(421, 'Too many commands without a mail', '4.7.0')
    }, this._server.limits.junkDelayMs * (1 + Math.random())).unref()
  }

  /** Takes the command off the count of junk. */
  progress(kind: Progress) {
    if (this.junk.progress(kind)) this.lastProgress = performance.now()
  }

  beginMail(mail: MailSource) {
    this.mail = mail
    this.isTakingMail = true
    this.lastProgress = performance.now()
  }

  endMail(isAccepted: boolean) {
    this.isTakingMail = false
    this.lastProgress = performance.now()
    this.junk.endMail(isAccepted)
  }

  /**
   * Ends a session whose client takes too long. The time the domain takes does not count.
   * @param now in milliseconds, from the same clock as `performance.now`
   */
  checkTime(now: number) {
    const { commandMs, dataMs } = this._server.limits
    const isSending = this.mail?.isOpen
    if (!isSending && (this.isTakingMail || this._handlerPending)) return
    const allowed = isSending ? dataMs : commandMs
    if (now - this.lastReply > allowed) this.send(421, 'Timeout - closing connection')
  }

  override _onTimeout() {
    if (this.mail?.isOpen && this.mail.isHeldUp) return this._armTimeout()
    super._onTimeout()
  }

  /** Ends the session, by default because the listener closes. */
  dismiss(reason = 'Server shutting down') {
    this.send(421, reason, '4.3.2')
    this._socket.destroySoon()
  }

  dismissIfIdle() {
    if (!this.isTakingMail) this.dismiss()
  }

  dismissIfClosing() {
    if (this._server._closeTimeout) this.dismiss()
  }

  override send(code: number, data?: string | string[] | null, context?: string | false): void {
    this.lastReply = performance.now()
    const [, status, text] = context === undefined && typeof data === 'string' && /^([45]\.\d\.\d) (.*)$/.exec(data) || []
    if (status) {
      this.send(code, text, status)
      return
    }
    if (context === 'TOO_MANY_RECIPIENTS') this.progress('excessRecipient')
    if (code >= 400 && !this._closing && !this._closed) this._server.noteRefusal(reasonOf(code, context))
    if (code !== 220) this.holdReplies() // 220 has to be out before TLS begins
    super.send(code, data, context)
  }

  /** Sends the replies to commands that came together in one piece (RFC 2920, section 3.2). */
  private holdReplies() {
    const socket = this._socket
    if (socket.writableCorked) return
    socket.cork()
    setImmediate(() => socket.uncork())
  }

  override _getEnhancedStatusCode(code: number, context?: string | false) {
    if (context && /^\d\.\d\.\d$/.test(context)) return context
    return (context === undefined && statusOfCode[code]) || super._getEnhancedStatusCode(code, context)
  }

  override close() {
    this.mail?.lose('the session was closed')
    super.close()
  }

  override _onClose() {
    this._server.open.delete(this)
    super._onClose()
  }

  override _createParser() {
    const parser = new MailParser({ maxCommandLength: this._server.limits.commandBytes }, {
      takeTurn: (bytes, work) => this.readMail(bytes, work),
      openShare: () => this._server.memory.open(this.network),
    })
    parser.oncommand = (command, callback) => this._onCommand(command, callback)
    return parser.on('error', () => {
      this.send(500, 'Command line too long')
      this.close()
    })
  }

  /** Reads bytes of a mail when the network may send more, in a turn of its own. */
  private readMail(bytes: number, read: () => void) {
    const { turns, rate } = this._server
    rate.take(this.network, bytes, () => this._closed, () => turns.take(this.network, Math.ceil(bytes / bytesPerCommand), read))
  }

  override handler_VRFY(_command: Buffer, callback: () => void) {
    this.send(252, 'Send a mail and see')
    callback()
  }

  handler_EXPN(_command: Buffer, callback: () => void) {
    this.send(502, 'Not supported')
    callback()
  }
}
