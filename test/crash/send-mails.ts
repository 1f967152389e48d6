import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as pass } from 'node:timers/promises'
import { sourceOf, subjectOf } from './mail-source.ts'

export interface MailsToSend {
  port: number
  recipient: string
  /** Beginning of the subjects, which go on with the number of the mail and its length. */
  name: string
  /** Length of a mail, by its number, from 1. */
  bytes(mail: number): number
  mails: number
  /** Pause after each mail. */
  pauseMs?: number
  /** Maximum wait for a reply; forever by default. */
  replyTimeoutMs?: number
  /** Ends the connection before its next mail. */
  signal?: AbortSignal
  /** Subjects of the mails that were answered 250. */
  accepted: Set<string>
  /** Gets each 5xx reply, and 'closed' for a connection that ends while a reply is due. */
  refusals?: string[]
}

/** Sends mails over one connection until the server closes it. */
export async function sendMails(
  { port, recipient, name, bytes, mails, pauseMs = 0, replyTimeoutMs = 0, signal, accepted, refusals }: MailsToSend,
): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  const lines = createInterface(socket)
  socket.setTimeout(replyTimeoutMs, () => socket.destroy()).once('close', () => lines.close())
  const ended = { value: '', done: true }
  for (const end of [socket, lines]) end.on('error', () => {}) // the server may be killed meanwhile
  const replies = lines[Symbol.asyncIterator]()
  const expect = async (code: string) => {
    for (;;) {
      const { value, done } = await replies.next().catch(() => ended)
      if (done || value.startsWith('5')) refusals?.push(done ? 'closed' : value)
      if (done) return false
      if (value[3] !== '-') return value.startsWith(code)
    }
  }
  if (!await expect('220')) return
  socket.write('EHLO crash.example\r\n')
  await expect('250')
  for (let mail = 1; mail <= mails && !signal?.aborted; mail++) {
    const [mailName, mailBytes] = [`${name}-${mail}`, bytes(mail)]
    socket.write(`MAIL FROM:<a@crash.example>\r\nRCPT TO:<${recipient}>\r\nDATA\r\n`)
    if (!(await expect('250') && await expect('250') && await expect('354'))) break
    socket.write(`${sourceOf(mailName, mailBytes)}.\r\n`)
    if (!await expect('250')) break
    accepted.add(subjectOf(mailName, mailBytes))
    if (pauseMs > 0) await pass(pauseMs)
  }
  socket.destroy()
}
