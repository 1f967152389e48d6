import type { Socket } from 'node:net'
import type { SMTPServer } from 'smtp-server'
import { SMTPConnection, type SMTPConnectionOptions } from 'smtp-server/lib/smtp-connection.js'
import type { Recipient, ReturnPath } from '../envelope.ts'
import type { Client } from './crowd.ts'
import { JunkCounter } from './junk.ts'
import type { Progress } from './junk.ts'
import { MailParser } from './mail-parser.ts'
import type { MailSource } from './mail-source.ts'
import { clientAddress, clientNetwork } from './network.ts'
import { reasonOf, replyLines, statusOfCode } from './replies.ts'
import type { SharedBySessions } from './shared.ts'

/** Bytes of a mail that take as much time as one command. */
const bytesPerCommand = 16_384

/** One client. What starts with `_` is smtp-server's own and the reason why its version is pinned. */
export class LimitedConnection extends SMTPConnection implements Client {
  declare _server: SMTPServer & SharedBySessions
  /** Accepted recipients of the current mail, by their address as the client wrote it. */
  readonly recipients = new Map<string, Recipient | ReturnPath>()
  private mail: MailSource | undefined
  private isTakingMail = false
  private readonly junk: JunkCounter
  readonly address: string
  readonly network: string
  private lastReply = performance.now()
  private lastProgress = this.lastReply
  private delayedRecipients = 0
  private delayTimer: NodeJS.Timeout | undefined

  constructor(server: SMTPServer & SharedBySessions, socket: Socket, options?: SMTPConnectionOptions) {
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

  /**
   * Replies to an unknown recipient, after a delay that grows with their number in the client's network. Ends the session at the
   * limit of delayed replies.
   */
  refuseUnknown(reply: () => void) {
    const delayMs = this._server.delayOfUnknown(this.network)
    if (delayMs === 0) return reply()
    const isOneTooMany = ++this.delayedRecipients > this._server.limits.delayedRecipients
    this.delayTimer = setTimeout(() => {
      this.delayTimer = undefined
      if (isOneTooMany) this.send(421, 'Too many unknown recipients', '4.7.0')
      else reply()
    }, delayMs).unref()
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
    if (isAccepted) this.delayedRecipients = 0
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
    // in place of smtp-server's own `send`, which writes nothing after the client has closed its side
    if (!this._upgrading && this._socket.writable) {
      if (code !== 220) this.holdReplies() // 220 has to be out before TLS begins
      this._socket.write(replyLines(code, this._getEnhancedStatusCode(code, context), data ?? ''))
    }
    if (code === 421) this.close()
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
    this._server.open.delete(this)
    super._onClose()
  }

  override _createParser() {
    const parser = new MailParser({ maxCommandLength: this._server.limits.commandBytes }, {
      takeTurn: (bytes, work) => this.readMail(bytes, work),
      openShare: () => this._server.memory.open(this.network),
    })
    parser.oncommand = (command, callback) => this._onCommand(command, callback)
    // the server's side stays open until everything is answered, but not during a TLS handshake, nor after QUIT
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

  /** Reads bytes of a mail when the network may send more, in a turn of its own. */
  private readMail(bytes: number, read: () => void) {
    const { turns, rate } = this._server
    rate.take(this.network, bytes, () => this._closed, () => turns.take(this.network, Math.ceil(bytes / bytesPerCommand), read))
  }

  /** Keeps the address as the client wrote it: smtp-server decodes A-labels unchecked, so `xn--mail-.example` would be `mail.example`. */
  override _parseAddressCommand(name: string, command: Buffer | string) {
    const parsed = super._parseAddressCommand(name, command)
    const [, address] = /^[^:]*:\s*<(?:@[^\s,:@]+(?:,@[^\s,:@]+)*:)?([^\s<>]*)>/.exec(command.toString()) ?? []
    return parsed && address !== undefined ? { ...parsed, address } : parsed
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
