import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { waitAtMost } from '../deadline.ts'
import { openCommitRate } from '../store/changes/group-commit.ts'
import type { Database } from '../store/database.ts'

import { countPending, hasPending, hasPendingOf, maxAttempts } from '../store/search/search-pending.ts'
import type { IndexRequest } from '../store/search/search-pending.ts'
import type { BackgroundWork } from './background-thread.ts'
import type { Thread } from './thread.ts'
import type { Tenant } from '../store/schema/values.ts'

/** Delay from a commit to the indexing of its mails. */
const indexDelayMs = 10
/** Interval of the checks under load, and for mails whose commit was not announced. */
const checkMs = 200
/** Maximum mails per step: idle, and under load. */
const [maxMails, maxMailsUnderLoad] = [64, 4]
/** Maximum time that a search waits for the mails of its account. */
const catchUpTimeoutMs = 5_000
/** Maximum time that it waits for those that another process is indexing, which may have ended, and the interval of its checks. */
const [othersTimeoutMs, othersCheckMs] = [1_000, 20]

/** Has a thread index new mails: at once while the server is idle, a few at a time under load. */
export class SearchIndexer {
  readonly #db: Database
  readonly #thread: Thread
  readonly #log: Logger
  readonly #commitRate = openCommitRate()
  /** Set from a commit to the indexing of its mails. */
  #checkSoon: NodeJS.Timeout | undefined = undefined
  readonly #checking: NodeJS.Timeout
  /** The check in progress. */
  #running: Promise<void> | undefined = undefined
  /** By account and mode, for the searches that wait for the same mails. */
  readonly #catchingUp = new Map<string, Promise<void>>()
  /** Number of steps, for their ids. */
  #steps = 0
  /** Whether the last step has failed, which is logged once. */
  #hasFailed = false
  /** Mails that are left out of the index, as it was logged last. */
  #knownGivenUp = 0
  #isClosed = false

  constructor(db: Database, thread: Thread, log: Logger) {
    this.#db = db
    this.#thread = thread
    this.#log = log
    db.commits.on('committed', this.#recordCommit)
    this.#checking = setInterval(() => this.#checkPending(), checkMs).unref()
    void this.#reportGivenUp().catch((error: unknown) => log.error({ err: error }, 'cannot count the mails that are left out of the search'))
  }

  readonly #recordCommit = (_topics: Set<string>, isOfOtherNode = false) => {
    if (isOfOtherNode) return // its node indexes its mails
    this.#commitRate.recordCommit()
    this.#checkSoon ??= setTimeout(() => {
      this.#checkSoon = undefined
      if (!this.#commitRate.isHigh()) this.#checkPending()
    }, indexDelayMs).unref()
  }

  #checkPending() {
    if (this.#isClosed) return
    this.#running ??= this.#indexPending()
      .catch((error: unknown) => this.#log.error({ err: error }, 'cannot find mails to index'))
      .finally(() => { this.#running = undefined })
  }

  async #indexPending() {
    const limit = () => this.#commitRate.isHigh() ? maxMailsUnderLoad : maxMails
    while (!this.#isClosed && await hasPending(this.#db) && await this.#runStep({ limit: limit() }) > 0) {
      if (this.#commitRate.isHigh()) return
    }
  }

  /** @returns how many mails were indexed; 0 also after a failure, and the next check tries again */
  async #runStep(request: IndexRequest): Promise<number> {
    const id = `index/${++this.#steps}`
    this.#thread.post({ id, kind: 'index', request } satisfies BackgroundWork & { id: string })
    try {
      const indexed = await this.#thread.settled<number>(id)
      if (indexed === false) await this.#reportGivenUp()
      this.#hasFailed = false
      return indexed || 0
    } catch (error) {
      if (!this.#hasFailed) this.#log.error({ err: error }, 'mails cannot be indexed for the search')
      this.#hasFailed = true
      return 0
    }
  }

  async #reportGivenUp() {
    const { givenUp } = await countPending(this.#db)
    if (givenUp > this.#knownGivenUp) {
      this.#log.error({ mails: givenUp }, `mails are left out of the search: each ended the thread that indexes it ${maxAttempts} times`)
    }
    this.#knownGivenUp = givenUp
  }

  /** Resolves when all present mails of the owner are in the index, or after five seconds. */
  async catchUp(owner: Tenant): Promise<void> {
    if (!await hasPendingOf(this.#db, owner)) return
    const name = `${owner.accountId}/${owner.mode}`
    let shared = this.#catchingUp.get(name)
    if (!shared) {
      shared = this.#indexPendingOf(owner).finally(() => this.#catchingUp.delete(name))
      this.#catchingUp.set(name, shared)
    }
    await waitAtMost(catchUpTimeoutMs, shared)
  }

  async #indexPendingOf(owner: Tenant) {
    const until = performance.now() + catchUpTimeoutMs
    const untilOthers = this.#db.engine.shared ? performance.now() + othersTimeoutMs : 0
    // a step waits for the one in progress, which may index mails of the owner as well
    while (!this.#isClosed && performance.now() < until && await hasPendingOf(this.#db, owner)) {
      if (await this.#runStep({ limit: maxMails, owner }) > 0) continue
      if (performance.now() >= untilOthers) return
      await sleep(othersCheckMs)
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#checkSoon)
    clearInterval(this.#checking)
    this.#db.commits.off('committed', this.#recordCommit)
    await Promise.all([this.#running, ...this.#catchingUp.values()])
  }
}
