import { connect } from 'node:net'

/** Another reply than the expected one. */
class UnexpectedReply extends Error {
  readonly code: string

  constructor(reply: string) {
    super(reply.trim())
    this.code = reply.slice(0, 3)
  }
}

export interface SmtpSession {
  /** @throws UnexpectedReply, or the error of the socket */
  say(line: string | Buffer, code: string): Promise<void>
  close(): void
}

/** Opens a session; the greeting has been read. @param from the address to connect from */
export async function openSession(port: number, from: string): Promise<SmtpSession> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from, noDelay: true })
  let text = ''
  let ended: Error | undefined
  let look = () => {}
  const end = (error: Error) => {
    ended ??= error
    look()
  }
  socket.on('error', end)
  socket.on('close', () => end(Object.assign(new Error('the connection was closed'), { code: 'closed' })))
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1')
    look()
  })
  const expect = (code: string) => new Promise<void>((resolve, reject) => {
    look = () => {
      const [reply] = /^(?:\d{3}-.*\r\n)*\d{3}(?: .*)?\r\n/.exec(text) ?? []
      if (!reply && !ended) return
      look = () => {}
      text = text.slice(reply?.length ?? 0)
      if (!reply) reject(ended!)
      else if (reply.startsWith(code)) resolve()
      else reject(new UnexpectedReply(reply))
    }
    look()
  })
  const session: SmtpSession = {
    say(line, code) {
      socket.write(line)
      return expect(code)
    },
    close: () => socket.destroy(),
  }
  await expect('220').catch((error: unknown) => {
    socket.destroy()
    throw error
  })
  return session
}

export interface Mail {
  from: string
  sender: string
  recipient: string
  /** Dots stuffed, without the final one, ending with a line break. */
  source: string | Buffer
}

/** Sends one mail over a new connection. Resolves after the 250 for its final dot. */
export async function sendMail(port: number, mail: Mail): Promise<void> {
  const session = await openSession(port, mail.from)
  try {
    await session.say('EHLO client.example\r\n', '250')
    await sendInSession(session, mail)
  } finally {
    session.close()
  }
}

export async function sendInSession(session: SmtpSession, { sender, recipient, source }: Omit<Mail, 'from'>): Promise<void> {
  await session.say(`MAIL FROM:<${sender}>\r\n`, '250')
  await session.say(`RCPT TO:<${recipient}>\r\n`, '250')
  await session.say('DATA\r\n', '354')
  await session.say(Buffer.concat([Buffer.from(source), Buffer.from('.\r\n')]), '250')
}
