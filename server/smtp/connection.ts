import type { Socket } from 'node:net'
import type { SMTPServer } from 'smtp-server'
import { SMTPConnection, type SMTPConnectionOptions } from 'smtp-server/lib/smtp-connection.js'
import type { Recipient, ReturnPath } from '../envelope.ts'
import { readPath } from '../mailbox.ts'
import { clientAddress, type ClientNetwork, clientNetworks } from '../network.ts'
import { UnproductiveCommands } from './client-limits.ts'
import type { MailProgress, SmtpClient } from './client-limits.ts'
import { MailParser } from './mail-parser.ts'
import type { MailSource } from './mail-source.ts'
import { refusalOf } from './refusals.ts'
import type { RefusedPart } from './refusals.ts'
import { notImplemented, replyLines, statusOfCode } from './replies.ts'
import type { SharedBySessions } from './shared-by-sessions.ts'

/** Bytes of a mail that take as much processor time as one command. */
const bytesPerCommand = 16_384

/** The session of one client. Members that begin with `_` are private to smtp-server, so its version is pinned: docs/decisions/0010. */
export class LimitedConnection extends SMTPConnection implements SmtpClient {
  declare _server: SMTPServer & SharedBySessions
  /** Accepted recipients of the current mail, by their address as the client wrote it. */
  readonly recipients = new Map<string, Recipient | ReturnPath>()
  private mail: MailSource | undefined
  private isTakingMail = false
  private readonly unproductive: UnproductiveCommands
  readonly address: string
  readonly networks: ClientNetwork[]
  readonly network: string // the widest of them
  private lastReply = performance.now()
  private lastProgress = this.lastReply
  private delayedRecipients = 0
  private refused: Partial<RefusedPart> = {}
  private delayTimer: NodeJS.Timeout | undefined

  constructor(server: SMTPServer & SharedBySessions, socket: Socket, options?: SMTPConnectionOptions) {
    super(server, socket, options)
    this.unproductive = new UnproductiveCommands(server.limits)
    this.address = clientAddress(options?.remoteAddress ?? socket.remoteAddress ?? '')
    this.network = (this.networks = clientNetworks(this.address)).at(-1)!.name
    Object.assign(this.session, { connection: this })
  }

  // without smtp-server's delay of the greeting, which detects clients that send too early: a session in one packet does no harm here
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

  /** Whether the reply to an unknown recipient is delayed. */
  get isDelayed() {
    return this.delayTimer !== undefined
  }

  /**
   * Milliseconds since the last progress, which is a new recipient or the begin or end of a mail. Each received byte of a mail
   * subtracts a millisecond. 0 while the client waits for this server, except for a reply that is delayed on purpose.
   */
  idleMs(now: number) {
    const isSending = this.mail?.isOpen
    if (isSending ? this.mail!.isHeldUp : this.isTakingMail || this._handlerPending && !this.isDelayed) return 0
    return now - this.lastProgress - (isSending ? this.mail!.receivedBytes : 0)
  }

  override _onCommand(command: Buffer, callback?: () => void) {
    this._server.turnBudget.run(this.network, 1, () => {
      if (this._closing || this._closed) return callback?.()
      this._unrecognizedCommands = 0 // disables smtp-server's own limit of ten: `unproductive` replaces it
      if (this.unproductive.countCommand()) return super._onCommand(command, callback)
      this.endLater()
    })
  }

  /** Reads no more commands, and ends the session after a pause. The pauses differ, so that clients do not reconnect all at once. */
  private endLater() {
    setTimeout(() => {
      if (!this._closing && !this._closed) this.send(421, 'Too many commands without a mail', '4.7.0')
    }, this._server.limits.unproductiveDelayMs * (1 + Math.random())).unref()
  }

  /**
   * Replies to an unknown recipient, after a delay that grows with their number in the client's network. Ends the session at the
   * limit of delayed replies.
   */
  refuseUnknown(reply: () => void) {
    const delayMs = this._server.delayOfUnknown(this.network)
    if (delayMs === 0) return reply()
    const exceedsLimit = ++this.delayedRecipients > this._server.limits.delayedRecipients
    this.delayTimer = setTimeout(() => {
      this.delayTimer = undefined
      if (exceedsLimit) this.send(421, 'Too many unknown recipients', '4.7.0')
      else reply()
    }, delayMs).unref()
  }

  /** Takes the command off the count of unproductive ones. */
  recordProgress(kind: MailProgress) {
    if (this.unproductive.recordProgress(kind)) this.lastProgress = performance.now()
  }

  beginMail(mail: MailSource) {
    this.mail = mail
    this.isTakingMail = true
    this.lastProgress = performance.now()
  }

  endMail(isAccepted: boolean) {
    this.isTakingMail = false
    this.lastProgress = performance.now()
    this.unproductive.endMail(isAccepted)
    if (isAccepted) this.delayedRecipients = 0
  }

  /**
   * Ends a session whose client takes too long. The time in which this server handles a command or a mail does not count.
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
    if (code === 500 && notImplemented.has(context)) {
      this.send(502, 'Command not implemented')
      return
    }
    if (context === 'TOO_MANY_RECIPIENTS') this.recordProgress('excessRecipient')
    if (code >= 400 && !this._closing && !this._closed) this._server.recordRefusal(refusalOf(this, code, data, this.refused, context))
    this.refused = {}
    // in place of smtp-server's own `send`, which writes nothing after the client has closed its side
    if (!this._upgrading && this._socket.writable) {
      if (code !== 220) this.holdReplies() // 220 has to be sent before TLS begins
      this._socket.write(replyLines(code, this._getEnhancedStatusCode(code, context), data ?? ''))
    }
    if (code === 421) this.close()
  }

  /** Describes what the next reply refuses, beside the path of its command. */
  describeRefused(part: Partial<RefusedPart>) {
    this.refused = { ...this.refused, ...part }
  }

  /** Records a mail whose client went away before its end. */
  recordLost(part: RefusedPart) {
    this._server.recordRefusal(refusalOf(this, 'lost', 'The client went away before the end of the mail', part))
  }

  /** Sends the replies to pipelined commands in one piece (RFC 2920, section 3.2). */
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
    clearTimeout(this.delayTimer)
    this.delayTimer = undefined
    this.mail?.lose('the session was closed')
    super.close()
  }

  /** Ends the session of a client that has closed its side (FIN): after the last reply, or when its mail is incomplete. */
  private endInput() {
    if (this._closing || this._closed) return
    if (this.mail?.isOpen) this.send(421, 'Connection closed before the end of the mail')
    else this.close()
  }

  override _onClose() {
    clearTimeout(this.delayTimer)
    this._server.openConnections.delete(this)
    super._onClose()
  }

  override _createParser() {
    const parser = new MailParser({ maxCommandLength: this._server.limits.commandBytes }, {
      schedule: (bytes, work) => this.readMail(bytes, work),
      openShare: () => this._server.mailMemory.open(this.network),
    })
    parser.oncommand = (command, callback) => this._onCommand(command, callback)
    // allows half-closed connections: this side stays open until all commands are answered, except during a TLS handshake and after QUIT
    parser.on('pipe', (source) => {
      const socket = source as Socket
      socket.allowHalfOpen = true
      socket.once('end', () => { if (this.mail?.isOpen && !parser.mayHoldFinalDot) this.endInput() })
    })
    parser.on('unpipe', (source) => { (source as Socket).allowHalfOpen = false })
    parser.on('finish', () => this.endInput())
    return parser.on('error', () => {
      this.send(500, 'Command line too long')
      this.close()
    })
  }

  /** Reads bytes of a mail when the rate of the network allows it, within the turn budget. */
  private readMail(bytes: number, read: () => void) {
    const { turnBudget, mailRate } = this._server
    mailRate.take(this.network, bytes, () => this._closed, () => turnBudget.run(this.network, Math.ceil(bytes / bytesPerCommand), read))
  }

  /** Keeps the address as the client wrote it: smtp-server decodes A-labels unchecked, so `xn--mail-.example` would be `mail.example`. */
  override _parseAddressCommand(name: string, command: Buffer | string) {
    const { address, plain } = readPath(command.toString())
    const parsed = super._parseAddressCommand(name, plain)
    const path = parsed && address !== undefined ? { ...parsed, address } : parsed
    if (path) this.refused = name === 'mail from' ? { from: path.address } : { addresses: [path.address] }
    return path
  }

  override handler_VRFY(_command: Buffer, callback: () => void) {
    this.send(252, 'Send a mail and see')
    callback()
  }
}
