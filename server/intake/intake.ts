import type { Intake } from '../context.ts'
import type { Authenticated } from '../outbound/authentication.ts'
import type { Database } from '../store/database.ts'
import { keepCheckpointed } from './checkpoints.ts'
import type { MailsToAuthenticate } from './authentication-thread.ts'
import type { LongMail } from './long-thread.ts'
import { keepIndexed } from './search-indexing.ts'
import { openShortQueue } from './short-queue.ts'
import { openStorageQueue } from './storage-queue.ts'
import { openThread } from './thread.ts'
import type { ThreadOptions } from './thread.ts'

/** What one mail may take: milliseconds, and megabytes of heap. */
export interface IntakeLimits {
  patience: number
  memory: number
}

export const intakeLimits: IntakeLimits = { patience: 10_000, memory: 512 }

/** Milliseconds that an idle thread is kept. Longer where it starts slowly, or caches answers of the DNS. */
const idleMs = { long: 3_000, authentication: 30_000, index: 30_000, storage: 30_000 }

/**
 * Threads for work that would block HTTP and SMTP in the main thread. The first parses and stores short mail while its senders wait,
 * the second parses long mail. The third writes chunks of long mail while it arrives, composes and stores long mail that is sent, and
 * makes checkpoints; the fourth authenticates mail, the fifth keeps the search index.
 */
export function openIntake(
  db: Database, options: Pick<ThreadOptions, 'settings' | 'writeTurns' | 'log' | 'announce' | 'mailParsed'>, limits: IntakeLimits,
): Intake & { close(): Promise<void> } {
  const short = openThread({ ...options, ...limits, script: 'short-thread', isUrgent: true })
  const long = openThread({ ...options, ...limits, script: 'long-thread', idle: idleMs.long })
  const authentication = openThread({ ...options, ...limits, script: 'authentication-thread', idle: idleMs.authentication })
  const indexThread = openThread({ ...options, ...limits, script: 'index-thread', idle: idleMs.index })
  const indexing = keepIndexed(db, indexThread, options.log)
  const storage = openThread({ ...options, ...limits, script: 'storage-thread', idle: idleMs.storage })
  const inStorage = openStorageQueue(storage)
  const endCheckpoints = keepCheckpointed(db, storage, options.log)
  let toAuthenticate: string[] = []

  function flushAuthentication() {
    const messageIds = toAuthenticate
    toAuthenticate = []
    authentication.post({ messageIds } satisfies MailsToAuthenticate)
  }

  return {
    store: openShortQueue(short),
    async storeChunk(sender, chunk) {
      await inStorage(sender, { kind: 'chunk', ...chunk }, [chunk.bytes.buffer])
    },
    compose: (accountId, mail) => inStorage(accountId, { kind: 'compose', mail }),
    storeComposed: (accountId, mail, now) => inStorage(accountId, { kind: 'store-composed', mail, now }),
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
      await Promise.all([indexing.close(), endCheckpoints()])
      await Promise.all([short, long, storage, authentication, indexThread].map((thread) => thread.close()))
    },
  }
}
