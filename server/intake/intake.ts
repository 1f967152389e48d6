import type { Transferable } from 'node:worker_threads'
import type { Logger } from 'pino'
import type { Intake } from '../context.ts'
import type { AuthenticatedMail } from '../outbound/mail-authentication.ts'
import type { Database } from '../store/database.ts'
import type { DatabaseFile } from '../store/engine.ts'
import type { Claim } from '../store/jobs/claims.ts'
import { FairDispatcher } from '../turns/fair-queue.ts'
import type { MailsToAuthenticate, MailToAuthenticate } from './authentication-thread.ts'
import { openHeldMails, openKnownResults } from './held-mails.ts'
import type { LongMail } from './long-thread.ts'
import { MailQueue } from './mail-queue.ts'
import type { ClaimedJobs } from './mail-queue.ts'
import { SearchIndexer } from './search-indexing.ts'
import { SearchQueue } from './search-queue.ts'
import { openSharedSources } from './shared-sources.ts'
import type { StorageWork } from './storage-thread.ts'
import { IntakeThread } from './thread.ts'
import type { Thread, ThreadOptions } from './thread.ts'
import type { AuthenticationsToWrite, AuthenticationToWrite } from './write-thread.ts'

/** Limits of a thread that parses, authenticates or indexes one mail. */
export interface IntakeLimits {
  timeoutMs: number
  maxHeapMegabytes: number
}

export const intakeLimits: IntakeLimits = { timeoutMs: 10_000, maxHeapMegabytes: 512 }

/** Time that an idle thread is kept. Longer where a thread starts slowly, or caches DNS answers. */
const maxIdleMs = { parse: 30_000, long: 3_000, authentication: 30_000, index: 30_000, storage: 30_000 }

/** Delay of authentications while mail pours in: the senders of that mail wait, those of the authentications do not. */
const delayUnderLoadMs = 250

/** Maximum bytes of a mail that never waits for a longer one to be parsed. The parser can take 100 ms for a longer mail. */
const maxSmallBytes = 65_536

type IntakeOptions = Pick<ThreadOptions, 'threads' | 'settings' | 'writeTurns' | 'log' | 'announce' | 'mailParsed'>

/**
 * Threads for work that would block HTTP and SMTP in the main thread. Some parse mail, while its senders wait: small mail in threads of
 * its own. One writes all of this mail, in shared commits. One writes the chunks of long mail while it arrives, composes and stores long
 * mail that is sent, and makes checkpoints; one parses long mail afterwards. One authenticates mail, one keeps the search index.
 */
function newIntakeThreads(options: IntakeOptions, limits: IntakeLimits, parseThreads: number, sharedSources: SharedArrayBuffer) {
  const newParser = (isKept: boolean) => new IntakeThread({
    ...options, ...limits, writeTurns: undefined, script: 'parse-thread', sharedSources, ...!isKept && { maxIdleMs: maxIdleMs.parse },
  })
  return {
    writer: new IntakeThread({ ...options, ...intakeLimits, script: 'write-thread', sharedSources, isUrgent: true }),
    small: Array.from({ length: parseThreads }, (_, i) => newParser(i === 0)),
    medium: Array.from({ length: parseThreads }, () => newParser(false)),
    long: new IntakeThread({ ...options, ...limits, script: 'long-thread', maxIdleMs: maxIdleMs.long }),
    authentication: new IntakeThread({
      ...options, ...limits, script: 'authentication-thread', sharedSources, maxIdleMs: maxIdleMs.authentication,
    }),
    index: new IntakeThread({ ...options, ...limits, script: 'index-thread', maxIdleMs: maxIdleMs.index }),
    storage: new IntakeThread({ ...options, ...intakeLimits, script: 'storage-thread', maxIdleMs: maxIdleMs.storage }),
  }
}

/** Opens the queues to the threads. @see newIntakeThreads */
export function openIntake(
  db: Database, options: IntakeOptions, limits: IntakeLimits, parseThreads: number, jobs: ClaimedJobs,
): Intake & { close(): Promise<void> } {
  const sources = openSharedSources()
  const parseTimes = new ParseTimes(options.mailParsed)
  const mailParsed = (parseMs: number) => parseTimes.add(parseMs)
  const held = openHeldMails(sources)
  const knownResults = openKnownResults()
  const threads = newIntakeThreads({ ...options, mailParsed }, limits, parseThreads, sources.memory)
  const { writer, small, medium, long, authentication } = threads
  const indexer = new SearchIndexer(db, threads.index, options.log)
  const searches = new SearchQueue(db, threads.index)
  const storage = new StorageQueue(threads.storage)
  const { file } = db.engine
  const endCheckpoints = file ? runCheckpointLoop(file, threads.storage, options.log) : async () => {}
  const smallMail = new MailQueue({ parsers: small, writer, sources, held, knownResults, jobs })
  const mediumMail = new MailQueue({ parsers: medium, writer, sources, held, knownResults, jobs })
  // mails of jobs that are claimed together are passed on in one message, and so are their results
  const authenticateSoon = batched<MailToAuthenticate>((mails) => {
    authentication.post({ mails } satisfies MailsToAuthenticate)
  }, () => smallMail.isBusy() || mediumMail.isBusy() ? delayUnderLoadMs : 0)
  const writeSoon = batched<AuthenticationToWrite>((authentications) => {
    writer.post({ kind: 'authenticated', authentications, now: db.now() } satisfies AuthenticationsToWrite)
  })

  return {
    prepare() {
      small[0]!.start()
      writer.start()
    },
    async warmUp() {
      const id = db.newId()
      const source = Buffer.from(warmUpMail)
      parseTimes.skipNext()
      const recipient = { addressId: db.newId(), emailId: db.newId(), address: '' }
      const envelope = { sender: '', recipients: [recipient], remoteAddress: '', helo: '', tls: false }
      await smallMail.store({ id, receivedAt: db.now(), size: source.length, envelope }, [source])
    },
    store: (message, source, records) => (message.size <= maxSmallBytes ? smallMail : mediumMail).store(message, source, records),
    storeFirstChunk: (sender, chunk, now) => storage.run(sender, { kind: 'first-chunk', chunk, now }, [chunk.bytes.buffer]),
    async storeChunk(sender, chunk) {
      await storage.run(sender, { kind: 'chunk', chunk }, [chunk.bytes.buffer])
    },
    async acceptStored(sender, mail, now) {
      await storage.run(sender, { kind: 'accept', mail, now })
    },
    compose: (accountId, mail) => storage.run(accountId, { kind: 'compose', mail }),
    storeComposed: (accountId, mail, now) => storage.run(accountId, { kind: 'store-composed', mail, now }),
    publish(message, problem, claim) {
      long.post({ message, problem, claim: toClaim(claim) } satisfies LongMail)
      return long.settled(message.id)
    },
    async authenticate(messageId) {
      const found = held.find(messageId)
      authenticateSoon({ messageId, held: found })
      const authenticated = await authentication.settled<AuthenticatedMail>(messageId).finally(() => held.release(messageId))
      if (found?.resultsKey && authenticated && authenticated.results) knownResults.add(found.resultsKey, authenticated.results)
      return authenticated
    },
    async completeAuthentication(claim, messageId, { results, arc }) {
      writeSoon({ claim: toClaim(claim), messageId, results, arc })
      if (!await writer.settled(claim.id)) throw new Error('the thread that writes mail ended')
    },
    async search(owner, query, filter) {
      await indexer.catchUp(owner)
      return searches.search(owner, query, filter)
    },
    async close() {
      await Promise.all([indexer.close(), endCheckpoints()])
      await Promise.all([...small, ...medium, long, threads.storage, authentication, threads.index].map((thread) => thread.close()))
      await writer.close() // after those whose mail it writes
    },
  }
}

/** The parse times of mails, without that of the warm-up. */
class ParseTimes {
  readonly #record: (parseMs: number) => void
  #skipsNext = false

  constructor(record: (parseMs: number) => void) {
    this.#record = record
  }

  skipNext(): void {
    this.#skipsNext = true
  }

  add(parseMs: number): void {
    if (!this.#skipsNext) this.#record(parseMs)
    this.#skipsNext = false
  }
}

/** With what most mails have, so that their code is loaded and compiled: parts, a link, a code, other letters than ASCII. */
const warmUpMail = [
  'From: =?utf-8?q?Caf=C3=A9?= <a@b.example>', 'Subject: Your code is 482913', 'MIME-Version: 1.0', 'Message-ID: <a@b.example>',
  'Content-Type: multipart/alternative; boundary=x', '', '--x', 'Content-Type: text/plain; charset=utf-8',
  'Content-Transfer-Encoding: quoted-printable', '', 'Your code is 482913. Caf=C3=A9: https://b.example/verify?token=1', '--x',
  'Content-Type: text/html; charset=utf-8', '', '<style>.a{color:#06c}</style><p class=a>Your code is <b>482913</b>.</p>',
  '<table><tr><td><a href="https://b.example/verify?token=1" style="padding:9px">Verify</a></td></tr></table>', '--x--', '',
].join('\r\n')

/** A claim without the other members of its job, which would be copied to the thread. */
const toClaim = ({ id, claimedBy, attempts }: Claim): Claim => ({ id, claimedBy, attempts })

/** Collects the items of a turn of the event loop, or of a time. @param delayMs returns the time; 0 for the turn */
function batched<Item>(flush: (items: Item[]) => void, delayMs = () => 0): (item: Item) => void {
  let items: Item[] = []
  const flushAll = () => {
    const collected = items
    items = []
    flush(collected)
  }
  return (item) => {
    if (items.push(item) > 1) return
    const waitMs = delayMs()
    if (waitMs > 0) setTimeout(flushAll, waitMs)
    else setImmediate(flushAll)
  }
}

/** Interval of the checks of the write-ahead log. */
const checkMs = 100

/**
 * Has a thread checkpoint the write-ahead log. A checkpoint takes tens of milliseconds, so it runs in a thread for which neither
 * senders of mail in memory nor callers of the API wait.
 * @returns a function that stops this
 */
function runCheckpointLoop(file: DatabaseFile, thread: Thread, log: Logger): () => Promise<void> {
  let running: Promise<void> | undefined
  let checkpoints = 0
  let isDue = false

  async function checkpoint() {
    const id = `checkpoint ${++checkpoints}`
    const settled = thread.settled(id)
    thread.post({ id, kind: 'checkpoint' } satisfies StorageWork & { id: string })
    await settled
  }

  const checkLog = () => {
    if (running) return
    isDue ||= file.takeCheckpointTurn()
    if (!isDue) return
    running = checkpoint()
      // a full disk can be the reason: no data is lost, and the next check tries again
      .then(() => { isDue = false }, (error: unknown) => log.debug({ err: error }, 'the checkpoint has failed'))
      .finally(() => { running = undefined })
  }
  const checking = setInterval(checkLog, checkMs).unref()
  return async () => {
    clearInterval(checking)
    await running
  }
}

/** Maximum requests in the thread at once, which bounds the commits that other threads wait for. */
const maxUnderWay = 2

/** Passes the work on long mail to the thread that stores it, senders in rotation. */
class StorageQueue {
  readonly #thread: Thread
  readonly #waiting = new FairDispatcher<() => Promise<void>>({
    isFull: () => this.#underWay >= maxUnderWay,
    start: (request) => {
      this.#underWay++
      void request().finally(() => {
        this.#underWay--
        this.#waiting.startNext()
      })
    },
  })
  /** Number of requests in the thread. */
  #underWay = 0
  /** Number of all requests, for their ids. */
  #requests = 0

  constructor(thread: Thread) {
    this.#thread = thread
  }

  /**
   * Has the storage thread do some work when the rotation reaches its sender.
   * @returns the result of the work, or true when it has none
   * @throws AppError `STORAGE_FULL`
   */
  run<Result = true>(sender: string, work: StorageWork, transfer: Transferable[] = []): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push(sender, () => this.#runInThread<Result>(work, transfer).then(resolve, reject))
    })
  }

  async #runInThread<Result>(work: StorageWork, transfer: Transferable[]): Promise<Result> {
    const id = `${work.kind}/${++this.#requests}`
    const settled = this.#thread.settled<Result>(id)
    this.#thread.post({ ...work, id }, transfer)
    const result = await settled
    if (result === false) throw new Error('the thread that stores long mail ended')
    return result
  }
}
