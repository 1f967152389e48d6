import type { Intake } from '../context.ts'
import type { AuthenticatedMail } from '../outbound/mail-authentication.ts'
import type { Database } from '../store/database.ts'
import { keepCheckpointed } from './checkpoints.ts'
import type { MailsToAuthenticate } from './authentication-thread.ts'
import type { LongMail } from './long-thread.ts'
import { keepIndexed } from './search-indexing.ts'
import { openShortQueue } from './short-queue.ts'
import { openStorageQueue } from './storage-queue.ts'
import { openThread } from './thread.ts'
import type { ThreadOptions } from './thread.ts'

/** Milliseconds and megabytes of heap that a thread may take to parse, authenticate or index one mail. */
export interface IntakeLimits {
  patience: number
  memory: number
}

export const intakeLimits: IntakeLimits = { patience: 10_000, memory: 512 }

/** Milliseconds that an idle thread is kept. Longer where it starts slowly, or caches answers of the DNS. */
const idleMs = { medium: 30_000, long: 3_000, authentication: 30_000, index: 30_000, storage: 30_000 }

/** Bytes of a mail up to which it is parsed and stored by the first thread. A longer one can take a parser 100 ms. */
const smallBytes = 65_536

/**
 * Threads for work that would block HTTP and SMTP in the main thread. The first two parse and store short mail while its senders wait:
 * small mail, which never waits for a longer one to be parsed, and the rest. The third parses long mail. The fourth writes chunks of
 * long mail while it arrives, composes and stores long mail that is sent, and makes checkpoints; the fifth authenticates mail, the
 * sixth keeps the search index.
 */
export function openIntake(
  db: Database, options: Pick<ThreadOptions, 'settings' | 'writeTurns' | 'log' | 'announce' | 'mailParsed'>, limits: IntakeLimits,
): Intake & { close(): Promise<void> } {
  const small = openThread({ ...options, ...limits, script: 'short-thread', isUrgent: true })
  const medium = openThread({ ...options, ...limits, script: 'short-thread', isUrgent: true, idle: idleMs.medium })
  const long = openThread({ ...options, ...limits, script: 'long-thread', idle: idleMs.long })
  const authentication = openThread({ ...options, ...limits, script: 'authentication-thread', idle: idleMs.authentication })
  const indexThread = openThread({ ...options, ...limits, script: 'index-thread', idle: idleMs.index })
  const indexing = keepIndexed(db, indexThread, options.log)
  const storage = openThread({ ...options, ...intakeLimits, script: 'storage-thread', idle: idleMs.storage })
  const inStorage = openStorageQueue(storage)
  const endCheckpoints = keepCheckpointed(db, storage, options.log)
  const storeSmall = openShortQueue(small)
  const storeMedium = openShortQueue(medium)
  let toAuthenticate: string[] = []

  function flushAuthentication() {
    const messageIds = toAuthenticate
    toAuthenticate = []
    authentication.post({ messageIds } satisfies MailsToAuthenticate)
  }

  return {
    store: (message, bytes, records) => (bytes.length <= smallBytes ? storeSmall : storeMedium)(message, bytes, records),
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
      return authentication.settled<AuthenticatedMail>(messageId)
    },
    indexed: indexing.catchUp,
    async close() {
      await Promise.all([indexing.close(), endCheckpoints()])
      await Promise.all([small, medium, long, storage, authentication, indexThread].map((thread) => thread.close()))
    },
  }
}
