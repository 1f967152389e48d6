import { randomInt } from 'node:crypto'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { call, newAddress, startServer } from './server.ts'

export interface CrashReport {
  rounds: number
  /** Mails that were answered 250. */
  accepted: number
  /** Answered 250, but never published. */
  lost: string[]
  /** Published more than once. */
  repeated: string[]
}

/**
 * Kills the server with SIGKILL at random moments under load, again and again, on one database;
 * then starts it once more and compares what was answered 250 with what is published.
 */
export async function crashRounds(rounds: number, folder: string, progress: (round: number) => void = () => {}): Promise<CrashReport> {
  const accepted = new Set<string>()
  let key = ''
  let address = { id: '', address: '' }
  for (let round = 1; round <= rounds; round++) {
    const server = await startServer(folder)
    key ||= server.key
    address = address.id ? address : await newAddress(server.url, key)
    const load = sendUntilClosed(server.smtpPort, address.address, round, accepted)
    await new Promise((resolve) => setTimeout(resolve, randomInt(50, 800)))
    server.child.kill('SIGKILL')
    await Promise.all([server.exited, load])
    progress(round)
  }
  const server = await startServer(folder)
  const published = await publishedSubjects(server.url, key, address.id, accepted.size)
  server.child.kill('SIGTERM')
  await server.exited
  return {
    rounds,
    accepted: accepted.size,
    lost: [...accepted].filter((subject) => !published.includes(subject)),
    repeated: published.filter((subject, i) => published.indexOf(subject) !== i),
  }
}

const connections = 8

/** Every fifth mail is long enough to be written in pieces while it arrives. */
const lengthOf = (mail: number) => mail % 5 === 0 ? 700_000 : 1_000

async function sendUntilClosed(port: number, recipient: string, round: number, accepted: Set<string>) {
  await Promise.all(Array.from({ length: connections }, async (_, connection) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    const lines = createInterface(socket)
    const ended = { value: '', done: true }
    for (const end of [socket, lines]) end.on('error', () => {}) // the server is killed under it
    const replies = lines[Symbol.asyncIterator]()
    const expect = async (code: string) => {
      for (;;) {
        const { value, done } = await replies.next().catch(() => ended)
        if (done) return false
        if (value[3] !== '-') return value.startsWith(code)
      }
    }
    if (!await expect('220')) return
    socket.write('EHLO crash.example\r\n')
    await expect('250')
    for (let mail = 1; ; mail++) {
      const subject = `mail ${round}-${connection}-${mail}`
      socket.write(`MAIL FROM:<a@crash.example>\r\nRCPT TO:<${recipient}>\r\nDATA\r\n`)
      if (!(await expect('250') && await expect('250') && await expect('354'))) break
      socket.write(`From: a@crash.example\r\nSubject: ${subject}\r\n\r\n${'text text text\r\n'.repeat(lengthOf(mail) / 16)}.\r\n`)
      if (!await expect('250')) break
      accepted.add(subject)
    }
    socket.destroy()
  }))
}

/** Reads the list until it has as many as were accepted, or stops growing for two seconds. */
async function publishedSubjects(url: string, key: string, addressId: string, wanted: number): Promise<string[]> {
  let grownAt = Date.now()
  let seen = -1
  while (Date.now() - grownAt < 2_000) {
    const { total } = await list(0, 1)
    if (total > seen) {
      seen = total
      grownAt = Date.now()
    }
    if (total >= wanted && Date.now() - grownAt > 300) break
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const subjects: string[] = []
  for (let offset = 0; offset < seen; offset += 100) subjects.push(...(await list(offset, 100)).data.map(({ subject }) => subject))
  return subjects

  function list(offset: number, limit: number) {
    return call(url, key, `/emails?address_id=${addressId}&limit=${limit}&offset=${offset}`) as Promise<{ total: number, data: { subject: string }[] }>
  }
}
