import { parentPort } from 'node:worker_threads'
import type { Transferable } from 'node:worker_threads'
import { AppError } from '../errors.ts'
import { ClaimLost } from '../store/jobs/claims.ts'
import type { Receipt } from './thread.ts'

/** The functions that a thread's work is given. */
export interface ThreadContext {
  /** Runs the work on a message and reports its result; results of the same turn of the event loop are reported together. */
  settle(id: string, work: () => Promise<unknown>): Promise<void>
  /** Reports a result, and transfers buffers of it. */
  reply(id: string, result: unknown, transfer: Transferable[]): void
  /** Parses a mail, and measures the time. @param record gets the processor time of this thread */
  timed<Parsed>(parse: () => Parsed, record?: (cpuMs: number) => void): Parsed
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
      const code = error instanceof AppError ? error.code : null
      receipt.failed.push({ id, code, isClaimLost: error instanceof ClaimLost, error: (error as Error).message })
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
      const [start, cpuStartMs] = [performance.now(), threadCpuMs()]
      const parsed = parse()
      receipt.parseTimesMs.push(performance.now() - start)
      record?.(threadCpuMs() - cpuStartMs)
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

/** Processor time of this thread, which other processes and threads do not change. Before Node 23.9, the time of the clock. */
function threadCpuMs(): number {
  const usage = (process as Partial<Pick<NodeJS.Process, 'threadCpuUsage'>>).threadCpuUsage?.()
  return usage ? (usage.user + usage.system) / 1000 : performance.now()
}

const emptyReceipt = (): Receipt => ({ stored: [], results: [], failed: [], topics: [], parseTimesMs: [] })
