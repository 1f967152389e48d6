import type { Intake } from '../context.ts'
import type { AcceptedMessage } from '../envelope.ts'
import type { Authenticated } from '../outbound/authentication.ts'
import type { Database } from '../store/database.ts'
import { openChunkQueue } from './chunk-queue.ts'
import type { MailsToAuthenticate } from './authentication-thread.ts'
import type { LongMail } from './long-thread.ts'
import { keepIndexed } from './search-indexing.ts'
import type { ShortMails } from './short-thread.ts'
import { openThread } from './thread.ts'
import type { ThreadOptions } from './thread.ts'

/** What one mail may take: milliseconds, and megabytes of heap. */
export interface IntakeLimits {
  patience: number
  memory: number
}

export const intakeLimits: IntakeLimits = { patience: 10_000, memory: 512 }

/** Milliseconds that a thread is kept for the next mail: the one for long mails, and those that start slowly or keep answers. */
const longIdle = 3_000
const authenticationIdle = 30_000
const indexIdle = 30_000
const chunkIdle = 30_000

/**
 * Threads for what would hold up HTTP and SMTP. Two parse and store mail: one the short ones, which are stored while
 * their senders wait, the other those that take longer. A third writes long mail while it arrives, a fourth finds out who
 * vouches for a mail, a fifth keeps the search index.
 */
export function openIntake(
  db: Database, options: Pick<ThreadOptions, 'settings' | 'writeTurns' | 'log' | 'announce' | 'mailParsed'>, limits: IntakeLimits,
): Intake & { close(): Promise<void> } {
  const short = openThread({ ...options, ...limits, script: 'short-thread', isUrgent: true })
  const long = openThread({ ...options, ...limits, script: 'long-thread', idle: longIdle })
  const authentication = openThread({ ...options, ...limits, script: 'authentication-thread', idle: authenticationIdle })
  const indexThread = openThread({ ...options, ...limits, script: 'index-thread', idle: indexIdle })
  const indexing = keepIndexed(db, indexThread, options.log)
  const chunkThread = openThread({ ...options, ...limits, script: 'chunk-thread', idle: chunkIdle })
  const chunks = openChunkQueue(chunkThread, () => shortMails > 0)
  let shortMails = 0
  let toAuthenticate: string[] = []
  let outgoing: { message: AcceptedMessage, bytes: Uint8Array }[] = []

  function flush() {
    const mails = pack(outgoing)
    outgoing = []
    short.post(mails, [mails.bytes.buffer])
  }

  function flushAuthentication() {
    const messageIds = toAuthenticate
    toAuthenticate = []
    authentication.post({ messageIds } satisfies MailsToAuthenticate)
  }

  return {
    store(message, bytes) {
      // one turn later, so that mails that end together travel together
      if (outgoing.push({ message, bytes }) === 1) setImmediate(flush)
      shortMails++
      return short.settled(message.id).finally(() => {
        if (--shortMails === 0) chunks.proceed()
      })
    },
    storeChunk: chunks.store,
    publish(message, problem) {
      long.post({ message, problem } satisfies LongMail)
      return long.settled(message.id)
    },
    authenticate(messageId) {
      // jobs that are claimed together travel together
      if (toAuthenticate.push(messageId) === 1) setImmediate(flushAuthentication)
      return authentication.settled<Authenticated>(messageId)
    },
    indexed: indexing.catchUp,
    async close() {
      await indexing.close()
      await Promise.all([short, long, chunkThread, authentication, indexThread].map((thread) => thread.close()))
    },
  }
}

function pack(mails: { message: AcceptedMessage, bytes: Uint8Array }[]): ShortMails & { bytes: Uint8Array<ArrayBuffer> } {
  const bytes = new Uint8Array(mails.reduce((sum, mail) => sum + mail.bytes.length, 0))
  let end = 0
  for (const mail of mails) {
    bytes.set(mail.bytes, end)
    end += mail.bytes.length
  }
  return { messages: JSON.stringify(mails.map(({ message }) => message)), bytes }
}
