import { parentPort, workerData } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'
import { AccountHeldError, AppError, SourcesAwayError } from '../errors.ts'
import { writeTurnAt } from '../store/changes/write-turns.ts'
import { openDatabase } from '../store/database.ts'
import type { Database } from '../store/database.ts'
import { ClaimLost } from '../store/jobs/claims.ts'
import type { CommitWait } from '../store/shared-database.ts'
import { lowerPriority } from './worker-threads.ts'
import type { Receipt, ThreadRole, ThreadStart } from './worker-threads.ts'

/** The data and functions that a thread's work is given. */
export interface ThreadContext extends Pick<ThreadStart, 'data'> {
  db: Database
  /**
   * Runs the work on a message and reports its result; results of the same commit are reported together.
   * @param receivedAt the time of the message in milliseconds since 1970, 0 for none
   */
  settle(id: string, receivedAt: number, work: () => Promise<unknown>): Promise<void>
  /** Parses a mail, and measures the time. @param record gets the processor time of this thread */
  timed<Parsed>(parse: () => Parsed, record?: (cpuMs: number) => void): Parsed
  /** Reports that this thread is still working. */
  sendHeartbeat(): void
}

/** The work of a thread for one server. */
export interface ThreadWork<Message> {
  /** Called with each message. */
  work(message: Message): void
  /** Called when the work has to end; ends the waits of work under way. */
  closing?: () => void
}

/** Opens the work for a server. */
type OpenWork<Message> = (context: ThreadContext) => ThreadWork<Message>

/** Runs in a thread: works for one server at a time, until that closes it. Only tests reuse a thread for a further server. */
export function runThread<Message>(open: OpenWork<Message>): void {
  if (!(workerData as ThreadRole).isUrgent) lowerPriority(5)
  parentPort!.on('message', (message: ThreadStart | 'exit') => {
    if (message === 'exit') parentPort!.close()
    else void serve(message, open)
  })
}

/** Receives the messages of a server, and reports results to it. */
async function serve<Message>({ data, port }: ThreadStart, open: OpenWork<Message>): Promise<void> {
  const reports = new Reports(port)
  // the time is that of the messages, so that a test's clock applies here too
  let now = 0
  const clock = { now: () => now, at: () => () => {} }
  const db = await openDatabase(data.database, clock, { migrate: false, turn: writeTurnAt(data.writePlace), sources: data.sources })
  db.commits.on('committed', (topics) => reports.announce(topics))
  db.engine.shared?.recordCommits((wait) => reports.addCommit(wait))
  const { work, closing } = open({
    data,
    db,
    settle(id, receivedAt, run) {
      now = Math.max(now, receivedAt)
      return reports.settle(id, run)
    },
    timed: (parse, record) => reports.timed(parse, record),
    sendHeartbeat: () => reports.post(),
  })
  port.on('message', (message: Message | 'close') => {
    if (message !== 'close') work(message)
    else void close()
  })
  const close = async () => {
    closing?.()
    await reports.settled()
    await db.close()
    port.postMessage('closed')
    port.close()
  }
  parentPort!.postMessage('opened')
}

/** The results of a thread, which are reported together. @see ThreadContext */
class Reports {
  readonly #port: MessagePort
  /** The results that were not reported. */
  #receipt = emptyReceipt()
  /** Whether they are posted before the next messages are processed. */
  #isPosting = false
  /** The work that has not settled. */
  readonly #underWay = new Set<Promise<void>>()

  constructor(port: MessagePort) {
    this.#port = port
  }

  settle(id: string, run: () => Promise<unknown>): Promise<void> {
    const settled = this.#settleOne(id, run)
    this.#underWay.add(settled)
    return settled.finally(() => this.#underWay.delete(settled))
  }

  async #settleOne(id: string, run: () => Promise<unknown>) {
    try {
      const result = await run()
      if (result === undefined) this.#receipt.stored.push(id)
      else this.#receipt.results.push({ id, result })
    } catch (error) {
      const code = error instanceof AppError ? error.code : null
      this.#receipt.failed.push({
        id, code, isClaimLost: error instanceof ClaimLost, isAway: error instanceof SourcesAwayError,
        isHeld: error instanceof AccountHeldError, error: (error as Error).message,
      })
    }
    this.post()
  }

  timed<Parsed>(parse: () => Parsed, record?: (cpuMs: number) => void): Parsed {
    const [start, cpuStartMs] = [performance.now(), threadCpuMs()]
    const parsed = parse()
    this.#receipt.parseTimesMs.push(performance.now() - start)
    record?.(threadCpuMs() - cpuStartMs)
    return parsed
  }

  announce(topics: Set<string>): void {
    this.#receipt.topics.push(...topics)
    this.post()
  }

  /** Posted with the results of that commit. */
  addCommit(wait: CommitWait): void {
    (this.#receipt.commitWaits ??= []).push(wait)
  }

  post(): void {
    if (this.#isPosting) return
    this.#isPosting = true
    // before the next messages are processed, and after all work of this commit has settled
    process.nextTick(() => {
      this.#isPosting = false
      this.#port.postMessage(this.#receipt)
      this.#receipt = emptyReceipt()
    })
  }

  /** Resolves when all work has settled and is reported. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay)
    await new Promise(setImmediate) // the last receipt is posted in this turn
  }
}

/** Processor time of this thread, which other processes and threads do not change. Before Node 23.9, the time of the clock. */
function threadCpuMs(): number {
  const usage = (process as Partial<Pick<NodeJS.Process, 'threadCpuUsage'>>).threadCpuUsage?.()
  return usage ? (usage.user + usage.system) / 1000 : performance.now()
}

const emptyReceipt = (): Receipt => ({ stored: [], results: [], failed: [], topics: [], parseTimesMs: [] })
