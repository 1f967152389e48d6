import type { Logger } from 'pino'
import type { Authentication, EmailChecks } from '../contract/types.gen.ts'
import type { Intake } from '../context.ts'
import type { Database } from '../store/database.ts'
import type { DatabaseFile } from '../store/engine.ts'
import type { Claim } from '../store/jobs/claims.ts'
import { hasPendingOf } from '../store/search/search-pending.ts'
import { compareSome, isCompared, searchIndex, searchInSteps } from '../store/search/search.ts'
import type { BackgroundWork } from './background-thread.ts'
import { openHeldMails, openKnownResults } from './held-mails.ts'
import type { MailToAuthenticate } from './mail-checks.ts'
import { MailQueue } from './mail-queue.ts'
import type { ClaimedJobs } from './mail-queue.ts'
import type { MailWork } from './mail-thread.ts'
import { SearchIndexer } from './search-indexing.ts'
import { openSharedSources } from './shared-sources.ts'
import { ThreadQueue } from './thread-queue.ts'
import { IntakeThread } from './thread.ts'
import type { Thread, ThreadOptions } from './thread.ts'

/** Limits of a thread that parses a mail. */
export interface IntakeLimits {
  timeoutMs: number
  maxHeapMegabytes: number
}

export const intakeLimits: IntakeLimits = { timeoutMs: 10_000, maxHeapMegabytes: 512 }

/** Time without work after which a thread ends: the thread that parses long mail ends sooner, to free its buffer of up to 25 MB. */
const [maxIdleMs, maxIdleMsOfLong] = [30_000, 3_000]

/** Delay of authentications while mail pours in: the senders of that mail wait, those of the authentications do not. */
const delayUnderLoadMs = 250

/** Maximum bytes of a mail that never waits for a longer one to be parsed. The parser can take 100 ms for a longer mail. */
const maxSmallBytes = 65_536

type IntakeOptions = Pick<ThreadOptions, 'threads' | 'settings' | 'writeTurns' | 'log' | 'announce' | 'mailParsed' | 'commitWaited' | 'storeCalled'>
type IntakeThreadOptions = IntakeOptions & Pick<ThreadOptions, 'sharedSources'>

/** Maximum requests of long mail in their thread at once, which bounds the commits that other threads wait for. */
const maxStoring = 2

/**
 * Threads of two kinds, for work that would block HTTP and SMTP in the main thread. Mail threads parse and publish mail in memory, while
 * its senders wait; small mail has some of its own, and the other one authenticates all mail. Background threads do what takes long: one
 * parses long mail, and checks mail on request; the other writes the chunks of long mail while it arrives, composes long mail that is
 * sent, keeps the search index, searches SQLite, and makes checkpoints.
 */
function newIntakeThreads(options: IntakeThreadOptions, limits: IntakeLimits, smallMailThreads: number) {
  const open = (script: ThreadOptions['script'], own: Partial<ThreadOptions>) =>
    new IntakeThread({ ...options, ...limits, script, isUrgent: false, maxIdleMs, ...own })
  const small = Array.from({ length: smallMailThreads }, (_, i) =>
    open('mail-thread', { isUrgent: true, maxIdleMs: i === 0 ? undefined : maxIdleMs }))
  return {
    small,
    otherMail: open('mail-thread', {}),
    long: open('background-thread', { maxIdleMs: maxIdleMsOfLong }),
    background: open('background-thread', intakeLimits),
  }
}

/** Opens the queues to the threads. @see newIntakeThreads */
export function openIntake(
  db: Database, options: IntakeOptions, limits: IntakeLimits, smallMailThreads: number, jobs: ClaimedJobs,
): Intake & { close(): Promise<void> } {
  const sources = openSharedSources()
  const parseTimes = new ParseTimes(options.mailParsed)
  const mailParsed = (parseMs: number) => parseTimes.add(parseMs)
  const held = openHeldMails(sources)
  const knownResults = openKnownResults()
  const threads = newIntakeThreads({ ...options, mailParsed, sharedSources: sources.memory }, limits, smallMailThreads)
  const { small, otherMail, long, background } = threads
  const indexer = new SearchIndexer(db, background, options.log)
  const searches = new ThreadQueue(background, 1)
  const storage = new ThreadQueue(background, maxStoring)
  const checks = new ThreadQueue(long, 1)
  const { file } = db.engine
  const endCheckpoints = file ? runCheckpointLoop(file, background, options.log) : async () => {}
  const mediumMail = new MailQueue({ threads: [otherMail], sources, held, knownResults, jobs })
  const smallMail = new MailQueue({
    threads: [...small, otherMail], mayUse: (thread) => thread !== otherMail || !mediumMail.isBusy(), sources, held, knownResults, jobs,
  })
  // mails of jobs that are claimed together are passed on in one message, and their results share a commit
  const authenticateSoon = batched<MailToAuthenticate>((mails) => {
    otherMail.post({ kind: 'authenticate', mails, now: db.now() } satisfies MailWork)
  }, () => smallMail.isBusy() || mediumMail.isBusy() ? delayUnderLoadMs : 0)

  return {
    prepare() {
      small[0]!.start()
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
      const work: BackgroundWork = { kind: 'publish', mail: { message, problem, claim: toClaim(claim) }, now: message.receivedAt }
      long.post({ ...work, id: message.id })
      return long.settled(message.id)
    },
    async authenticate(claim, messageId) {
      const found = held.find(messageId)
      authenticateSoon({ messageId, claim: toClaim(claim), held: found })
      const results = await otherMail.settled<Authentication | true>(claim.id).finally(() => held.release(messageId))
      if (found && typeof found.source === 'string' && typeof results === 'object') {
        knownResults.add(found.envelope, { authors: found.source, results })
      }
      return results !== false
    },
    async isIndexed(owner) {
      await indexer.catchUp(owner)
      return !await hasPendingOf(db, owner, { countsGivenUp: true })
    },
    async search(owner, query, filter) {
      await indexer.catchUp(owner)
      const { accountId, mode, bound } = owner
      const search = { owner: { accountId, mode, bound }, query, filter }
      const isInThread = !db.engine.shared // PostgreSQL searches by itself
      if (!isCompared(search)) return isInThread ? searches.run(accountId, { kind: 'search', search }) : searchIndex(db, search)
      return searchInSteps(search, (before) =>
        isInThread ? searches.run(accountId, { kind: 'compare', search, before }) : compareSome(db, search, before))
    },
    check: async ({ accountId, mode, bound }, emailId) =>
      await checks.run<EmailChecks | null>(accountId, { kind: 'check', owner: { accountId, mode, bound }, emailId }) ?? undefined,
    async close() {
      await Promise.all([indexer.close(), endCheckpoints()])
      await Promise.all([...small, otherMail, long, background].map((thread) => thread.close()))
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
function batched<Item>(flush: (items: Item[]) => void, delayMs: () => number): (item: Item) => void {
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
    thread.post({ id, kind: 'checkpoint' } satisfies BackgroundWork & { id: string })
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
