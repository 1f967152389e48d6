import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo, ListenOptions, Server, Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import type { SMTPServerSession } from 'smtp-server'
import type { TlsPair } from '../../server/config/tls-pair.ts'

export interface ReceivedMail {
  /** Empty for the null sender. */
  sender: string
  /** The first recipient. */
  recipient: string
  recipients: string[]
  source: Buffer
  sourceText: string
  tls: boolean
  helo: string
  /** The parameters of MAIL, names in upper case: `{ BODY: '8BITMIME', SIZE: '120' }`. */
  parameters: Record<string, unknown>
}

interface ScriptedReply {
  code: number
  text: string
}

/** The replies to commands; undefined means success. A test may change them at any time. */
interface ScriptedReplies {
  mail?: (sender: string) => ScriptedReply | undefined
  rcpt?: (address: string) => ScriptedReply | undefined
  data?: (mail: ReceivedMail) => ScriptedReply | undefined
}

export interface ReceiverOptions {
  /** The address or port, in place of a free port of 127.0.0.1. */
  at?: ListenOptions
  /** STARTTLS with a self-signed certificate or this one, or TLS from the first byte. */
  tls?: boolean | 'implicit' | TlsPair
  /** Requires this login. */
  auth?: { user: string, pass: string }
  replies?: ScriptedReplies
  /** EHLO keywords that are not offered. */
  hide?: ('PIPELINING' | '8BITMIME' | 'SMTPUTF8')[]
  /** Maximum bytes of a mail (SIZE), 32 MB by default. */
  maxBytes?: number
}

export interface Receiver extends AsyncDisposable {
  host: string
  port: number
  /** Mails that were answered 250, in order. */
  mails: ReceivedMail[]
  replies: ScriptedReplies
  /** Waits for the next mail that this function has not returned yet. */
  next(): Promise<ReceivedMail>
  /** Forgets its mails, its scripted replies and the number of connections so far. */
  reset(): void
  /** Number of open connections, and of all connections since the last reset. */
  readonly open: number
  readonly connections: number
}

export interface HangingServer extends AsyncDisposable {
  host: string
  port: number
  readonly open: number
  readonly connections: number
}

/** A real SMTP server on a free port of 127.0.0.1 that records its mail. */
export async function openReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const { replies = {}, auth, tls, hide = [] } = options
  const mails: ReceivedMail[] = []
  const waiting: ((mail: ReceivedMail) => void)[] = []
  let taken = 0
  let earlierConnections = 0

  const server = new PromptServer({
    ...(tls && (typeof tls === 'object' ? tls : selfSigned())),
    secure: tls === 'implicit',
    name: 'mx.receiver.example',
    size: options.maxBytes ?? 32 * 1024 * 1024,
    hidePIPELINING: hide.includes('PIPELINING'),
    hide8BITMIME: hide.includes('8BITMIME'),
    hideSMTPUTF8: hide.includes('SMTPUTF8'),
    authOptional: !auth,
    allowInsecureAuth: true,
    disabledCommands: [...(auth ? [] : ['AUTH']), ...(tls ? [] : ['STARTTLS'])],
    disableReverseLookup: true,
    logger: false,
    onAuth: ({ username, password }, _session, done) =>
      username === auth?.user && password === auth?.pass ? done(null, { user: username }) : done(refusal({ code: 535, text: 'Wrong password' })),
    onMailFrom: ({ address }, _session, done) => done(refusal(replies.mail?.(address))),
    onRcptTo: ({ address }, _session, done) => done(refusal(replies.rcpt?.(address))),
    onData: (stream, session, done) => {
      buffer(stream).then((source) => {
        const mail = toMail(session, source)
        const reply = replies.data?.(mail)
        if (reply) return done(refusal(reply))
        mails.push(mail)
        if (waiting.length > 0) waiting.shift()!(mails[taken++]!)
        done(null, 'OK: queued as 1234')
      }, done)
    },
  })
  server.on('error', () => {}) // a client that disconnects during a mail
  const listener = await listen(server.server, options.at, tls ? () => endSessions(server) : undefined)
  return {
    ...listener.address,
    mails,
    replies,
    next: () => taken < mails.length ? Promise.resolve(mails[taken++]!) : new Promise((resolve) => waiting.push(resolve)),
    reset() {
      mails.length = taken = waiting.length = 0
      earlierConnections = listener.count()
      for (const name of Object.keys(replies)) delete replies[name as keyof ScriptedReplies]
    },
    get open() {
      return server.connections.size // a socket that was upgraded to TLS emits no close event
    },
    get connections() {
      return listener.count() - earlierConnections
    },
    [Symbol.asyncDispose]: listener.close,
  }
}

/** Accepts connections on a free port of 127.0.0.1 and sends nothing. @param begin called with each connection */
export async function openHangingServer(at: ListenOptions = {}, begin: (socket: Socket) => void = () => {}): Promise<HangingServer> {
  const listener = await listen(createServer((socket) => begin(socket.on('error', () => {}).resume())), at)
  return {
    ...listener.address,
    get open() {
      return listener.sockets.size
    },
    get connections() {
      return listener.count()
    },
    [Symbol.asyncDispose]: listener.close,
  }
}

/** The pair in test/support/self-signed: for mail.localhost, localhost and 127.0.0.1. */
export const selfSigned = () => ({ cert: pem('cert'), key: pem('key') })

const pem = (name: string) => readFileSync(new URL(`self-signed/${name}.pem`, import.meta.url), 'utf8')

/** Greets at once: smtp-server waits 100 ms, to detect clients that send too early. */
class PromptServer extends SMTPServer {
  override connect(...args: Parameters<SMTPServer['connect']>) {
    super.connect(...args)
    const connection = [...this.connections].at(-1)
    if (!connection) return
    const greet = connection.connectionReady.bind(connection)
    connection.connectionReady = () => {}
    greet()
  }
}

/** Does not destroy the socket below TLS, which crashes Node when smtp-server reads the TLS protocol. */
function endSessions(server: SMTPServer) {
  server.close()
  for (const connection of server.connections) if (!connection._upgrading) connection._socket.destroy()
}

function toMail(session: SMTPServerSession, source: Buffer): ReceivedMail {
  const { mailFrom, rcptTo } = session.envelope
  const { address: sender, args } = mailFrom || { address: '', args: {} }
  const recipients = rcptTo.map(({ address }) => address)
  return {
    sender,
    recipient: recipients[0]!,
    recipients,
    source,
    sourceText: source.toString(),
    tls: session.secure,
    helo: session.hostNameAppearsAs,
    parameters: { ...args },
  }
}

const refusal = (reply: ScriptedReply | undefined) => reply ? Object.assign(new Error(reply.text), { responseCode: reply.code }) : null

async function listen(server: Server, at: ListenOptions = {}, end?: () => void) {
  const sockets = new Set<Socket>()
  let count = 0
  server.on('connection', (socket: Socket) => {
    count++
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await once(server.listen({ host: '127.0.0.1', port: 0, ...at }), 'listening')
  const { address: host, port } = server.address() as AddressInfo
  return {
    address: { host, port },
    sockets,
    count: () => count,
    async close() {
      if (!server.listening) return
      const closed = once(server, 'close')
      if (end) {
        end()
      } else {
        server.close()
        for (const socket of sockets) socket.destroy()
      }
      await closed
    },
  }
}
