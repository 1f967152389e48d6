import type { SourceChunk, StoredMail } from '../context.ts'
import { composeSigned, storeComposed } from '../domain/composed-mail.ts'
import { checkEmail } from '../domain/email-checks.ts'
import { publish } from '../domain/publishing.ts'
import { acceptStored, storeFirstChunk } from '../domain/stored-mail.ts'
import type { AcceptedMessage } from '../envelope.ts'
import { mimeLimits } from '../mime/limits.ts'
import { readHeadersOnly, readMessage } from '../mime/read-message.ts'
import { composeMail } from '../mime/write/compose.ts'
import type { NewMail } from '../mime/write/compose.ts'
import { inTransaction } from '../store/database.ts'
import type { Database } from '../store/database.ts'
import { confirmClaim } from '../store/jobs/claims.ts'
import type { Claim } from '../store/jobs/claims.ts'
import { insertChunk, readSource } from '../store/mail/message-chunks.ts'
import type { Owner } from '../store/schema/values.ts'
import { openIndexer } from '../store/search/search-index.ts'
import type { IndexRequest } from '../store/search/search-pending.ts'
import { compareSome, searchIndex } from '../store/search/search.ts'
import type { Search } from '../store/search/search.ts'
import { runThread } from './thread-main.ts'

/** A mail whose source is stored and that is to be published. */
export interface LongMail {
  message: AcceptedMessage
  /** The reason to parse only its header; null to parse all of it. */
  problem: string | null
  /** Of the job that publishes it. */
  claim: Claim
}

/** Work that takes long. Its `now` is in milliseconds since 1970. */
export type BackgroundWork =
  | { kind: 'publish', mail: LongMail, now: number }
  | { kind: 'first-chunk', chunk: SourceChunk, now: number }
  | { kind: 'chunk', chunk: SourceChunk }
  | { kind: 'accept', mail: StoredMail, now: number }
  | { kind: 'compose', mail: NewMail }
  | { kind: 'store-composed', mail: NewMail, now: number }
  | { kind: 'index', request: IndexRequest }
  | { kind: 'search', search: Search }
  | { kind: 'compare', search: Search, before: string | undefined }
  | { kind: 'check', owner: Owner, emailId: string }
  | { kind: 'checkpoint' }

runThread<BackgroundWork & { id: string }>(({ data: { signingKey }, db, settle, timed }) => {
  const sourceOf = openSourceReader(db)
  const indexNext = openIndexing(db)

  async function publishStored({ message, problem, claim }: LongMail) {
    const source = await sourceOf(message, problem === null ? Infinity : mimeLimits.headersOnlyBytes)
    const parsed = timed(() => problem === null ? readMessage(source) : readHeadersOnly(source, problem))
    await inTransaction(db, async (tx) => {
      await confirmClaim(tx, claim)
      await publish(tx, message, parsed)
    })
  }

  async function run(work: BackgroundWork): Promise<unknown> {
    switch (work.kind) {
      case 'publish':
        return publishStored(work.mail)
      case 'first-chunk':
        return inTransaction(db, (tx) => storeFirstChunk(tx, work.chunk))
      case 'chunk':
        return inTransaction(db, (tx) => insertChunk(tx, work.chunk))
      case 'accept':
        return inTransaction(db, (tx) => acceptStored(tx, work.mail))
      case 'compose':
        return composeMail(work.mail)
      case 'store-composed': {
        const source = await composeSigned(work.mail, signingKey, work.now)
        return inTransaction(db, (tx) => storeComposed(tx, work.mail, source))
      }
      case 'index':
        return indexNext(work.request)
      case 'search':
        return searchIndex(db, work.search)
      case 'compare':
        return compareSome(db, work.search, work.before)
      case 'check':
        return await checkEmail(db, work.owner, work.emailId) ?? null
      case 'checkpoint':
        await new Promise(setImmediate) // posts the receipts of stored chunks before the checkpoint blocks the thread
        return db.engine.file?.checkpoint()
    }
  }

  return { work: (work) => void settle(work.id, 'now' in work ? work.now : 0, () => run(work)) }
})

/** @returns runs one step after the other: two at once would index the same mails */
function openIndexing(db: Database): (request: IndexRequest) => Promise<number> {
  const index = openIndexer(db)
  let lastStep: Promise<unknown> = Promise.resolve()
  return (request) => {
    const step = lastStep.then(() => index(request))
    lastStep = step.catch(() => {}) // its caller reports it
    return step
  }
}

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
