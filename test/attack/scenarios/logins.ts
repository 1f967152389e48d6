import { connect as connectTls } from 'node:tls'
import { chunkOf, forever, openCalls, openSocket, pipeline, smtpReply } from '../attack.ts'
import { attackersAddress } from '../bars.ts'
import { sendInSession, openSession } from '../smtp-client.ts'
import type { Note, Scenario, Target } from '../scenario.ts'

/** Sessions of each part; together fewer than the server's limit of sessions per address. */
const sessions = { guesses: 30, floods: 50, handshakes: 15 }
const maxRecipients = 100

export const logins: Scenario[] = [
  {
    name: 'logins',
    says: 'logins of an account: 30 sessions guess passwords, 50 send mail to 100 recipients each, 15 begin TLS',
    variables: { MAYFLY_SMTPS_PORT: '0' },
    async attack(target, note) {
      const { username, password, port } = await newLogin(target, note)
      const plain = (secret: string) => `AUTH PLAIN ${Buffer.from(`\0${username}\0${secret}`).toString('base64')}`
      const guesses = chunkOf(Array.from({ length: 1_000 }, (_, i) => plain(`smtp_${i}`)))
      await Promise.all([
        forever(note, () => pipeline(target.smtpPort, { opening: 'EHLO attack.example\r\n', chunk: guesses, reply: smtpReply }, note), sessions.guesses),
        forever(note, () => flood(target, plain(password), note), sessions.floods),
        forever(note, () => handshake(port, note), sessions.handshakes),
      ])
    },
  },
]

async function newLogin(target: Target, note: Note) {
  const text = await openCalls(target, note)({ method: 'POST', path: `/addresses/${target.busy.addressId}/smtp-login` })
  return (JSON.parse(text) as { data: { username: string, password: string, port: number } }).data
}

/** Logs in, and sends mails in the session. */
async function flood({ smtpPort }: Target, auth: string, note: Note) {
  const session = await openSession(smtpPort, attackersAddress)
  const recipients = Array.from({ length: maxRecipients }, (_, i) => `r${i}@customer.example`)
  try {
    await session.say('EHLO attack.example\r\n', '250')
    await session.say(`${auth}\r\n`, '235')
    for (;;) {
      await sendInSession(session, { sender: 'a@attack.example', recipient: recipients, source: 'Subject: flood\r\n\r\nYour code is 482913.\r\n' })
      note('250')
    }
  } finally {
    session.close()
  }
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
