import { publish } from '../domain/publishing.ts'
import type { AcceptedMessage } from '../envelope.ts'
import { mimeLimits } from '../mime/limits.ts'
import { readHeadersOnly, readMessage } from '../mime/read-message.ts'
import { inTransaction } from '../store/database.ts'
import type { Database } from '../store/database.ts'
import { confirmClaim } from '../store/jobs/claims.ts'
import type { Claim } from '../store/jobs/claims.ts'
import { readSource } from '../store/mail/message-chunks.ts'
import { runDatabaseThread } from './database-thread.ts'
import { lowerPriority } from './low-priority.ts'

/** A mail whose source is stored and that is to be published. */
export interface LongMail {
  message: AcceptedMessage
  /** The reason to parse only its header; null to parse all of it. */
  problem: string | null
  /** Of the job that publishes it. */
  claim: Claim
}

runDatabaseThread<LongMail>(({ db, settle, timed }) => {
  const sourceOf = openSourceReader(db)
  return {
    work({ message, problem, claim }) {
      void settle(message.id, message.receivedAt, async () => {
        const source = await sourceOf(message, problem === null ? Infinity : mimeLimits.headersOnlyBytes)
        const parsed = timed(() => problem === null ? readMessage(source) : readHeadersOnly(source, problem))
        await inTransaction(db, async (tx) => {
          await confirmClaim(tx, claim)
          await publish(tx, message, parsed)
        })
      })
    },
  }
})

/** @returns reads the source of a mail: a view of memory that the next call uses again, since one mail at a time is parsed */
function openSourceReader(db: Database): (message: AcceptedMessage, maxBytes: number) => Promise<Buffer> {
  /** Freed when this thread is idle, and ends. */
  let memory = Buffer.alloc(0)
  return async ({ id, size }, maxBytes) => {
    if (memory.length < size) memory = Buffer.allocUnsafeSlow(size)
    let length = 0
    for await (const chunk of readSource(db, id)) {
      memory.set(chunk, length)
      length += chunk.length
      if (length >= maxBytes) break
    }
    return memory.subarray(0, length)
  }
}

lowerPriority(5)
