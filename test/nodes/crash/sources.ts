import { randomInt } from 'node:crypto'
import { setTimeout as pass } from 'node:timers/promises'
import { sourceBySubject } from '../../crash/mail-source.ts'
import type { PublishedEmail } from '../../crash/published-emails.ts'
import { runOnPostgres } from '../../support/postgres.ts'
import { openS3Server } from '../../support/s3-server.ts'
import type { S3Server } from '../../support/s3-server.ts'

export interface FaultyStore extends S3Server {
  /** Begins another state of the store. @returns its name */
  nextFault(): string
  endFaults(): void
}

const states: { name: string, isUnavailable?: boolean, delayMs?: number, errorCode?: string }[] = [
  { name: 'there' }, { name: 'unavailable', isUnavailable: true }, { name: 'there' }, { name: 'slow', delayMs: 3_000 }, { name: 'failing', errorCode: 'InternalError' },
]

/** A store that is unavailable, slow or failing at random. */
export async function openFaultyStore(): Promise<FaultyStore> {
  const server = await openS3Server()
  const begin = ({ isUnavailable = false, delayMs = 0, errorCode }: typeof states[number]) => {
    server.isUnavailable = isUnavailable
    server.delayMs = delayMs
    server.errorCode = errorCode
  }
  return Object.assign(server, {
    nextFault() {
      const state = states[randomInt(states.length)]!
      begin(state)
      return state.name
    },
    endFaults: () => begin(states[0]!),
  })
}

/** Time in which all sources have left the database: the longest delay after a failure, and the removal of left chunks. */
const maxMoveMs = 90_000
const sampleSize = 400
/** Pause that keeps the requests within the limit of the account. */
const pauseMs = 60

/** Waits until the sources of all mails have left the database, and compares some with the mails that were sent. */
export async function checkSources(
  { objects }: S3Server, { url, key, database, emails }: { url: string, key: string, database: string, emails: PublishedEmail[] },
) {
  const countUnmoved = async () => Number((await runOnPostgres(database,
    'select count(*) as count from messages where id not in (select message_id::text from source_places)'))[0]!['count'])
  for (const deadline = performance.now() + maxMoveMs; await countUnmoved() > 0 && performance.now() < deadline;) await pass(200)
  const damaged: string[] = []
  for (let i = 0; i < emails.length; i += Math.ceil(emails.length / sampleSize)) {
    const { id, subject } = emails[i]!
    const response = await fetch(`${url}/api/v1/emails/${id}/raw`, { headers: { authorization: `Bearer ${key}` } })
    if (await response.text() !== sourceBySubject(subject)) damaged.push(`${subject} ${response.status}`)
    await pass(pauseMs)
  }
  const names = new Set((await runOnPostgres(database, 'select name from source_segments')).map(({ name }) => `mayfly/test/${String(name)}`))
  return { damaged, unmoved: await countUnmoved(), orphans: [...objects.keys()].filter((name) => !names.has(name)).length }
}
