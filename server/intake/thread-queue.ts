import type { Transferable } from 'node:worker_threads'
import { internalError } from '../errors.ts'
import { FairDispatcher } from '../turns/fair-queue.ts'
import type { BackgroundWork } from './background-thread.ts'
import type { Thread } from './thread.ts'

/** Passes work to a thread, callers in rotation. */
export class ThreadQueue {
  readonly #thread: Thread
  readonly #waiting: FairDispatcher<() => Promise<void>>
  /** Number of requests in the thread. */
  #underWay = 0
  /** Number of all requests, for their ids. */
  #requests = 0

  /** @param maxUnderWay requests in the thread at once, which bounds the time that others wait for it, or for its commits */
  constructor(thread: Thread, maxUnderWay: number) {
    this.#thread = thread
    this.#waiting = new FairDispatcher({
      isFull: () => this.#underWay >= maxUnderWay,
      start: (request) => {
        this.#underWay++
        void request().finally(() => {
          this.#underWay--
          this.#waiting.startNext()
        })
      },
    })
  }

  /**
   * Has the thread do some work when the rotation reaches the caller.
   * @param caller an account, or the IP address of an SMTP client
   * @returns the result of the work, or true when it has none
   * @throws AppError `STORAGE_FULL`, and `INTERNAL_ERROR` when the thread ended
   */
  run<Result = true>(caller: string, work: BackgroundWork, transfer: Transferable[] = []): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push(caller, () => this.#runInThread<Result>(work, transfer).then(resolve, reject))
    })
  }

  async #runInThread<Result>(work: BackgroundWork, transfer: Transferable[]): Promise<Result> {
    const id = `${work.kind}/${++this.#requests}`
    const settled = this.#thread.settled<Result>(id)
    this.#thread.post({ ...work, id }, transfer)
    const result = await settled
    if (result === false) throw internalError('The request was interrupted. Try again.')
    return result
  }
}
