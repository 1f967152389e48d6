import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads'
import type { MessagePort, Transferable, Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import { waitAtMost } from '../deadline.ts'
import { AppError } from '../errors.ts'
import type { WriteTurns } from '../store/changes/write-turns.ts'
import { ClaimLost } from '../store/jobs/claims.ts'
import type { Receipt, ThreadData, ThreadSettings, ThreadStart } from './messages.ts'
import type { ThreadScript, WorkerThreads } from './worker-threads.ts'

export interface ThreadOptions {
  script: ThreadScript
  threads: WorkerThreads
  settings: ThreadSettings
  /** Undefined for a thread without a database: the turns have a limited number of slots. */
  writeTurns: WriteTurns | undefined
  sharedSources?: SharedArrayBuffer
  /** Set for a thread that writes mail whose SMTP clients wait for the 250: it has precedence in `store/changes/write-turns`. */
  isUrgent?: boolean
  log: Logger
  /** Time without a heartbeat or a result, while it has work, after which the thread is replaced. */
  timeoutMs: number
  maxHeapMegabytes: number
  /** Time without work after which the thread ends, to free its memory; undefined to keep it. */
  maxIdleMs?: number
  announce(topics: Set<string>): void
  /** Called for each mail that was parsed. */
  mailParsed(parseMs: number): void
}

export interface Thread {
  post(message: unknown, transfer?: Transferable[]): void
  /** @returns the result of the message with this id, true when it was stored; false when the thread ended or was stuck */
  settled<Result = true>(id: string): Promise<Result | false>
  close(): Promise<void>
}

/**
 * Maximum megabytes of a thread's young generation: two semi-spaces and a part for large objects. Node's default is 192, and V8
 * does not shrink it when the work is done.
 */
const maxYoungGenerationMegabytes = 12

function toError({ code, isClaimLost, error }: Receipt['failed'][number]): Error {
  if (isClaimLost) return new ClaimLost(error)
  return code ? new AppError(code, error) : new Error(error)
}

interface RunningThread {
  worker: Worker
  port: MessagePort
  /** Whether it has opened the database: the time limit applies from then on. */
  isReady: boolean
  /** True when it has closed all it had open, false when it has exited without that. */
  ended: Promise<boolean>
}

/** Opens a thread that works on messages. It starts with `start` or the first message, and is replaced when it ends or is stuck. */
export function openThread(options: ThreadOptions): Thread & { start(): void } {
  const waiting = new Map<string, { resolve(result: unknown): void, reject(error: Error): void }>()
  let running: RunningThread | undefined
  let timer: NodeJS.Timeout | undefined
  /** Threads that finish their work before they end. */
  const ending = new Set<Promise<unknown>>()
  let isClosed = false

  function start() {
    const writePlace = options.writeTurns?.join(options.isUrgent ?? false)
    const worker = options.threads.start(options.script, {
      maxOldGenerationSizeMb: options.maxHeapMegabytes, maxYoungGenerationSizeMb: maxYoungGenerationMegabytes,
    })
    const { port1: port, port2 } = new MessageChannel()
    const { promise: ended, resolve } = Promise.withResolvers<boolean>()
    const started: RunningThread = { worker, port, isReady: false, ended }

    const receive = (message: Receipt | 'closed') => {
      if (message === 'closed') return leave(true)
      started.isReady = true
      settleReceipt(message)
      if (running === started) restartTimer()
    }
    const onExit = () => {
      // results that it has reported before, which this thread had no time to receive
      for (let last = receiveMessageOnPort(port); last; last = receiveMessageOnPort(port)) {
        if (last.message !== 'closed') receive(last.message as Receipt)
      }
      leave(false)
    }
    function leave(hasClosed: boolean) {
      worker.off('exit', onExit)
      port.off('message', receive).close()
      if (writePlace) options.writeTurns?.leave(writePlace)
      resolve(hasClosed)
      if (running !== started) return
      running = undefined
      failWaiting()
    }
    port.on('message', receive).unref() // the worker keeps the process alive while it has work
    worker.on('exit', onExit)
    worker.on('error', (error) => options.log.error({ err: error, thread: options.script }, 'a thread failed'))
    const data: ThreadData = { ...options.settings, writePlace, sharedSources: options.sharedSources }
    worker.postMessage({ data, port: port2 } satisfies ThreadStart, [port2])
    if (waiting.size === 0) worker.unref()
    else worker.ref()
    return started
  }

  function settleReceipt({ stored, results, failed, topics, parseTimesMs }: Receipt) {
    for (const id of stored) takeWaiting(id)?.resolve(true)
    for (const { id, result } of results) takeWaiting(id)?.resolve(result)
    for (const failure of failed) takeWaiting(failure.id)?.reject(toError(failure))
    // in the next turn: first the callers that wait for these results go on, so no mail counts as arriving when it is announced
    if (topics.length > 0) setImmediate(() => options.announce(new Set(topics)))
    for (const parseMs of parseTimesMs) options.mailParsed(parseMs)
  }

  function takeWaiting(id: string) {
    const found = waiting.get(id)
    waiting.delete(id)
    return found
  }

  function failWaiting() {
    clearTimeout(timer)
    for (const { resolve } of waiting.values()) resolve(false)
    waiting.clear()
  }

  /** Restarts the time limit. While there is work, the thread keeps the process alive: the listeners may be closed already. */
  function restartTimer() {
    clearTimeout(timer)
    if (isClosed) return
    if (waiting.size > 0) running?.worker.ref()
    else running?.worker.unref()
    if (waiting.size > 0) {
      if (!running?.isReady) return
      timer = setTimeout(() => {
        options.log.error({ thread: options.script, messages: waiting.size }, 'a thread is stuck and is replaced')
        void running?.worker.terminate()
      }, options.timeoutMs)
    } else if (options.maxIdleMs !== undefined) {
      timer = setTimeout(endWorker, options.maxIdleMs).unref()
    }
  }

  /** Lets the thread finish its work, and then end. */
  function endWorker() {
    clearTimeout(timer)
    if (!running) return
    const { worker, port, ended } = running
    running = undefined
    worker.ref()
    port.postMessage('close')
    const finished = waitAtMost(options.timeoutMs, ended)
      .then((hasClosed) => hasClosed ? options.threads.finish(worker) : worker.terminate())
    ending.add(finished)
    void finished.then(() => ending.delete(finished))
  }

  async function close() {
    endWorker()
    isClosed = true
    await Promise.all(ending)
    failWaiting()
  }

  return {
    start() {
      if (!isClosed) running ??= start()
    },
    post(message, transfer = []) {
      if (isClosed) return
      running ??= start()
      running.port.postMessage(message, transfer)
    },
    settled: <Result>(id: string) => new Promise<Result | false>((resolve, reject) => {
      if (isClosed) return resolve(false)
      waiting.set(id, { resolve: (result) => resolve(result as Result | false), reject })
      if (waiting.size === 1) restartTimer()
    }),
    close,
  }
}
