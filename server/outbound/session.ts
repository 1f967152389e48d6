import { once } from 'node:events'
import { connect, isIP } from 'node:net'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { onAbort } from '../on-abort.ts'
import type { OutgoingMail } from './outgoing-mail.ts'
import { replyText } from './reasons.ts'
import { judge } from './session-trouble.ts'
import type { SessionResult } from './session-trouble.ts'

export type { SessionResult } from './session-trouble.ts'

/** A host to hand a mail to. */
export interface MailServer {
  /** As it is called towards users, and in its certificate. */
  name: string
  /** A name or an IP address. */
  host: string
  port: number
  /** `offered`: STARTTLS when the host has it, and no TLS when the handshake fails. */
  tls: 'offered' | 'none' | 'required' | 'implicit'
  /** Whether its certificate has to be good. */
  isVerified: boolean
  auth?: { user: string, pass: string }
}

export interface SessionMail extends OutgoingMail {
  is8Bit: () => Promise<boolean>
}

/** Milliseconds. */
export interface MailTimeouts {
  connection: number
  greeting: number
  /** Of silence. */
  idle: number
  /** Of silence after the final dot. Who gives up then may send the mail twice. */
  finalReply: number
  /** For the reply after the final dot when the attempt is cut: a mail that was taken would be sent twice. */
  lastReply: number
  /** For QUIT to be answered, when all else is decided. */
  quit: number
}

export interface SessionOptions {
  /** What EHLO says. */
  name: string
  timeouts: MailTimeouts
  signal: AbortSignal
}

/** Bytes that a host may say in one session. */
const longestTalk = 256 * 1024

/** Hands a mail to one host: in one session, or in another one without TLS when the handshake fails that it offered. */
export async function runSession(server: MailServer, mail: SessionMail, options: SessionOptions): Promise<SessionResult> {
  const result = await runOnce(server, mail, options)
  if (result.kind !== 'deferred' || result.trouble !== 'tls' || server.tls !== 'offered') return result
  return runOnce({ ...server, tls: 'none' }, mail, options)
}

async function runOnce(server: MailServer, mail: SessionMail, { name, timeouts, signal }: SessionOptions): Promise<SessionResult> {
  const broken = Promise.withResolvers<never>()
  broken.promise.catch(() => {})
  const state = { isReady: false, isWhole: false }
  let lastWait: NodeJS.Timeout | undefined
  const stopListening = onAbort(signal, () => {
    if (state.isWhole) lastWait = setTimeout(broken.reject, timeouts.lastReply, signal.reason)
    else broken.reject(signal.reason)
  })
  let socket: Socket | undefined
  let connection: SMTPConnection | undefined
  let source: Readable | undefined
  let isPolite = false
  try {
    socket = await openSocket(server, timeouts.connection, signal)
    const smtp = connection = openConnection(server, socket, name, timeouts, broken.reject)
    const step = <T>(run: (done: (error?: Error | null, result?: T) => void) => void) => Promise.race([broken.promise, toPromise(run)])
    await step((done) => smtp.connect(done))
    state.isReady = true
    const { auth } = server
    if (auth) await step<boolean>((done) => smtp.login({ credentials: auth }, done))
    const use8BitMime = await Promise.race([broken.promise, mail.is8Bit().catch(() => { throw failure('ESTREAM') })])
    const stream = source = Readable.from(follow(mail, () => {
      state.isWhole = true
      if (smtp._socket) smtp._socket.setTimeout(timeouts.finalReply)
    }), { objectMode: false })
    const envelope = { from: mail.sender, to: [mail.recipient], size: mail.size, use8BitMime }
    const info = await step<{ response: string }>((done) => smtp.send(envelope, stream, done))
    // a positive reply before the whole mail was sent is no acceptance
    if (!state.isWhole) throw failure('EPROTOCOL')
    isPolite = true
    return { kind: 'sent', reply: replyText(info!.response), host: server.name }
  } catch (error) {
    isPolite = isBetweenCommands(error, state.isWhole)
    const isCut = signal.aborted && (!state.isWhole || error === signal.reason)
    if (isCut) return { kind: 'deferred', reason: String(signal.reason), trouble: 'here' }
    return judge(error, server, { ...state, isAtTls: !state.isReady && connection?.upgrading !== undefined, isConnected: !!connection })
  } finally {
    stopListening()
    clearTimeout(lastWait)
    source?.destroy()
    if (connection) await hangUp(connection, isPolite ? timeouts.quit : 0)
    if (socket) await destroyed(socket)
  }
}

/** Whether QUIT makes sense: the host has answered, and is not in the middle of a mail. */
function isBetweenCommands(error: unknown, isWhole: boolean) {
  const { code, response } = error as { code?: string, response?: string }
  return code === 'EENVELOPE' || code === 'EMESSAGE' && (isWhole || !response)
}

async function openSocket({ host, port }: MailServer, patience: number, signal: AbortSignal): Promise<Socket> {
  signal.throwIfAborted()
  const socket = connect({ host, port })
  const timer = setTimeout(() => socket.destroy(failure('ETIMEDOUT')), patience)
  const stopListening = onAbort(signal, () => socket.destroy(failure('ECONNABORTED')))
  try {
    await once(socket, 'connect')
    return socket.on('error', () => {}) // also while nobody else listens
  } finally {
    clearTimeout(timer)
    stopListening() // from now on only from above: TLS may be on top of it
  }
}

function openConnection(
  server: MailServer, socket: Socket, name: string, timeouts: MailTimeouts, onError: (error: unknown) => void,
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
    connectionTimeout: 2 * timeouts.greeting, // for the greeting and for the handshake: the socket is connected
    greetingTimeout: timeouts.greeting,
    socketTimeout: timeouts.idle,
    socketCloseTimeout: 0,
    logger: false,
  })
  connection.on('error', onError)
  // last, since the end comes before the reason when it is a 421 in answer to several commands at once
  connection.on('end', () => setImmediate(onError, failure('ECONNECTION')))
  const onViolation = () => onError(failure('EPROTOCOL'))
  limitTalk(connection, onViolation)
  checkReplies(connection, onViolation)
  return connection
}

/** Its own limit is for one reply, and lets empty lines pass without end. `_onData` is a reason why its version is pinned. */
function limitTalk(connection: SMTPConnection, onTooMuch: () => void) {
  const inner = connection as unknown as { _onData(chunk: Buffer): void }
  const onData = inner._onData.bind(connection)
  let bytes = 0
  inner._onData = (chunk) => {
    bytes += chunk.length
    if (bytes <= longestTalk) onData(chunk)
    else onTooMuch()
  }
}

/**
 * Ends the session at a malformed reply. SMTPConnection takes any reply that begins with a 2 as positive, also `25` and `2500`.
 * `_processResponse` and `_responseQueue` are not public, so the version of nodemailer is pinned.
 */
function checkReplies(connection: SMTPConnection, onMalformed: () => void) {
  const inner = connection as unknown as { _responseQueue: string[], _processResponse(): unknown }
  const processResponse = inner._processResponse.bind(connection)
  inner._processResponse = () => {
    const [reply = ''] = inner._responseQueue
    return reply.trim() === '' || isReply(reply) ? processResponse() : onMalformed()
  }
}

/** Whether each line is a code of three digits, the same on all, alone or followed by a space or hyphen (RFC 5321, section 4.2.1). */
function isReply(text: string): boolean {
  const code = text.slice(0, 3)
  return /^[2-5]\d\d$/.test(code) && text.split('\n').every((line) => line.startsWith(code) && /^[ -]?$/.test(line.charAt(3)))
}

async function* follow(mail: OutgoingMail, onEnd: () => void) {
  yield* mail.source()
  onEnd()
}

/** @param patience milliseconds for QUIT; 0 when the session is in no state for it */
async function hangUp(connection: SMTPConnection, patience: number) {
  if (patience > 0 && !connection.destroyed) {
    const ended = Promise.withResolvers<void>()
    const timer = setTimeout(ended.resolve, patience)
    connection.once('end', ended.resolve)
    connection.quit()
    await ended.promise
    clearTimeout(timer)
  }
  connection.close()
  if (connection._socket) await destroyed(connection._socket)
}

async function destroyed(socket: Socket) {
  if (socket.closed) return
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.destroy()
  await closed
}

const failure = (code: string) => Object.assign(new Error(code), { code })

const toPromise = <T>(run: (done: (error?: Error | null, result?: T) => void) => void) =>
  new Promise<T | undefined>((resolve, reject) => run((error, result) => error ? reject(error) : resolve(result)))
