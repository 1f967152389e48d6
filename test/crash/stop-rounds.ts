import { once } from 'node:events'
import { randomInt } from 'node:crypto'
import { setTimeout as pass } from 'node:timers/promises'
import { compareSubjects, publishedEmails } from './published-emails.ts'
import { sendMails } from './send-mails.ts'
import { newAddress, startServer } from './server.ts'

export interface StopReport {
  /** Mails that were answered 250. */
  accepted: number
  /** Answered 250, but not published after the next start. */
  lost: string[]
  /** Published more than once. */
  repeated: string[]
  /** For each stop: milliseconds from the start of the mail to SIGTERM, and how the process ended. */
  stops: { atMs: number, mailBytes: number, exitCode: number | null, tookMs: number }[]
}

/** Bytes of the mails: a short one is stored while its sender waits, a long one is written in chunks and published by a job. */
const sizes = [1_000, 1_000_000]

/** SIGTERM comes within this time after the start of the first mail. */
const maxDelayMs = 300

/** Repeatedly stops the server with SIGTERM at a random moment after the first mail has begun, always on the same database. */
export async function stopRounds(rounds: number, folder: string, progress: (round: number) => void = () => {}): Promise<StopReport> {
  const accepted = new Set<string>()
  const stops: StopReport['stops'] = []
  let key = ''
  let address = { id: '', address: '' }
  for (let round = 0; round < rounds; round++) {
    const server = await startServer(folder)
    key ||= server.key
    address = address.id ? address : await newAddress(server.url, key)
    const mailBytes = sizes[round % sizes.length]!
    const atMs = randomInt(maxDelayMs)
    const load = sendMails({ port: server.smtpPort, recipient: address.address, bytes: () => mailBytes, mails: 1, name: `stop ${round}`, accepted })
    await pass(atMs)
    const begun = performance.now()
    server.child.kill('SIGTERM')
    if (server.child.exitCode === null) await once(server.child, 'exit')
    stops.push({ atMs, mailBytes, exitCode: server.child.exitCode, tookMs: Math.round(performance.now() - begun) })
    await load
    progress(round + 1)
  }
  const server = await startServer(folder)
  const emails = await publishedEmails(server.url, key, address.id, accepted)
  server.child.kill('SIGTERM')
  await server.exited
  return {
    accepted: accepted.size,
    ...compareSubjects(accepted, emails),
    stops,
  }
}
