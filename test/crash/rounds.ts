import { randomInt } from 'node:crypto'
import { setTimeout as pass } from 'node:timers/promises'
import { hasGrown } from '../support/grown.ts'
import { openStoredData } from '../support/store/stored-data.ts'
import { sourceBySubject } from './mail-source.ts'
import { compareSubjects, publishedEmails } from './published-emails.ts'
import type { PublishedEmail } from './published-emails.ts'
import { sendMails } from './send-mails.ts'
import { newAddress, startServer } from './server.ts'

export interface CrashReport {
  rounds: number
  /** Mails that were answered 250, and how many of them by their length. */
  accepted: number
  bySize: Record<string, number>
  /** Answered 250, but never published. */
  lost: string[]
  /** Published more than once. */
  repeated: string[]
  /** Published with another source than was sent, of a sample. */
  damaged: string[]
  /** Messages that are not there, of which chunks are left. */
  orphaned: number
}

/**
 * Kills the server with SIGKILL at random moments under load, repeatedly and on the same database; then starts it once more and
 * compares the mails that were answered 250 with those that are published.
 * @param maxMailsBeforeKill a kill comes after so many answers or fewer, at random; long mails are among the later ones
 */
export async function crashRounds(
  rounds: number, folder: string, database: string, maxMailsBeforeKill = 8, progress: (round: number) => void = () => {},
): Promise<CrashReport> {
  const accepted = new Set<string>()
  let key = ''
  let address = { id: '', address: '' }
  for (let round = 1; round <= rounds; round++) {
    const server = await startServer(folder, { MAYFLY_DATABASE: database })
    key ||= server.key
    address = address.id ? address : await newAddress(server.url, key)
    const load = sendUntilClosed(server.smtpPort, address.address, round, accepted)
    await hasGrown(accepted, randomInt(maxMailsBeforeKill) + 1, 10_000) // the start of the threads takes longer on a slow machine
    await pass(randomInt(100))
    server.child.kill('SIGKILL')
    await Promise.all([server.exited, load])
    progress(round)
  }
  const server = await startServer(folder, { MAYFLY_DATABASE: database })
  const emails = await publishedEmails(server.url, key, address.id, accepted)
  const damaged = await findDamaged(server.url, key, emails)
  const orphaned = await orphanedAtEnd(database)
  server.child.kill('SIGTERM')
  await server.exited
  const bySize = Object.fromEntries(sizes.map((bytes) => [bytes, [...accepted].filter((subject) => subject.endsWith(` of ${bytes}`)).length]))
  return { rounds, accepted: accepted.size, bySize, ...compareSubjects(accepted, emails), damaged, orphaned }
}

const connections = 8

/** Bytes of the mails, in turn: text in a row, attachments in a row and in chunks. Each connection begins at another one. */
const sizes = [2_000, 100_000, 2_000, 400_000, 2_000, 100_000, 2_000, 3_000_000]

async function sendUntilClosed(port: number, recipient: string, round: number, accepted: Set<string>) {
  await Promise.all(Array.from({ length: connections }, (_, connection) => sendMails({
    port, recipient, name: `mail ${round}-${connection}`, bytes: (mail) => sizes[(mail + connection + round) % sizes.length]!, mails: Infinity, accepted,
  })))
}

const sampleSize = 40

/** Compares the sources of some emails with the mails that were sent. @returns the subjects of those that differ */
async function findDamaged(url: string, key: string, emails: PublishedEmail[]): Promise<string[]> {
  const damaged: string[] = []
  for (let i = 0; i < emails.length; i += Math.ceil(emails.length / sampleSize)) {
    const { id, subject } = emails[i]!
    const response = await fetch(`${url}/api/v1/emails/${id}/raw`, { headers: { authorization: `Bearer ${key}` } })
    if (await response.text() !== sourceBySubject(subject)) damaged.push(subject)
  }
  return damaged
}

/** Time for the jobs that remove the chunks of mail which did not arrive completely. */
const removalMs = 30_000

async function orphanedAtEnd(database: string): Promise<number> {
  await using stored = await openStoredData(database)
  const until = Date.now() + removalMs
  while (await stored.messagesOfOrphanedChunks() > 0 && Date.now() < until) await pass(50)
  return await stored.messagesOfOrphanedChunks() // before the database is closed
}
