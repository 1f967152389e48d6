import { connect as connectTls } from 'node:tls'
import { chunkOf, forever, openCalls, openSocket, pipeline, smtpReply } from '../attack.ts'
import type { Note, Scenario, Target } from '../scenario.ts'

/** Sessions of each part; together fewer than the server's limit of sessions per address. */
const sessions = { guesses: 30, floods: 50, handshakes: 15 }
const maxRecipients = 100
const mail = chunkOf([
  'MAIL FROM:<a@attack.example>', ...Array.from({ length: maxRecipients }, (_, i) => `RCPT TO:<r${i}@customer.example>`), 'DATA',
  'Subject: flood', '', 'Your code is 482913.', '.',
])

export const logins: Scenario[] = [
  {
    name: 'logins',
    says: 'logins of an account: 30 sessions guess passwords, 50 pipeline mail to 100 recipients each, 15 begin TLS',
    variables: { MAYFLY_SMTPS_PORT: '0' },
    async attack(target, note) {
      const { username, password, port } = await newLogin(target, note)
      const plain = (secret: string) => `AUTH PLAIN ${Buffer.from(`\0${username}\0${secret}`).toString('base64')}`
      const guesses = chunkOf(Array.from({ length: 1_000 }, (_, i) => plain(`smtp_${i}`)))
      const hello = 'EHLO attack.example\r\n'
      const loggedIn = `${hello}${plain(password)}\r\n`
      await Promise.all([
        forever(note, () => pipeline(target.smtpPort, { opening: hello, chunk: guesses, reply: smtpReply }, note), sessions.guesses),
        forever(note, () => pipeline(target.smtpPort, { opening: loggedIn, chunk: mail, reply: smtpReply }, note), sessions.floods),
        forever(note, () => handshake(port, note), sessions.handshakes),
      ])
    },
  },
]

async function newLogin(target: Target, note: Note) {
  const text = await openCalls(target, note)({ method: 'POST', path: `/addresses/${target.busy.addressId}/smtp-login` })
  return (JSON.parse(text) as { data: { username: string, password: string, port: number } }).data
}

/** Makes a TLS handshake, which takes the server more processor time than a command, and ends the connection. */
const handshake = (port: number, note: Note) => new Promise<void>((resolve, reject) => {
  const socket = connectTls({ socket: openSocket(port), rejectUnauthorized: false })
  socket.on('secureConnect', () => {
    note('TLS')
    socket.destroy()
  })
  socket.on('error', reject)
  socket.on('close', () => resolve())
})
