import { connect } from 'node:net'
import { createInterface } from 'node:readline'

/** Sends a source unchanged: the caller adds dot-stuffing. Rejects unless the reply is 250. */
export async function sendRaw(port: number, recipient: string, source: string | Buffer, sender = 'a@example.org', localAddress?: string): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1', ...(localAddress && { localAddress }) })
  const lines = createInterface(socket)[Symbol.asyncIterator]()
  const expectReply = async (code: string) => {
    for (;;) {
      const { value, done } = await lines.next() as { value: string, done?: boolean }
      if (done) throw new Error(`closed in place of ${code}`)
      if (value[3] === '-') continue
      if (!value.startsWith(code)) throw new Error(`${value} in place of ${code}`)
      return
    }
  }
  try {
    await expectReply('220')
    for (const [command, code] of [['EHLO raw.example', '250'], [`MAIL FROM:<${sender}>`, '250'], [`RCPT TO:<${recipient}>`, '250'], ['DATA', '354']] as const) {
      socket.write(`${command}\r\n`)
      await expectReply(code)
    }
    socket.write(source)
    socket.write('.\r\n')
    await expectReply('250')
    socket.write('QUIT\r\n')
  } finally {
    socket.end()
  }
}
