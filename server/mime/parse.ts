import { Piscina } from 'piscina'
import { LIMITS } from './limits.ts'
import type { ParseTask } from './parse-worker.ts'
import { emptyMessage } from './parsed-message.ts'
import type { ParsedMessage } from './parsed-message.ts'

export interface MimeParser {
  /**
   * Reads a message in a thread of its own. A message that is broken, or that takes too much time or memory,
   * is no error: the result holds what could be read, and `problem` says why there is no more.
   * @param raw is copied, not detached; leave it unchanged until the promise settles
   * @throws Error once the parser is closed, and for nothing else
   */
  parse(raw: Uint8Array, options?: { headersOnly?: boolean }): Promise<ParsedMessage>
  /** Messages that were handed in and are not answered yet. */
  readonly pending: number
  /** Ends the threads; what is still waiting is rejected. */
  close(): Promise<void>
}

/**
 * Opens the threads that read mail.
 * @param limits.timeoutMs milliseconds for one message, after which its thread is ended
 * @param limits.memoryMb heap of a thread in MB; message bytes and attachments are not part of it
 */
export function openMimeParser(limits: { threads: number; timeoutMs: number; memoryMb: number }): MimeParser {
  const pool = openPool(limits.threads, limits.memoryMb)
  const queue: Waiting[] = []
  let pending = 0
  let busy = 0
  let isClosed = false
  let isScheduled = false

  function parse(raw: Uint8Array, options: { headersOnly?: boolean } = {}): Promise<ParsedMessage> {
    if (isClosed) return Promise.reject(closedError())
    pending++
    return new Promise<ParsedMessage>((resolve, reject) => {
      const { headersOnly = false } = options
      queue.push({ raw, headersOnly, isAlone: false, problem: null, resolve, reject })
      schedule()
    }).finally(() => { pending-- })
  }

  // One turn later, so that messages that come together go to the thread together.
  function schedule(): void {
    if (isScheduled) return
    isScheduled = true
    queueMicrotask(() => {
      isScheduled = false
      while (!isClosed && busy < limits.threads && queue.length > 0) void work(takeBatch(queue))
    })
  }

  async function work(batch: Waiting[]): Promise<void> {
    busy++
    try {
      const messages = await run(pool, batch, limits.timeoutMs)
      batch.forEach((waiting, i) => waiting.resolve(withProblem(messages[i]!, waiting.problem)))
    } catch (error) {
      if (isClosed) batch.forEach(({ reject }) => reject(closedError()))
      else queue.unshift(...batch.filter((waiting) => fallBack(waiting, batch.length, error)))
    } finally {
      busy--
      schedule()
    }
  }

  async function close(): Promise<void> {
    isClosed = true
    for (const { reject } of queue.splice(0)) reject(closedError())
    await pool.destroy()
  }

  return { parse, close, get pending() { return pending } }
}

interface Waiting {
  raw: Uint8Array
  headersOnly: boolean
  /** Not to share a task with others, after one that failed. */
  isAlone: boolean
  problem: string | null
  resolve: (message: ParsedMessage) => void
  reject: (error: Error) => void
}

/** A task holds as much as keeps the cost of changing threads small beside the work. */
const BATCH = { messages: 32, bytes: 512 * 1024 }
/** Milliseconds for the header alone: little work, but the thread may have to start anew. */
const HEADERS_ONLY_MS = 5_000

function openPool(threads: number, memoryMb: number): Piscina<ParseTask, ParsedMessage[]> {
  // The sources run as they are or compiled.
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  const pool = new Piscina<ParseTask, ParsedMessage[]>({
    filename: new URL(`./parse-worker.${extension}`, import.meta.url).href,
    minThreads: threads,
    maxThreads: threads,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
    recordTiming: false,
  })
  // A thread that dies without a task is replaced; one with a task rejects it.
  pool.on('error', () => {})
  return pool
}

function takeBatch(queue: Waiting[]): Waiting[] {
  const { headersOnly, isAlone, raw } = queue[0]!
  if (isAlone) return queue.splice(0, 1)
  let bytes = sizeOf(raw, headersOnly)
  let count = 1
  while (count < queue.length && count < BATCH.messages) {
    const next = queue[count]!
    bytes += sizeOf(next.raw, headersOnly)
    if (next.isAlone || next.headersOnly !== headersOnly || bytes > BATCH.bytes) break
    count++
  }
  return queue.splice(0, count)
}

async function run(pool: Piscina, batch: Waiting[], timeoutMs: number): Promise<ParsedMessage[]> {
  const headersOnly = batch[0]!.headersOnly
  const task = packTask(batch, headersOnly)
  const aborter = new AbortController()
  const timer = setTimeout(() => aborter.abort(), headersOnly ? HEADERS_ONLY_MS : timeoutMs)
  try {
    return await pool.run(task, { signal: aborter.signal, transferList: [task.bytes.buffer] })
  } finally {
    clearTimeout(timer)
  }
}

function packTask(batch: Waiting[], headersOnly: boolean): ParseTask & { bytes: Uint8Array<ArrayBuffer> } {
  const sizes = batch.map(({ raw }) => sizeOf(raw, headersOnly))
  const bytes = new Uint8Array(sizes.reduce((sum, size) => sum + size, 0))
  const ends: number[] = []
  let at = 0
  batch.forEach(({ raw }, i) => {
    bytes.set(raw.length > sizes[i]! ? raw.subarray(0, sizes[i]) : raw, at)
    ends.push(at += sizes[i]!)
  })
  return { bytes, ends, headersOnly }
}

function sizeOf(raw: Uint8Array, headersOnly: boolean): number {
  return headersOnly ? Math.min(raw.length, LIMITS.headersOnly) : raw.length
}

/** Prepares the next try of a message whose task failed; false when it has its answer. */
function fallBack(waiting: Waiting, batchSize: number, error: unknown): boolean {
  waiting.isAlone = true
  if (batchSize > 1) return true
  if (waiting.headersOnly) {
    waiting.resolve(emptyMessage(waiting.problem ?? problemOf(error)))
    return false
  }
  waiting.headersOnly = true
  waiting.problem = problemOf(error)
  return true
}

function problemOf(error: unknown): string {
  const { name, code } = error as { name?: string; code?: string }
  if (name === 'AbortError') return 'This mail took too long to read.'
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') return 'This mail took too much memory to read.'
  return 'This mail could not be read.'
}

function withProblem(message: ParsedMessage, problem: string | null): ParsedMessage {
  if (problem) message.problem = `${problem} Only its header is shown. ${message.problem ?? ''}`.trimEnd()
  return message
}

function closedError(): Error {
  return new Error('The mail parser is closed.')
}
