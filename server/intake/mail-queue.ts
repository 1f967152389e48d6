import type { ClaimedAuthentication } from '../domain/publishing.ts'
import type { AcceptedMessage } from '../envelope.ts'
import { joinBytes } from '../line-endings.ts'
import type { ChangeRecords } from '../store/accounts/idempotency-keys.ts'
import type { Claim } from '../store/jobs/claims.ts'
import { FairQueue } from '../turns/fair-queue.ts'
import { resultsKey } from './held-mails.ts'
import type { HeldMails, KnownResults } from './held-mails.ts'
import type { IncomingMail, MailsToParse, ParsedMails } from './parse-thread.ts'
import type { SharedRange, SharedSources } from './shared-sources.ts'
import type { Thread } from './thread.ts'
import type { MailsToWrite } from './write-thread.ts'

/** Maximum bytes of mail in a parser and on their way to the disk from it: the mail of another client waits for at most this much. */
const maxUnderWayBytes = 2 * 1024 * 1024
/** Minimum bytes that a mail counts as, so that at most 128 are under way. */
const minMailBytes = 16 * 1024

interface QueuedMail {
  message: AcceptedMessage
  /** Where its source is in the shared memory; undefined before it is there, and when there was no room. */
  range?: SharedRange
  /** Of the job that authenticates it, if this process begins that at once. */
  claim?: Claim
  source: Uint8Array[]
  records: ChangeRecords | undefined
  resolve(isStored: boolean): void
  reject(error: unknown): void
}

interface Parser {
  thread: Thread
  underWayBytes: number
}

/** Jobs that are claimed in the transaction that queues them. */
export interface ClaimedJobs {
  /** Makes the claim of a job that is not queued yet. */
  newClaim(): Claim
  run(job: ClaimedAuthentication['job']): void
  /** Releases a claim after the thread that queues the job has ended without an answer; there may be no such job. */
  release(claim: Claim): void
}

interface MailQueueOptions {
  /** Threads that parse. */
  parsers: Thread[]
  /** The thread that writes. */
  writer: Thread
  sources: SharedSources
  held: HeldMails
  knownResults: KnownResults
  jobs: ClaimedJobs
}

/** Passes mail to the threads that parse, and from there to the thread that writes; clients in rotation (docs/decisions/0012). */
export class MailQueue {
  readonly #options: Omit<MailQueueOptions, 'parsers'>
  readonly #parsers: Parser[]
  readonly #waiting = new FairQueue<QueuedMail>()
  /** Number of batches that were passed on, for their ids. */
  #batches = 0
  /** Whether batches are started in the next turn of the event loop. */
  #isPlanned = false

  constructor({ parsers, ...options }: MailQueueOptions) {
    this.#options = options
    this.#parsers = parsers.map((thread) => ({ thread, underWayBytes: 0 }))
  }

  /** @returns false when the mail is not stored: its thread has ended, or it is left to a job */
  store(message: AcceptedMessage, source: Uint8Array[], records?: ChangeRecords): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#waiting.push(clientOf(message), { message, source, records, resolve, reject })
      this.#planBatches()
    })
  }

  /** Whether mail is under way to the disk. */
  isBusy(): boolean {
    return this.#parsers.some(({ underWayBytes }) => underWayBytes > 0)
  }

  #planBatches() {
    if (this.#isPlanned || this.#waiting.size === 0 || !this.#freeParser()) return
    this.#isPlanned = true
    setImmediate(() => this.#startBatches()) // in the next turn, so that mails that end in the same turn are passed on together
  }

  /** The parser with the least work, unless all have enough. */
  #freeParser(): Parser | undefined {
    const [first] = this.#parsers.toSorted((a, b) => a.underWayBytes - b.underWayBytes)
    return first!.underWayBytes < maxUnderWayBytes ? first : undefined
  }

  #startBatches() {
    this.#isPlanned = false
    for (let parser = this.#freeParser(); parser && this.#waiting.size > 0; parser = this.#freeParser()) {
      void this.#runBatch(parser, this.#takeBatch(parser))
    }
  }

  #takeBatch(parser: Parser): QueuedMail[] {
    const mails: QueuedMail[] = []
    while (this.#waiting.size > 0 && parser.underWayBytes < maxUnderWayBytes) {
      const mail = this.#waiting.shift()!
      parser.underWayBytes += costOf(mail)
      mails.push(mail)
    }
    return mails
  }

  /** Has mails parsed, and then written. */
  async #runBatch(parser: Parser, mails: QueuedMail[]) {
    const packed = this.#pack(mails)
    const id = `batch ${++this.#batches}`
    const settled = parser.thread.settled<ParsedMails>(id)
    parser.thread.post({ ...packed, id } satisfies MailsToParse, [packed.bytes.buffer])
    const read = await settled
    const declined = new Set(read ? read.declined : mails.map(({ message }) => message.id))
    for (const [i, mail] of mails.entries()) {
      const isStored = declined.has(mail.message.id) ? this.#notWritten(mail) : this.#written(mail, read ? read.authors[i]! : null)
      void isStored.finally(() => {
        parser.underWayBytes -= costOf(mail)
        this.#planBatches()
      }).then(mail.resolve, mail.reject)
    }
    if (!read) return
    const { parsed, bytes, authors } = read
    const results = JSON.stringify(mails.map(({ message }, i) => this.#knownResultsOf(message, authors[i]!)))
    const work: MailsToWrite = { kind: 'publish', messages: packed.messages, results, parsed, bytes }
    this.#options.writer.post(work, [parsed.buffer, bytes.buffer])
  }

  /** Copies the sources to the shared memory, or to one buffer. The mails keep theirs, for the case that a thread ends. */
  #pack(mails: QueuedMail[]): Pick<MailsToParse, 'messages' | 'bytes'> {
    const { sources, held, jobs } = this.#options
    const messages: IncomingMail[] = []
    const passed: Uint8Array[] = []
    for (const mail of mails) {
      const { message, source, records } = mail
      const range = sources.add(message.id, source, message.size)
      if (range) mail.range = range
      else passed.push(...source)
      const isHeld = range !== undefined && message.envelope.remoteAddress !== '' && held.hasRoom()
      if (isHeld) mail.claim = jobs.newClaim()
      messages.push({ ...message, range, records, claim: mail.claim ?? null })
    }
    return { messages: JSON.stringify(messages), bytes: joinBytes(passed) }
  }

  async #notWritten({ message }: QueuedMail): Promise<false> {
    this.#options.sources.remove(message.id)
    return false
  }

  /** Waits until a mail is written, and begins its authentication. */
  async #written({ message, range, claim }: QueuedMail, authors: string | null): Promise<boolean> {
    const { writer, sources, held, jobs } = this.#options
    const { id } = message
    const result = await writer.settled<ClaimedAuthentication | true>(id).catch((error: unknown) => {
      sources.remove(id)
      throw error
    })
    if (typeof result === 'object') {
      held.hold(message, { range: range!, authors, isForwarded: result.isForwarded })
      jobs.run(result.job)
      return true
    }
    sources.remove(id)
    if (!result && claim) jobs.release(claim)
    return result
  }

  #knownResultsOf({ envelope }: AcceptedMessage, authors: string | null) {
    return authors !== null && this.#options.knownResults.find(resultsKey(envelope, authors)) || null
  }
}

const costOf = ({ message }: QueuedMail) => Math.max(message.size, minMailBytes)

/** The IP address of the client; for a mail that came over HTTP, its account. */
const clientOf = ({ envelope: { remoteAddress, recipients } }: AcceptedMessage) => remoteAddress || recipients[0]?.accountId || ''
