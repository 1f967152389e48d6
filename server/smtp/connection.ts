import type { Socket } from 'node:net'
import type { SMTPServer, SMTPServerSession } from 'smtp-server'
import { SMTPConnection, type SMTPConnectionOptions } from 'smtp-server/lib/smtp-connection.js'
import type { LoggedIn } from '../domain/smtp-logins.ts'
import type { Recipient, ReturnPath } from '../envelope.ts'
import { readPath } from '../mailbox.ts'
import { clientAddress, type ClientNetwork, clientNetworks, isLoopback } from '../network.ts'
import { commandsOf, ReplyDelay, UnproductiveCommands } from './client-limits.ts'
import type { MailProgress, SmtpClient } from './client-limits.ts'
import { MailParser } from './mail-parser.ts'
import type { MailSource } from './mail-source.ts'
import { refusalOf } from './refusals.ts'
import type { RefusedPart } from './refusals.ts'
import { hasLoginMethod, hasWrongParameter, holdReplies, notImplemented, replyLines, statusOfCode } from './replies.ts'
import type { SharedBySessions } from './shared-by-sessions.ts'

type SharedServer = SMTPServer & { shared: SharedBySessions }

/** The session in the callbacks of smtp-server. */
export interface LimitedSession extends SMTPServerSession {
  connection: LimitedConnection
  /** Set after AUTH succeeded. `login` is undefined when `MAYFLY_CATCH_ALL` alone took the password. */
  user?: { login: LoggedIn | undefined }
}

/** The session of one client. Members that begin with `_` are private to smtp-server, so its version is pinned: docs/decisions/0010. */
export class LimitedConnection extends SMTPConnection implements SmtpClient {
  /** Accepted recipients of the current mail, by their address as the client wrote it. */
  readonly recipients = new Map<string, Recipient | ReturnPath>()
  private hasBegun = false
  private mail: MailSource | undefined
  private isTakingMail = false
  private readonly unproductive: UnproductiveCommands
  address: string
  networks: ClientNetwork[]
  network: string // the widest of them
  private lastReply = performance.now()
  private lastProgress = this.lastReply
  private delayedGuesses = 0
  private refused: Partial<RefusedPart> = {}
  readonly delay = new ReplyDelay()

  constructor(server: SharedServer, socket: Socket, options?: SMTPConnectionOptions) {
    super(server, socket, options)
    this.unproductive = new UnproductiveCommands(server.shared.limits)
    this.address = clientAddress(options?.remoteAddress ?? socket.remoteAddress ?? '')
    this.network = (this.networks = clientNetworks(this.address)).at(-1)!.name
    Object.assign(this.session, { connection: this })
  }

  // no fields: smtp-server creates a parser before fields are set, and replaces the socket at STARTTLS
  private get server() {
    return this._server as SharedServer
  }

  protected get shared() {
    return this.server.shared
  }

  private get socket() {
    return this._socket
  }

  /** A password crosses no network in clear text: without TLS, programs on this machine alone may log in. */
  private get mayLogIn() {
    return this.secure || this.shared.allowsInsecureAuth || isLoopback(this.address)
  }

  /** Whether the reply to a command is due. */
  private get isHandling() {
    return this._handlerPending
  }

  // without smtp-server's delay of the greeting, against clients that do not wait for it (RFC 5321, section 4.3.1): they do no harm here
  override init() {
    this.shared.makeRoom()
    super.init()
    if (!this.needsUpgrade) this.connectionReady()
    if (!this.isInSession) this.socket.destroySoon()
  }

  /** @param onSecure given for implicit TLS, where the session begins after the handshake */
  override upgrade(callback: () => void, onSecure?: () => void) {
    const begin = () => super.upgrade(callback, onSecure && (() => (onSecure(), this.connectionReady())))
    if (!onSecure) return begin()
    this.socket.unpipe() // while the handshake is delayed, the parser must not get its bytes
    this.delay.start(this.shared.delayOfHandshake(this.network), begin)
  }

  override handler_STARTTLS(command: Buffer, callback: () => void) {
    this.delay.start(this.shared.delayOfHandshake(this.network), () => super.handler_STARTTLS(command, callback))
  }

  override connectionReady(next?: () => void) {
    if (this.hasBegun || !this.isInSession) return
    this.hasBegun = true
    super.connectionReady(next)
  }

  get isInSession() {
    return this.shared.connections.has(this)
  }

  /**
   * Milliseconds since the last progress, which is a new recipient or the begin or end of a mail. Each received byte of a mail
   * subtracts a millisecond. 0 while the client waits for this server, except for a reply that is delayed on purpose.
   */
  idleMs(now: number) {
    const isSending = this.mail?.isOpen
    if (isSending ? this.mail!.isHeldUp : this.isTakingMail || this.isHandling && !this.delay.isRunning) return 0
    return now - this.lastProgress - (isSending ? this.mail!.receivedBytes : 0)
  }

  private runCommand(command: Buffer, callback?: () => void) {
    this.shared.turnBudget.run(this.network, 1, () => {
      if (!this.isInSession) return callback?.()
      this._unrecognizedCommands = 0 // disables smtp-server's own limit of ten: `unproductive` replaces it
      if (!this.unproductive.countCommand()) return this.endLater()
      if (!hasWrongParameter.test(command.toString('latin1'))) return this._onCommand(command, callback)
      this.send(501, 'This command has no parameters', '5.5.4')
      callback?.()
    })
  }

  /** Reads no more commands, and ends the session after a pause. The pauses differ, so that clients do not reconnect all at once. */
  private endLater() {
    setTimeout(() => {
      if (this.isInSession) this.send(421, 'Too many commands without a mail', '4.7.0')
    }, this.shared.limits.unproductiveDelayMs * (1 + Math.random())).unref()
  }

  /**
   * Replies to an unknown recipient or a wrong password, after a delay that grows with their number in the client's network. Ends the
   * session at the limit of delayed replies.
   */
  refuseGuess(reply: () => void) {
    const delayMs = this.shared.delayOfGuess(this.network)
    if (delayMs === 0) return reply()
    const exceedsLimit = ++this.delayedGuesses > this.shared.limits.delayedGuesses
    this.delay.start(delayMs, () => exceedsLimit ? this.send(421, 'Too many unknown recipients or wrong passwords', '4.7.0') : reply())
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
    if (isAccepted) this.delayedGuesses = 0
  }

  /**
   * Ends a session whose client takes too long (RFC 5321, section 3.8), without the time that this server takes for a command or a mail.
   * @param now in milliseconds, from the same clock as `performance.now`
   */
  checkTime(now: number) {
    const { commandMs, dataMs, idleMs } = this.shared.limits
    const isSending = this.mail?.isOpen
    if (!isSending && (this.isTakingMail || this.isHandling)) return
    if (isSending && this.mail!.isHeldUp) this.socket.setTimeout(idleMs) // restarts the timer: the client waits for this server
    const allowed = isSending ? dataMs : commandMs
    if (now - this.lastReply > allowed) this.send(421, 'Timeout - closing connection')
  }

  /** Ends the session with 421 (RFC 5321, section 3.8), by default because the listener closes. */
  dismiss(reason = 'Server shutting down') {
    this.send(421, reason, '4.3.2')
    this.socket.destroySoon()
  }

  dismissIfIdle() {
    if (!this.isTakingMail) this.dismiss()
  }

  dismissIfClosing() {
    if (!this.server.server.listening) this.dismiss()
  }

  override send(code: number, data?: string | string[] | null, context?: string | false): void {
    this.lastReply = performance.now()
    const [, status, text] = context === undefined && typeof data === 'string' && /^([45]\.\d{1,3}\.\d{1,3}) (.*)$/.exec(data) || []
    if (status) {
      this.send(code, text, status)
      return
    }
    if (code === 500 && notImplemented.has(context)) {
      this.send(502, 'Command not implemented')
      return
    }
    const shown = Array.isArray(data) && !this.mayLogIn ? data.filter((extension) => !extension.startsWith('AUTH ')) : data
    if (context === 'TOO_MANY_RECIPIENTS') this.recordProgress('excessRecipient')
    if (code >= 400 && this.isInSession) this.shared.recordRefusal(refusalOf(this, code, data, this.refused, context))
    this.refused = {}
    // in place of smtp-server's own `send`, which writes nothing after the client has closed its side
    if (!this._upgrading && (this.hasBegun || !this.needsUpgrade) && this.socket.writable) {
      if (code !== 220) holdReplies(this.socket) // 220 has to be sent before TLS begins (RFC 3207, section 4)
      this.socket.write(replyLines(code, this.statusOf(code, context), shown ?? ''))
    }
    if (code === 421) this.close()
  }

  /** Describes what the next reply refuses, beside the path of its command. */
  describeRefused(part: Partial<RefusedPart>) {
    this.refused = { ...this.refused, ...part }
  }

  /** Records a mail whose client went away before its end. */
  recordLost(part: RefusedPart) {
    this.shared.recordRefusal(refusalOf(this, 'lost', 'The client went away before the end of the mail', part))
  }

  /** @param context the enhanced status, smtp-server's name of the case, or false for none (RFC 2034, section 3) */
  private statusOf(code: number, context?: string | false) {
    if (context && /^\d\.\d{1,3}\.\d{1,3}$/.test(context)) return context
    return (context === undefined && statusOfCode[code]) || this._getEnhancedStatusCode(code, context)
  }

  override close() {
    this.delay.cancel()
    this.mail?.lose('the session was closed')
    super.close()
  }

  /** After FIN of the client: ends the session after the last reply. An incomplete mail is dropped (RFC 5321, section 4.1.1.10). */
  private endInput() {
    if (!this.isInSession) return
    if (this.mail?.isOpen) this.send(421, 'Connection closed before the end of the mail')
    else this.close()
  }

  override _createParser() {
    const parser = new MailParser({ maxCommandLength: this.shared.limits.commandBytes }, {
      schedule: (bytes, work) => this.readMail(bytes, work),
      openShare: () => this.shared.mailMemory.open(this.network),
    })
    parser.oncommand = (command, callback) => this.runCommand(command, callback)
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
    const { turnBudget, mailRate } = this.shared
    mailRate.take(this.network, bytes, () => !this.isInSession, () => turnBudget.run(this.network, commandsOf(bytes), read))
  }

  /** Keeps the address as the client wrote it: smtp-server decodes A-labels unchecked, so `xn--mail-.example` would be `mail.example`. */
  override _parseAddressCommand(name: string, command: Buffer | string) {
    const { address, plain } = readPath(command.toString())
    const parsed = super._parseAddressCommand(name, plain)
    const path = parsed && address !== undefined ? { ...parsed, address } : parsed
    if (path) this.refused = name === 'mail from' ? { from: path.address } : { addresses: [path.address] }
    return path
  }

  override handler_AUTH(command: Buffer, callback: () => void) {
    if (!this.mayLogIn) this.send(538, 'A login needs encryption here: use STARTTLS first', '5.7.11')
    else if (this.session.envelope.mailFrom) this.send(503, 'AUTH comes before MAIL', '5.5.1') // RFC 4954, section 4
    else if (!hasLoginMethod.test(command.toString('latin1'))) this.send(504, 'AUTH takes PLAIN or LOGIN here', '5.5.4')
    else return super.handler_AUTH(command, callback)
    callback()
  }

  override handler_DATA(command: Buffer, callback: () => void) {
    if (this.session.envelope.rcptTo.length === 0) return super.handler_DATA(command, callback)
    void this.shared.beforeData(this.session).then((refused) => {
      if (!refused && this.isInSession) return super.handler_DATA(command, callback)
      if (refused) this.send(refused.responseCode, refused.message)
      callback()
    })
  }

  // the same reply for each address, against enumeration (RFC 5321, section 7.3)
  override handler_VRFY(_command: Buffer, callback: () => void) {
    this.send(252, 'Send a mail and see')
    callback()
  }
}
