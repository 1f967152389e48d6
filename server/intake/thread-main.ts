import { parentPort } from 'node:worker_threads'
import type { Transferable } from 'node:worker_threads'
import { AppError } from '../errors.ts'
import type { Receipt } from './thread.ts'

/** The functions that a thread's work is given. */
export interface ThreadContext {
  /** Runs the work on a message and reports its result; results of the same turn of the event loop are reported together. */
  settle(id: string, work: () => Promise<unknown>): Promise<void>
  /** Reports a result, and transfers buffers of it. */
  reply(id: string, result: unknown, transfer: Transferable[]): void
  /** Parses a mail, and measures the time. */
  timed<Parsed>(parse: () => Parsed, record?: (parseMs: number) => void): Parsed
  /** Reports topics that a commit has announced. */
  announce(topics: Set<string>): void
  /** Reports that this thread is still working. */
  sendHeartbeat(): void
}

/** The end of a thread. */
export interface ThreadEnd {
  /** Called when the thread has to end; ends the waits of running work. */
  closing?: () => void
  /** Called when all work has settled. */
  closed?: () => Promise<void>
}

/**
 * Runs in a thread: receives messages of the main thread.
 * @param open called once; returns the function that is given each message
 */
export function runThread<Message>(
  open: (context: ThreadContext) => (message: Message) => void, { closing, closed }: ThreadEnd = {},
): void {
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
  const settleOne = async (id: string, run: () => Promise<unknown>) => {
    try {
      const result = await run()
      if (result === undefined) receipt.stored.push(id)
      else receipt.results.push({ id, result })
    } catch (error) {
      receipt.failed.push({ id, code: error instanceof AppError ? error.code : null, error: (error as Error).message })
    }
    postReceipt()
  }
  const work = open({
    settle(id, run) {
      const settled = settleOne(id, run)
      underWay.add(settled)
      return settled.finally(() => underWay.delete(settled))
    },
    reply(id, result, transfer) {
      parentPort!.postMessage({ ...receipt, results: [...receipt.results, { id, result }] } satisfies Receipt, transfer)
      receipt = emptyReceipt()
    },
    timed(parse, record) {
      const start = performance.now()
      const parsed = parse()
      const parseMs = performance.now() - start
      receipt.parseTimesMs.push(parseMs)
      record?.(parseMs)
      return parsed
    },
    announce(topics) {
      receipt.topics.push(...topics)
      postReceipt()
    },
    sendHeartbeat: postReceipt,
  })
  parentPort!.on('message', (message: Message | 'close') => {
    if (message !== 'close') work(message)
    else void close()
  })
  const close = async () => {
    closing?.()
    await Promise.all(underWay)
    await new Promise(setImmediate) // the last receipt is posted in this turn
    await closed?.()
    parentPort!.close()
  }
  postReceipt() // reports that this thread is ready
}

const emptyReceipt = (): Receipt => ({ stored: [], results: [], failed: [], topics: [], parseTimesMs: [] })
