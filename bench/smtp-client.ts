import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** A kept-open SMTP connection that sends one mail after the other, and waits for each reply as most clients do. */
export interface SmtpClient {
  /** Resolves at the 250. @param sent called when the final dot has been written */
  send(recipient: string, source: Buffer, sent?: () => void): Promise<void>
  close(): void
}

/**
 * With callbacks in place of promises: the load must cost little compared to the server.
 * @param localAddress the address to connect from
 */
export function openSmtp(port: number, localAddress = '127.0.0.1'): Promise<SmtpClient> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true })
    let expected = 220
    let next = () => {
      say(250, 'EHLO bench.example\r\n', () => resolve(client))
    }
    let fail = reject

    const say = (code: number, line: string | Buffer, then: () => void) => {
      expected = code
      next = then
      socket.write(line)
    }
    socket.on('data', (chunk) => {
      // a reply arrives in one chunk on this host; the last line of a reply to EHLO has no dash
      if (chunk.at(-1) !== 10 || chunk[chunk.lastIndexOf(10, -2) + 4] === 45) return
      if (Number(chunk.toString('latin1', 0, 3)) === expected) next()
      else fail(new Error(`${chunk.toString('latin1').trim()} in place of ${expected}`))
    })
    socket.on('error', (error) => fail(error))
    socket.on('close', () => fail(new Error(`the server closed the connection in place of ${expected}`)))

    const mailFrom = Buffer.from('MAIL FROM:<no-reply@shop.example>\r\n')
    const data = Buffer.from('DATA\r\n')
    const client: SmtpClient = {
      send: (recipient, source, sent) => new Promise((done, failed) => {
        fail = failed
        say(250, mailFrom, () => say(250, `RCPT TO:<${recipient}>\r\n`, () => say(354, data, () => {
          say(250, source, done)
          sent?.()
        })))
      }),
      close: () => socket.end('QUIT\r\n'),
    }
  })
}

/** Mails that are sent at the same time, each over a kept-open connection. */
export interface MailsToSend {
  port: number
  recipient: string
  /** Sent in turn. */
  sources: Buffer[]
  count: number
  connections?: number
  /** Sent at most; without it, each mail follows the one before it on its connection. */
  perSecond?: number
  /** Addresses to connect from, in turn. */
  localAddresses?: string[]
  /** Called with the time from the final dot of a mail to its 250. */
  acknowledged?(ms: number): void
}

export async function sendMails({
  port, recipient, sources, count, connections = 20, perSecond = Infinity, localAddresses = ['127.0.0.1'], acknowledged,
}: MailsToSend): Promise<void> {
  let next = 0
  const begun = performance.now()
  await Promise.all(Array.from({ length: connections }, async (_, i) => {
    const client = await openSmtp(port, localAddresses[i % localAddresses.length])
    while (next < count) {
      const number = next++
      const earlyMs = begun + number / perSecond * 1_000 - performance.now()
      if (earlyMs > 0) await pause(earlyMs)
      let sentAt = 0
      await client.send(recipient, sources[number % sources.length]!, () => { sentAt = performance.now() })
      acknowledged?.(performance.now() - sentAt)
    }
    client.close()
  }))
}
