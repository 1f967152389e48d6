import { connect } from 'node:net'

/** A kept-open SMTP connection that sends one mail after the other, and waits for each reply as most clients do. */
export interface SmtpClient {
  /** Resolves at the 250. @param sent called when the final dot has been written */
  send(recipient: string, source: Buffer, sent?: () => void): Promise<void>
  close(): void
}

/** With callbacks in place of promises: the load must cost little compared to the server. */
export function openSmtp(port: number): Promise<SmtpClient> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let expected = [220]
    let next = () => {
      say([250], 'EHLO bench.example\r\n', () => resolve(client))
    }
    let fail = reject

    const say = (codes: number[], line: string | Buffer, then: () => void) => {
      expected = codes
      next = then
      socket.write(line)
    }
    socket.on('data', (chunk) => {
      // a reply arrives in one chunk on this host; the last line of a reply to EHLO has no dash
      if (chunk.at(-1) !== 10 || chunk[chunk.lastIndexOf(10, -2) + 4] === 45) return
      const code = Number(chunk.toString('latin1', 0, 3))
      if (expected.includes(code)) next()
      else fail(new Error(`${chunk.toString('latin1').trim()} in place of ${expected.join()}`))
    })
    socket.on('error', (error) => fail(error))

    const mailFrom = Buffer.from('MAIL FROM:<no-reply@shop.example>\r\n')
    const data = Buffer.from('DATA\r\n')
    const client: SmtpClient = {
      send: (recipient, source, sent) => new Promise((done, failed) => {
        fail = failed
        say([250], mailFrom, () => say([250], `RCPT TO:<${recipient}>\r\n`, () => say([354], data, () => {
          say([250], source, done)
          sent?.()
        })))
      }),
      close: () => socket.end('QUIT\r\n'),
    }
  })
}

const connections = 20

/** Sends `count` mails over kept-open connections. */
export async function sendMany(port: number, recipient: string, source: Buffer, count: number): Promise<void> {
  let left = count
  await Promise.all(Array.from({ length: connections }, async () => {
    const client = await openSmtp(port)
    while (left-- > 0) await client.send(recipient, source)
    client.close()
  }))
}
