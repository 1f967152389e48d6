import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads'
import type { MessagePort, Transferable, Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import { waitAtMost } from '../deadline.ts'
import { AccountHeldError, AppError, SourcesAwayError } from '../errors.ts'
import type { WritePlace, WriteTurns } from '../store/changes/write-turns.ts'
import { ClaimLost } from '../store/jobs/claims.ts'
import type { CommitWait } from '../store/shared-database.ts'
import type { Receipt, ThreadData, ThreadRole, ThreadScript, ThreadSettings, ThreadStart, WorkerThreads } from './worker-threads.ts'

export interface ThreadOptions extends ThreadRole {
  script: ThreadScript
  threads: WorkerThreads
  settings: ThreadSettings
  writeTurns: WriteTurns
  sharedSources: SharedArrayBuffer
  log: Logger
  /** Time without a heartbeat or a result, while it has work, after which the thread is replaced. */
  timeoutMs: number
  maxHeapMegabytes: number
  /** Time without work after which the thread ends, to free its memory; undefined to keep it. */
  maxIdleMs?: number
  announce(topics: Set<string>): void
  /** Called for each mail that was parsed. */
  mailParsed(parseMs: number): void
  /** Called for each commit of a thread in a database that several nodes share. */
  commitWaited(wait: CommitWait): void
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
const maxYoungGenerationMegabytes = 24

function toError({ code, isClaimLost, isAway, isHeld, error }: Receipt['failed'][number]): Error {
  if (isClaimLost) return new ClaimLost(error)
  if (isAway) return new SourcesAwayError(new Error(error))
  if (isHeld) return new AccountHeldError()
  return code ? new AppError(code, error) : new Error(error)
}

interface RunningThread {
  worker: Worker
  port: MessagePort
  writePlace: WritePlace
  /** Whether it has opened the database: the time limit applies from then on. */
  isReady: boolean
  /** Settled when it has opened the database, or has exited. To terminate it while it loads the addon of SQLite aborts the process. */
  opened: PromiseWithResolvers<unknown>
  /** True when it has closed all it had open, false when it has exited without that. */
  ended: PromiseWithResolvers<boolean>
  onOpened(): void
  onExit(): void
}

/** A thread that works on messages. It starts with `start` or the first message, and is replaced when it ends or is stuck. */
export class IntakeThread implements Thread {
  readonly #options: ThreadOptions
  #running: RunningThread | undefined = undefined
  /** The callers that wait for a result, by message id. */
  readonly #waiting = new Map<string, { resolve(result: unknown): void, reject(error: Error): void }>()
  /** Ends the time limit, or the time without work. */
  #timer: NodeJS.Timeout | undefined = undefined
  /** Threads that finish their work before they end. */
  readonly #ending = new Set<Promise<unknown>>()
  #isClosed = false

  constructor(options: ThreadOptions) {
    this.#options = options
  }

  start(): void {
    if (!this.#isClosed) this.#running ??= this.#startThread()
  }

  post(message: unknown, transfer: Transferable[] = []): void {
    if (this.#isClosed) return
    this.#running ??= this.#startThread()
    this.#running.port.postMessage(message, transfer)
  }

  settled<Result = true>(id: string): Promise<Result | false> {
    return new Promise((resolve, reject) => {
      if (this.#isClosed) return resolve(false)
      this.#waiting.set(id, { resolve: (result) => resolve(result as Result | false), reject })
      if (this.#waiting.size === 1) this.#restartTimer()
    })
  }

  async close(): Promise<void> {
    this.#endThread()
    this.#isClosed = true
    await Promise.all(this.#ending)
    this.#failWaiting()
  }

  #startThread(): RunningThread {
    const { script, threads, settings, writeTurns, isUrgent, sharedSources, maxHeapMegabytes, log } = this.#options
    const writePlace = writeTurns.join(isUrgent)
    const resourceLimits = { maxOldGenerationSizeMb: maxHeapMegabytes, maxYoungGenerationSizeMb: maxYoungGenerationMegabytes }
    const worker = threads.start(script, { isUrgent }, resourceLimits)
    const { port1: port, port2 } = new MessageChannel()
    const started: RunningThread = {
      worker, port, writePlace, isReady: false, opened: Promise.withResolvers(), ended: Promise.withResolvers(),
      onOpened: () => this.#opened(started), onExit: () => this.#exited(started),
    }
    port.on('message', (message: Receipt | 'closed') => this.#receive(started, message)).unref() // the worker keeps the process alive
    worker.once('message', started.onOpened)
    worker.on('exit', started.onExit)
    worker.on('error', (error) => log.error({ err: error, thread: script }, 'a thread failed'))
    const data: ThreadData = { ...settings, writePlace, sharedSources }
    worker.postMessage({ data, port: port2 } satisfies ThreadStart, [port2])
    this.#keepProcess(worker)
    return started
  }

  /** A thread keeps the process alive while it has work: the listeners may be closed already. */
  #keepProcess(worker: Worker) {
    if (this.#waiting.size > 0) worker.ref()
    else worker.unref()
  }

  #opened(thread: RunningThread) {
    thread.isReady = true
    thread.opened.resolve(undefined)
    if (this.#running === thread) this.#restartTimer()
  }

  #receive(from: RunningThread, message: Receipt | 'closed') {
    if (message === 'closed') return this.#leave(from, true)
    this.#settle(message)
    if (this.#running === from) this.#restartTimer()
  }

  #exited(thread: RunningThread) {
    // results that it has reported before, which this thread had no time to receive
    for (let last = receiveMessageOnPort(thread.port); last; last = receiveMessageOnPort(thread.port)) {
      if (last.message !== 'closed') this.#receive(thread, last.message as Receipt)
    }
    this.#leave(thread, false)
  }

  #leave(thread: RunningThread, hasClosed: boolean) {
    thread.worker.off('message', thread.onOpened).off('exit', thread.onExit)
    thread.port.removeAllListeners('message').close()
    this.#options.writeTurns.leave(thread.writePlace)
    thread.opened.resolve(undefined)
    thread.ended.resolve(hasClosed)
    if (this.#running !== thread) return
    this.#running = undefined
    this.#failWaiting()
  }

  #settle({ stored, results, failed, topics, parseTimesMs, commitWaits = [] }: Receipt) {
    for (const id of stored) this.#takeWaiting(id)?.resolve(true)
    for (const { id, result } of results) this.#takeWaiting(id)?.resolve(result)
    for (const failure of failed) this.#takeWaiting(failure.id)?.reject(toError(failure))
    // in the next turn: first the callers that wait for these results go on, so no mail counts as arriving when it is announced
    if (topics.length > 0) setImmediate(() => this.#options.announce(new Set(topics)))
    for (const parseMs of parseTimesMs) this.#options.mailParsed(parseMs)
    for (const wait of commitWaits) this.#options.commitWaited(wait)
  }

  #takeWaiting(id: string) {
    const found = this.#waiting.get(id)
    this.#waiting.delete(id)
    return found
  }

  #failWaiting() {
    clearTimeout(this.#timer)
    for (const { resolve } of this.#waiting.values()) resolve(false)
    this.#waiting.clear()
  }

  #restartTimer() {
    const { log, script, timeoutMs, maxIdleMs } = this.#options
    clearTimeout(this.#timer)
    if (this.#isClosed) return
    if (this.#running) this.#keepProcess(this.#running.worker)
    if (this.#waiting.size > 0) {
      if (!this.#running?.isReady) return
      this.#timer = setTimeout(() => {
        log.error({ thread: script, messages: this.#waiting.size }, 'a thread is stuck and is replaced')
        void this.#running?.worker.terminate()
      }, timeoutMs)
    } else if (maxIdleMs !== undefined) {
      this.#timer = setTimeout(() => this.#endThread(), maxIdleMs).unref()
    }
  }

  /** Lets the thread finish its work, and then end. */
  #endThread() {
    clearTimeout(this.#timer)
    if (!this.#running) return
    const { threads, timeoutMs } = this.#options
    const { worker, port, opened, ended } = this.#running
    this.#running = undefined
    worker.ref()
    port.postMessage('close')
    const finished = opened.promise.then(() => waitAtMost(timeoutMs, ended.promise))
      .then((hasClosed) => hasClosed ? threads.finish(worker) : worker.terminate())
    this.#ending.add(finished)
    void finished.then(() => this.#ending.delete(finished))
  }
}
