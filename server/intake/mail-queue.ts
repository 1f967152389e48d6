import type { ClaimedAuthentication } from '../domain/publishing.ts'
import type { AcceptedMessage } from '../envelope.ts'
import { joinBytes } from '../line-endings.ts'
import type { ChangeRecords } from '../store/accounts/idempotency-keys.ts'
import type { Claim } from '../store/jobs/claims.ts'
import { FairQueue } from '../turns/fair-queue.ts'
import type { HeldMails, KnownResults } from './held-mails.ts'
import type { IncomingMail, MailWork, UnauthenticatedMail } from './mail-thread.ts'
import type { SharedRange, SharedSources } from './shared-sources.ts'
import type { Thread } from './thread.ts'

/** Maximum bytes and mails in a thread: the mail of another client waits for at most this much. */
const [maxBytes, maxMails] = [2 * 1024 * 1024, 128]
/**
 * Bytes in a thread from which on another one is used: it parses while the first waits for the disk. Below them, one commit for all mails
 * takes less time of the processor.
 */
export const minBatchBytes = 128 * 1024

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

interface MailThread {
  thread: Thread
  /** Mails under way in it, and their bytes. */
  mails: number
  bytes: number
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
  threads: Thread[]
  /** Whether a thread takes mail of this queue now. */
  mayUse?: (thread: Thread) => boolean
  sources: SharedSources
  held: HeldMails
  knownResults: KnownResults
  jobs: ClaimedJobs
}

/** Passes mail to the threads that parse and publish it; clients in rotation (docs/decisions/0012). */
export class MailQueue {
  readonly #options: Omit<MailQueueOptions, 'threads'>
  readonly #threads: MailThread[]
  readonly #waiting = new FairQueue<QueuedMail>()
  /** Whether batches are started in the next turn of the event loop. */
  #isPlanned = false

  constructor({ threads, ...options }: MailQueueOptions) {
    this.#options = options
    this.#threads = threads.map((thread) => ({ thread, mails: 0, bytes: 0 }))
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
    return this.#threads.some(({ mails }) => mails > 0)
  }

  #planBatches() {
    if (this.#isPlanned || this.#waiting.size === 0 || !this.#freeThread()) return
    this.#isPlanned = true
    setImmediate(() => this.#startBatches()) // in the next turn, so that mails that end in the same turn are passed on together
  }

  /**
   * Chooses a thread that has not reached its limits.
   * @returns the first one with fewer than `minBatchBytes`, otherwise the one with the fewest bytes; undefined when there is none
   */
  #freeThread(): MailThread | undefined {
    const { mayUse = () => true } = this.#options
    const free = this.#threads.filter((each) => hasRoom(each) && mayUse(each.thread))
    return free.find(({ bytes }) => bytes < minBatchBytes) ?? free.sort((a, b) => a.bytes - b.bytes)[0]
  }

  #startBatches() {
    this.#isPlanned = false
    for (let thread = this.#freeThread(); thread && this.#waiting.size > 0; thread = this.#freeThread()) this.#startBatch(thread)
  }

  #startBatch(to: MailThread) {
    const mails: QueuedMail[] = []
    while (this.#waiting.size > 0 && hasRoom(to)) {
      const mail = this.#waiting.shift()!
      to.mails++
      to.bytes += mail.message.size
      mails.push(mail)
      void this.#published(mail, to.thread).finally(() => {
        to.mails--
        to.bytes -= mail.message.size
        this.#planBatches()
      }).then(mail.resolve, mail.reject)
    }
    const work = this.#pack(mails)
    to.thread.post(work, [work.bytes.buffer])
  }

  /** Copies the sources to the shared memory, or to one buffer. The mails keep theirs, for the case that a thread ends. */
  #pack(mails: QueuedMail[]): Extract<MailWork, { kind: 'publish' }> {
    const { sources, held, knownResults, jobs } = this.#options
    const messages: IncomingMail[] = []
    const passed: Uint8Array[] = []
    for (const mail of mails) {
      const { message, source, records } = mail
      const range = sources.add(message.id, source, message.size)
      if (range) mail.range = range
      else passed.push(...source)
      const isHeld = range !== undefined && message.envelope.remoteAddress !== '' && held.hasRoom()
      if (isHeld) mail.claim = jobs.newClaim()
      messages.push({ ...message, range, records, claim: mail.claim, known: knownResults.find(message.envelope) })
    }
    return { kind: 'publish', messages: JSON.stringify(messages), bytes: joinBytes(passed) }
  }

  /** Waits until a mail is published, and begins its authentication. */
  async #published(mail: QueuedMail, thread: Thread): Promise<boolean> {
    const { sources, held, jobs } = this.#options
    const { message } = mail
    const result = await thread.settled<UnauthenticatedMail | 'declined' | true>(message.id).catch((error: unknown) => {
      sources.remove(message.id)
      throw error
    })
    if (typeof result === 'object') {
      held.hold(message, { range: mail.range!, authors: result.authors, isForwarded: result.isForwarded })
      jobs.run(result.job)
      return true
    }
    sources.remove(message.id)
    if (result === false) {
      thread.post({ kind: 'charge', message } satisfies MailWork) // this mail may be why the thread has ended
      if (mail.claim) jobs.release(mail.claim)
    }
    return result === true
  }
}

const hasRoom = ({ mails, bytes }: MailThread) => mails < maxMails && bytes < maxBytes

/** The IP address of the client; for a mail that came over HTTP, its account. */
const clientOf = ({ envelope: { remoteAddress, recipients } }: AcceptedMessage) => remoteAddress || recipients[0]?.accountId || ''
