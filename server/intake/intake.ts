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

/** Limits of a thread that parses, authenticates or indexes one mail. */
export interface IntakeLimits {
  timeoutMs: number
  maxHeapMegabytes: number
}

export const intakeLimits: IntakeLimits = { timeoutMs: 10_000, maxHeapMegabytes: 512 }

/** Time that an idle thread is kept. Longer where a thread starts slowly, or caches DNS answers. */
const maxIdleMs = { medium: 30_000, long: 3_000, authentication: 30_000, index: 30_000, storage: 30_000 }

/** Maximum bytes of a mail that the first thread parses and stores. The parser can take 100 ms for a longer mail. */
const maxSmallBytes = 65_536

/**
 * Threads for work that would block HTTP and SMTP in the main thread. The first two parse and store short mail while its senders wait:
 * small mail, which never waits for a longer one to be parsed, and the rest. The third parses long mail. The fourth writes chunks of
 * long mail while it arrives, composes and stores long mail that is sent, and makes checkpoints; the fifth authenticates mail, the
 * sixth keeps the search index.
 */
export function openIntake(
  db: Database, options: Pick<ThreadOptions, 'scripts' | 'settings' | 'writeTurns' | 'log' | 'announce' | 'mailParsed'>, limits: IntakeLimits,
): Intake & { close(): Promise<void> } {
  const small = openThread({ ...options, ...limits, script: 'short-thread', isUrgent: true })
  const medium = openThread({ ...options, ...limits, script: 'short-thread', isUrgent: true, maxIdleMs: maxIdleMs.medium })
  const long = openThread({ ...options, ...limits, script: 'long-thread', maxIdleMs: maxIdleMs.long })
  const authentication = openThread({ ...options, ...limits, script: 'authentication-thread', maxIdleMs: maxIdleMs.authentication })
  const indexThread = openThread({ ...options, ...limits, script: 'index-thread', maxIdleMs: maxIdleMs.index })
  const indexing = keepIndexed(db, indexThread, options.log)
  const storage = openThread({ ...options, ...intakeLimits, script: 'storage-thread', maxIdleMs: maxIdleMs.storage })
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
    prepare: small.start,
    store: (message, bytes, records) => (bytes.length <= maxSmallBytes ? storeSmall : storeMedium)(message, bytes, records),
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
      // mails of jobs that are claimed together are passed on in one message
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
