import { randomInt } from 'node:crypto'
import { setTimeout as pass } from 'node:timers/promises'
import { hasGrown } from '../support/grown.ts'
import { publishedSubjects } from './published-subjects.ts'
import { sendMails } from './send-mails.ts'
import { newAddress, startServer } from './server.ts'

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
 * Kills the server with SIGKILL at random moments under load, repeatedly and on the same database; then starts it once more and
 * compares the mails that were answered 250 with those that are published.
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
    await hasGrown(accepted, 1, 10_000) // the start of the threads takes longer on a slow machine
    await pass(randomInt(400))
    server.child.kill('SIGKILL')
    await Promise.all([server.exited, load])
    progress(round)
  }
  const server = await startServer(folder)
  const published = await publishedSubjects(server.url, key, address.id, accepted)
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
  await Promise.all(Array.from({ length: connections }, (_, connection) => sendMails({
    port, recipient, name: `mail ${round}-${connection}`, bytes: lengthOf, mails: Infinity, accepted,
  })))
}
