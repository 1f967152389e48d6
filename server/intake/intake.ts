import { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import type { Intake } from '../context.ts'
import type { AcceptedMessage } from '../envelope.ts'
import { AppError } from '../errors.ts'
import type { ErrorCode } from '../contract/types.gen.ts'

/** What the main thread tells the intake: mails, their bytes one behind the other. */
export interface Delivery {
  /** `AcceptedMessage[]` as JSON, which changes threads faster than objects do. */
  messages: string
  bytes: Uint8Array
}

/** What the intake answers, by message id, once it is on disk or has failed. */
export interface Receipt {
  stored: string[]
  failed: { id: string, code: ErrorCode | null, error: string }[]
  /** What the transactions announced. */
  topics: string[]
}

export interface IntakeSetup {
  database: string
}

/** Milliseconds without an answer after which the thread counts as stuck. */
const patience = 10_000

/**
 * Starts the thread that parses and stores short mails, so that neither the work nor the fsync holds up HTTP and SMTP.
 * A thread that dies or is stuck is replaced; the mails it had are handed back to the caller, unstored.
 * @param announce is told the topics of what was committed there
 */
export function openIntake(
  setup: IntakeSetup, log: Logger, announce: (topics: Set<string>) => void,
): Intake & { close(): Promise<void> } {
  const waiting = new Map<string, Waiting>()
  let outgoing: { message: AcceptedMessage, bytes: Uint8Array }[] = []
  let thread: Worker | undefined
  let watchdog: NodeJS.Timeout | undefined

  function start() {
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
    const started = new Worker(new URL(`./intake-thread.${extension}`, import.meta.url), { workerData: setup })
    started.on('message', settle)
    started.on('error', (error) => log.error({ err: error }, 'the intake thread failed'))
    started.on('exit', () => {
      if (thread === started) thread = undefined
      handBack()
    })
    started.unref()
    return started
  }

  function settle({ stored, failed, topics }: Receipt) {
    for (const id of stored) take(id)?.resolve(true)
    for (const { id, code, error } of failed) take(id)?.reject(code ? new AppError(code, error) : new Error(error))
    if (topics.length > 0) announce(new Set(topics))
    if (waiting.size === 0) clearTimeout(watchdog)
    else watch()
  }

  function take(id: string) {
    const found = waiting.get(id)
    waiting.delete(id)
    return found
  }

  function handBack() {
    clearTimeout(watchdog)
    for (const { resolve } of waiting.values()) resolve(false)
    waiting.clear()
  }

  /** Any answer shows that the thread lives. */
  function watch() {
    clearTimeout(watchdog)
    watchdog = setTimeout(() => {
      log.error({ mails: waiting.size }, 'the intake thread is stuck and is replaced')
      void thread?.terminate()
    }, patience)
  }

  function flush() {
    const batch = outgoing
    outgoing = []
    const bytes = new Uint8Array(batch.reduce((sum, mail) => sum + mail.bytes.length, 0))
    let end = 0
    for (const mail of batch) {
      bytes.set(mail.bytes, end)
      end += mail.bytes.length
    }
    thread ??= start()
    const delivery: Delivery = { messages: JSON.stringify(batch.map(({ message }) => message)), bytes }
    thread.postMessage(delivery, [bytes.buffer])
    if (waiting.size === batch.length) watch()
  }

  thread = start()
  return {
    store(message, bytes) {
      return new Promise((resolve, reject) => {
        waiting.set(message.id, { resolve, reject })
        // one turn later, so that mails that end together travel together
        if (outgoing.push({ message, bytes }) === 1) setImmediate(flush)
      })
    },
    async close() {
      if (!thread) return
      const ended = new Promise((resolve) => thread!.once('exit', resolve))
      thread.ref()
      thread.postMessage('close')
      await ended
    },
  }
}

interface Waiting {
  resolve(isStored: boolean): void
  reject(error: Error): void
}
