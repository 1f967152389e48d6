import { parentPort, workerData } from 'node:worker_threads'
import { AppError } from '../errors.ts'
import { openDatabase } from '../store/database.ts'
import type { Database } from '../store/database.ts'
import { writeTurnAt } from '../store/changes/write-turns.ts'
import type { Receipt, ThreadData } from './thread.ts'

/** The functions that a thread's work is given. */
export interface ThreadContext {
  db: Database
  /** Runs the work on a message and reports its result; results of one commit are reported together. */
  settle(id: string, receivedAt: number, work: () => Promise<unknown>): Promise<void>
  /** Parses a mail, and measures the time. */
  timed<Parsed>(parse: () => Parsed, record?: (parseMs: number) => void): Parsed
  /** Reports that a message was not stored. */
  decline(id: string): void
  /** Reports that this thread is still working. */
  sendHeartbeat(): void
}

/**
 * Runs in a thread: opens connections to the database, and passes messages of the main thread to `work`.
 * @param closing called when the thread has to end; ends the waits of running work
 */
export async function runThread<Message>(
  work: (message: Message, context: ThreadContext) => void, closing = () => {},
): Promise<void> {
  // the time is that of the messages, so that a test's clock applies here too
  let now = 0
  const { database, writePlace } = workerData as ThreadData
  const clock = { now: () => now, at: () => () => {} }
  const db = await openDatabase(database, clock, { migrate: false, turn: writeTurnAt(writePlace) })
  let receipt = emptyReceipt()
  let isPosting = false
  const underWay = new Set<Promise<void>>()

  const postReceipt = () => {
    if (isPosting) return
    isPosting = true
    // before the next messages are processed, and after all work of this commit has settled
    process.nextTick(() => {
      isPosting = false
      parentPort!.postMessage(receipt)
      receipt = emptyReceipt()
    })
  }
  db.commits.on('committed', (topics) => {
    receipt.topics.push(...topics)
    postReceipt()
  })

  const settle: ThreadContext['settle'] = (id, receivedAt, run) => {
    const settled = settleOne(id, receivedAt, run)
    underWay.add(settled)
    return settled.finally(() => underWay.delete(settled))
  }
  const settleOne: ThreadContext['settle'] = async (id, receivedAt, run) => {
    now = Math.max(now, receivedAt)
    try {
      const result = await run()
      if (result === undefined) receipt.stored.push(id)
      else receipt.results.push({ id, result })
    } catch (error) {
      receipt.failed.push({ id, code: error instanceof AppError ? error.code : null, error: (error as Error).message })
    }
    postReceipt()
  }
  const timed: ThreadContext['timed'] = (parse, record) => {
    const start = performance.now()
    const parsed = parse()
    const parseMs = performance.now() - start
    receipt.parseTimesMs.push(parseMs)
    record?.(parseMs)
    return parsed
  }
  const decline = (id: string) => {
    receipt.declined.push(id)
    postReceipt()
  }
  parentPort!.on('message', (message: Message | 'close') => {
    if (message !== 'close') work(message, { db, settle, timed, decline, sendHeartbeat: postReceipt })
    else void close()
  })
  const close = async () => {
    closing()
    await Promise.all(underWay)
    await new Promise(setImmediate) // the last receipt is posted in this turn
    await db.close()
    parentPort!.close()
  }
  postReceipt() // reports that this thread is ready
}

const emptyReceipt = (): Receipt => ({ stored: [], declined: [], results: [], failed: [], topics: [], parseTimesMs: [] })
