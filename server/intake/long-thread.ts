import { publish } from '../domain/publishing.ts'
import type { AcceptedMessage } from '../envelope.ts'
import { mimeLimits } from '../mime/limits.ts'
import { readHeadersOnly } from '../mime/read-headers.ts'
import { readMessage } from '../mime/read-message.ts'
import { inTransaction } from '../store/database.ts'
import type { Database } from '../store/database.ts'
import { readSource } from '../store/mail/message-chunks.ts'
import { lowerPriority } from './low-priority.ts'
import { runDatabaseThread } from './database-thread.ts'

/** A mail whose source is stored and that is to be published. */
export interface LongMail {
  message: AcceptedMessage
  /** The reason to parse only its header; null to parse all of it. */
  problem: string | null
}

await runDatabaseThread<LongMail>(({ db, settle, timed }) => ({ message, problem }) => {
  void settle(message.id, message.receivedAt, async () => {
    const source = await sourceOf(db, message.id, problem === null ? Infinity : mimeLimits.headersOnlyBytes)
    const parsed = timed(() => problem === null ? readMessage(source) : readHeadersOnly(source, problem))
    await inTransaction(db, async (tx) => { await publish(tx, message, parsed) })
  })
})

async function sourceOf(db: Database, messageId: string, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of readSource(db, messageId)) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= maxBytes) break
  }
  return Buffer.concat(chunks)
}

lowerPriority(5)
