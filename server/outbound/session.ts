import { isAscii } from 'node:buffer'
import { once } from 'node:events'
import { connect, isIP } from 'node:net'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { onAbort, unlessAborted, waitAtMost, withDeadline } from '../deadline.ts'
import { replyText } from './reasons.ts'
import { resultOfError } from './session-result.ts'
import type { SessionResult } from './session-result.ts'

/** A mail server to send a mail to. */
export interface MailServer {
  /** In messages, and in its certificate. */
  name: string
  /** A name or an IP address. */
  host: string
  port: number
  /**
   * `offered`: STARTTLS when the host offers it (RFC 3207, section 4); a second session without TLS when the handshake fails.
   * `implicit`: from the first byte on (RFC 8314, section 3.3).
   */
  tls: 'offered' | 'none' | 'required' | 'implicit'
  /** Whether its certificate has to be valid. */
  isVerified: boolean
  auth?: { user: string, pass: string }
}

export interface SessionMail extends OutgoingMail {
  is8Bit: () => Promise<boolean>
}

export interface MailTimeouts {
  connectionMs: number
  greetingMs: number
  /** Without a byte of the host. */
  idleMs: number
  /** Without a byte of the host after the final dot. After a timeout here, the next attempt may deliver the mail twice. */
  finalReplyMs: number
  /** For the reply after the final dot when the attempt is ended: a mail that was accepted would be sent twice. */
  lastReplyMs: number
  /** For the reply to QUIT, when the result is known. */
  quitMs: number
}

export interface SessionOptions {
  /** The host name in EHLO. */
  name: string
  timeouts: MailTimeouts
  signal: AbortSignal
}

/** Maximum bytes that a host may send in one session. */
const maxReceivedBytes = 64 * 1024

/** Sends a mail to one host. With `offered` TLS, a second session without TLS follows a failed handshake. */
export async function runSession(server: MailServer, mail: SessionMail, options: SessionOptions): Promise<SessionResult> {
  const result = await runSessionOnce(server, mail, options)
  if (result.kind !== 'deferred' || result.cause !== 'tls' || server.tls !== 'offered') return result
  return runSessionOnce({ ...server, tls: 'none' }, mail, options)
}

async function runSessionOnce(server: MailServer, mail: SessionMail, { name, timeouts, signal }: SessionOptions): Promise<SessionResult> {
  const broken = Promise.withResolvers<never>()
  broken.promise.catch(() => {})
  const state = { isReady: false, isWhole: false, lastReply: '' }
  let lastWait: NodeJS.Timeout | undefined
  const stopListening = onAbort(signal, () => {
    if (state.isWhole) lastWait = setTimeout(broken.reject, timeouts.lastReplyMs, signal.reason)
    else broken.reject(signal.reason)
  })
  let socket: Socket | undefined
  let connection: SMTPConnection | undefined
  let source: Readable | undefined
  let isPolite = false
  try {
    socket = await openSocket(server, timeouts.connectionMs, signal)
    const smtp = connection = openConnection(server, socket, name, timeouts, broken.reject, (reply) => { state.lastReply = reply })
    const step = <T>(run: (done: (error?: Error | null, result?: T) => void) => void) => Promise.race([broken.promise, toPromise(run)])
    await step((done) => smtp.connect(done))
    state.isReady = true
    const { auth } = server
    if (auth) await step<boolean>((done) => smtp.login({ credentials: auth }, done))
    const use8BitMime = await Promise.race([broken.promise, mail.is8Bit().catch(() => { throw errorOf('ESTREAM') })])
    const stream = source = Readable.from(followSource(mail, {
      // nodemailer takes any positive reply to DATA: after another one than 354, no mail is read (RFC 5321, section 4.1.1.4)
      begin() {
        if (!state.lastReply.startsWith('354')) broken.reject(errorOf('EPROTOCOL'))
      },
      end() {
        state.isWhole = true
        socketOf(smtp)?.setTimeout(timeouts.finalReplyMs)
      },
    }), { objectMode: false })
    const envelope = { from: mail.sender, to: [mail.recipient], size: mail.sizeBytes, use8BitMime }
    const info = await step<{ response: string }>((done) => smtp.send(envelope, stream, done))
    // a positive reply before the whole mail was sent is no acceptance (RFC 5321, section 4.1.1.4)
    if (!state.isWhole) throw errorOf('EPROTOCOL')
    isPolite = true
    return { kind: 'sent', reply: replyText(info!.response), host: server.name }
  } catch (error) {
    isPolite = isBetweenCommands(error, state.isWhole)
    const isCut = signal.aborted && (!state.isWhole || error === signal.reason)
    if (isCut) return { kind: 'deferred', reason: String(signal.reason), cause: 'this-server' }
    const isAtTls = !state.isReady && connection?.upgrading !== undefined
    return resultOfError(error, server, { ...state, isAtTls, isConnected: !!connection })
  } finally {
    stopListening()
    clearTimeout(lastWait)
    source?.destroy()
    if (connection) await hangUp(connection, isPolite ? timeouts.quitMs : 0)
    if (socket) await destroyed(socket)
  }
}

/** Whether QUIT may be sent (RFC 5321, section 4.1.1.10): the host has replied, and is not within a mail. */
function isBetweenCommands(error: unknown, isWhole: boolean) {
  const { code, response } = error as { code?: string, response?: string }
  return code === 'EENVELOPE' || code === 'EMESSAGE' && (isWhole || !response)
}

async function openSocket({ host, port }: MailServer, timeoutMs: number, stopped: AbortSignal): Promise<Socket> {
  stopped.throwIfAborted()
  const socket = connect({ host, port })
  const timeoutReason = errorOf('ETIMEDOUT')
  const abortReason = errorOf('ECONNABORTED')
  try {
    await withDeadline({ timeoutMs, timeoutReason, signal: stopped, abortReason }, (signal) => unlessAborted(once(socket, 'connect'), signal))
    return socket.on('error', () => {}) // without a listener, an error would end the process
  } catch (error) {
    await destroyed(socket)
    throw error
  }
}

function openConnection(
  server: MailServer, socket: Socket, name: string, timeouts: MailTimeouts, onError: (error: unknown) => void,
  onReply: (text: string) => void,
): SMTPConnection {
  const connection = new SMTPConnection({
    connection: socket,
    host: server.name,
    port: server.port,
    name,
    secure: server.tls === 'implicit',
    requireTLS: server.tls === 'required',
    opportunisticTLS: server.tls === 'offered',
    ignoreTLS: server.tls === 'none',
    tls: { servername: isIP(server.name) ? undefined : server.name, rejectUnauthorized: server.isVerified },
    connectionTimeout: 2 * timeouts.greetingMs, // covers the greeting and the TLS handshake, because the socket is connected already
    greetingTimeout: timeouts.greetingMs,
    socketTimeout: timeouts.idleMs,
    socketCloseTimeout: 0,
    transactionLog: true, // calls the logger with each reply, before nodemailer interprets it
    logger: { debug: ({ tnx }: { tnx: string }, text: string) => { if (tnx === 'server') checkReply(text) } },
  })
  const onViolation = () => onError(errorOf('EPROTOCOL'))
  const checkReply = (text: string) => {
    if (isReply(text)) onReply(text)
    if (isReply(text) || socket.closed) return // a closed host may have sent half a reply
    onViolation()
    connection.close() // SMTPConnection would take any reply that begins with a 2 as positive, also `25` and `2500`
  }
  connection.on('error', onError)
  // in a later turn: a 421 to several commands at once (RFC 5321, section 3.8) ends the session before nodemailer reports the reply
  connection.on('end', () => setImmediate(onError, errorOf('ECONNECTION')))
  limitReceivedBytes(connection, onViolation)
  return connection
}

/**
 * nodemailer limits single replies only, and skips empty lines without end, in quadratic time: a check of `bytesRead` at intervals would be
 * too late. `_onData` is not public, so its version is pinned.
 */
function limitReceivedBytes(connection: SMTPConnection, onTooMuch: () => void) {
  const inner = connection as unknown as { _onData(chunk: Buffer): void }
  const onData = inner._onData.bind(connection)
  let bytes = 0
  inner._onData = (chunk) => {
    bytes += chunk.length
    if (bytes <= maxReceivedBytes) onData(chunk)
    else onTooMuch()
  }
}

/** Whether each line is a code of three digits, the same on all, alone or followed by a space or hyphen (RFC 5321, section 4.2.1). */
function isReply(text: string): boolean {
  const code = text.slice(0, 3)
  return /^[2-5]\d\d$/.test(code) && text.split('\n').every((line) => line.startsWith(code) && /^[ -]?$/.test(line.charAt(3)))
}

async function* followSource(mail: OutgoingMail, { begin, end }: { begin: () => void, end: () => void }) {
  begin()
  yield* mail.source()
  end()
}

/** @param quitMs timeout of QUIT; 0 sends none */
async function hangUp(connection: SMTPConnection, quitMs: number) {
  if (quitMs > 0 && !connection.destroyed) {
    const ended = new Promise<void>((resolve) => { connection.once('end', resolve) })
    connection.quit()
    await waitAtMost(quitMs, ended)
  }
  connection.close()
  const socket = socketOf(connection)
  if (socket) await destroyed(socket)
}

/** The socket of a session, which is another one after STARTTLS. `_socket` is private to nodemailer, so its version is pinned. */
const socketOf = (connection: SMTPConnection) => connection._socket || undefined

async function destroyed(socket: Socket) {
  if (socket.closed) return
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.destroy()
  await closed
}

const errorOf = (code: string) => Object.assign(new Error(code), { code })

const toPromise = <T>(run: (done: (error?: Error | null, result?: T) => void) => void) =>
  new Promise<T | undefined>((resolve, reject) => run((error, result) => error ? reject(error) : resolve(result)))

/** A mail to one recipient. */
export interface OutgoingMail {
  /** Empty for the null sender (RFC 5321, section 4.5.5). */
  sender: string
  recipient: string
  /** Called for each session, since a mail may be sent again. */
  source: () => AsyncIterable<Uint8Array>
  /** Declared with MAIL (RFC 1870, section 6). */
  sizeBytes: number
}

export type SendOutcome =
  | { kind: 'sent', reply: string, host: string }
  /** A permanent failure (RFC 5321, section 4.2.1). The reason is shown to the sender. */
  | { kind: 'refused', reason: string }
  /** A temporary failure. `fault` is an error of this server, for the log. */
  | { kind: 'deferred', reason: string, fault?: unknown }

/** Returns why an envelope cannot be sent. Callers have checked it already; this is a second barrier against SMTP command injection. */
export function envelopeRefusal({ sender, recipient }: OutgoingMail): string | undefined {
  if (!/^[!-~]+$/.test(recipient) || /[<>]/.test(recipient)) return 'The recipient is no address that mail can be sent to'
  if (!/^[!-~]*$/.test(sender) || /[<>]/.test(sender)) return 'The sender is no address that mail can be sent from'
  return undefined
}

/** Returns a function that tells whether the source has bytes above 127, which MAIL has to declare (RFC 6152, section 3). Reads it once. */
export function eightBitCheck(mail: OutgoingMail): () => Promise<boolean> {
  let answer: Promise<boolean> | undefined
  return () => answer ??= has8Bit(mail.source())
}

async function has8Bit(source: AsyncIterable<Uint8Array>) {
  for await (const chunk of source) if (!isAscii(chunk)) return true
  return false
}
