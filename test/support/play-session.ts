import { expect } from 'chai'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connect as connectTls, type ConnectionOptions } from 'node:tls'

export interface SmtpTarget {
  host: string
  port: number
  /** TLS begins with the connection; here with these options. */
  tls?: ConnectionOptions
}

/** A line to send and the code of its reply. The text of a mail after DATA counts as one line and includes the final dot. */
export type Step = [line: string | Buffer, code: number]

/**
 * Plays an SMTP session: waits for the greeting, sends each line after the reply to the previous line, and checks the codes.
 * @returns the replies as text, without the greeting
 */
export async function playSession(target: SmtpTarget, steps: Step[]): Promise<string[]> {
  await using session = await openSession(target)
  return await session.play(steps)
}

/** A session that a test controls. The greeting has been read. */
export interface SmtpSession extends AsyncDisposable {
  greeting: string
  socket: Socket
  play(steps: Step[]): Promise<string[]>
  /** Sends bytes unchanged. */
  send(bytes: string | Buffer): void
  /** The next reply, with all its lines; exact with its white space at the end. Fails when the connection ends first. */
  reply(options?: { isExact?: boolean }): Promise<string>
  /** Resolves with the unread text once the server has closed the connection. */
  ended(): Promise<string>
  /** Starts TLS, after the reply to STARTTLS. */
  startTls(options?: ConnectionOptions): Promise<void>
}

/** @param early bytes to send before the greeting, and before TLS */
export async function openSession({ host, port, tls }: SmtpTarget, early = ''): Promise<SmtpSession> {
  let socket: Socket = connect(port, host).setNoDelay(true)
  if (early) socket.write(early)
  if (tls) socket = connectTls({ socket, rejectUnauthorized: false, ...tls })
  let text = ''
  let hasEnded = false
  let wake = () => {}

  const listen = () => {
    socket.on('data', (chunk) => {
      text += String(chunk)
      wake()
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      hasEnded = true
      wake()
    })
  }
  const news = () => new Promise<void>((resolve) => { wake = resolve })

  const session: SmtpSession = {
    greeting: '',
    get socket() {
      return socket
    },
    async play(steps) {
      const replies: string[] = []
      for (const [line, code] of steps) {
        session.send(typeof line === 'string' ? `${line}\r\n` : line)
        const reply = await session.reply()
        expect(Number(reply.slice(0, 3)), `${line.toString().slice(0, 80)} was answered ${reply}`).to.equal(code)
        replies.push(reply)
      }
      return replies
    },
    send(bytes) {
      socket.write(bytes)
    },
    async reply({ isExact = false } = {}) {
      for (;;) {
        const [reply] = /^(\d{3}-.*\r\n)*\d{3}( .*)?\r\n/.exec(text) ?? []
        if (reply) {
          text = text.slice(reply.length)
          return isExact ? reply : reply.trimEnd()
        }
        if (hasEnded) throw new Error(`the connection ended, after ${JSON.stringify(text)}`)
        await news()
      }
    },
    async ended() {
      while (!hasEnded) await news()
      return text
    },
    async startTls(options = {}) {
      socket.removeAllListeners()
      socket = connectTls({ socket, rejectUnauthorized: false, ...options })
      listen()
      await once(socket, 'secureConnect')
    },
    async [Symbol.asyncDispose]() {
      socket.destroy()
      await session.ended()
    },
  }
  listen()
  session.greeting = await session.reply()
  return session
}
