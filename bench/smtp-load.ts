import { connect } from 'node:net'
import type { Socket } from 'node:net'

/** A kept-open SMTP connection that sends one mail after the other, and waits for each reply as most clients do. */
export async function openSmtp(port: number) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  const replies = repliesOf(socket)
  await replies.expect(220)
  socket.write('EHLO bench.example\r\n')
  await replies.expect(250)
  return {
    /** Resolves at the 250. @param sent is told when the final dot has been written */
    async send(recipient: string, source: string, sent = () => {}) {
      socket.write('MAIL FROM:<no-reply@shop.example>\r\n')
      await replies.expect(250)
      socket.write(`RCPT TO:<${recipient}>\r\n`)
      await replies.expect(250)
      socket.write('DATA\r\n')
      await replies.expect(354)
      socket.write(source)
      sent()
      await replies.expect(250)
    },
    close: () => socket.end('QUIT\r\n'),
  }
}

function repliesOf(socket: Socket) {
  let text = ''
  const codes: string[] = []
  let wake = () => {}
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk
    for (let end = text.indexOf('\r\n'); end >= 0; end = text.indexOf('\r\n')) {
      const reply = text.slice(0, end)
      text = text.slice(end + 2)
      if (reply[3] !== '-') codes.push(reply)
    }
    wake()
  })
  socket.on('error', () => wake())
  socket.on('close', () => {
    codes.push('closed')
    wake()
  })
  return {
    async expect(code: number) {
      while (codes.length === 0) await new Promise<void>((resolve) => { wake = resolve })
      const reply = codes.shift()!
      if (!reply.startsWith(String(code))) throw new Error(`${reply} in place of ${code}`)
    },
  }
}

const connections = 20

/** Sends `count` mails over kept-open connections. */
export async function sendMany(port: number, recipient: string, source: string, count: number): Promise<void> {
  let left = count
  await Promise.all(Array.from({ length: connections }, async () => {
    const client = await openSmtp(port)
    while (left-- > 0) await client.send(recipient, source)
    client.close()
  }))
}
