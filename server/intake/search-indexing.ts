import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { waitAtMost } from '../deadline.ts'
import { openCommitRate } from '../store/changes/group-commit.ts'
import type { Database } from '../store/database.ts'
import type { Owner } from '../store/schema/values.ts'
import { countPending, hasPending, hasPendingOf, maxAttempts } from '../store/search/search-pending.ts'
import type { IndexRequest } from '../store/search/search-pending.ts'
import type { IndexStep } from './index-thread.ts'
import type { Thread } from './thread.ts'

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

export interface Indexing {
  /** Resolves when all present mails of the owner are in the index, or after five seconds. */
  catchUp(owner: Owner): Promise<void>
  close(): Promise<void>
}

/** Has a thread index new mails: at once while the server is idle, a few at a time under load. */
export function keepIndexed(db: Database, thread: Thread, log: Logger): Indexing {
  const commitRate = openCommitRate()
  const catchingUp = new Map<string, Promise<void>>()
  let checkSoon: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let isClosed = false
  let hasFailed = false
  let steps = 0
  let knownGivenUp = 0

  /** @returns how many mails were indexed; 0 also after a failure, and the next check tries again */
  async function runStep(request: IndexRequest): Promise<number> {
    const id = String(++steps)
    thread.post({ id, ...request } satisfies IndexStep)
    try {
      const indexed = await thread.settled<number>(id)
      if (indexed === false) await reportGivenUp()
      hasFailed = false
      return indexed || 0
    } catch (error) {
      if (!hasFailed) log.error({ err: error }, 'mails cannot be indexed for the search')
      hasFailed = true
      return 0
    }
  }

  async function reportGivenUp() {
    const { givenUp } = await countPending(db)
    if (givenUp > knownGivenUp) {
      log.error({ mails: givenUp }, `mails are left out of the search: each ended the thread that indexes it ${maxAttempts} times`)
    }
    knownGivenUp = givenUp
  }

  async function indexPending() {
    while (!isClosed && await hasPending(db) && await runStep({ limit: commitRate.isHigh() ? maxMailsUnderLoad : maxMails }) > 0) {
      if (commitRate.isHigh()) return
    }
  }

  const checkPending = () => {
    if (isClosed) return
    running ??= indexPending()
      .catch((error: unknown) => log.error({ err: error }, 'cannot find mails to index'))
      .finally(() => { running = undefined })
  }

  async function catchUp(owner: Owner) {
    const until = performance.now() + catchUpTimeoutMs
    const untilOthers = db.engine.shared ? performance.now() + othersTimeoutMs : 0
    // a step waits for the one in progress, which may index mails of the owner as well
    while (!isClosed && performance.now() < until && await hasPendingOf(db, owner)) {
      if (await runStep({ limit: maxMails, owner }) > 0) continue
      if (performance.now() >= untilOthers) return
      await sleep(othersCheckMs)
    }
  }

  const recordCommit = (_topics: Set<string>, isOfOtherNode = false) => {
    if (isOfOtherNode) return // its node indexes its mails
    commitRate.recordCommit()
    checkSoon ??= setTimeout(() => {
      checkSoon = undefined
      if (!commitRate.isHigh()) checkPending()
    }, indexDelayMs).unref()
  }
  db.commits.on('committed', recordCommit)
  const checking = setInterval(checkPending, checkMs).unref()
  void reportGivenUp().catch((error: unknown) => log.error({ err: error }, 'cannot count the mails that are left out of the search'))

  return {
    async catchUp(owner) {
      if (!await hasPendingOf(db, owner)) return
      const name = `${owner.accountId}/${owner.mode}`
      let shared = catchingUp.get(name)
      if (!shared) {
        shared = catchUp(owner).finally(() => catchingUp.delete(name))
        catchingUp.set(name, shared)
      }
      await waitAtMost(catchUpTimeoutMs, shared)
    },
    async close() {
      isClosed = true
      clearTimeout(checkSoon)
      clearInterval(checking)
      db.commits.off('committed', recordCommit)
      await Promise.all([running, ...catchingUp.values()])
    },
  }
}
