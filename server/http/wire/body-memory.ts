import { rateLimited } from '../../errors.ts'
import { usageRate } from '../../turns/usage-rate.ts'
import type { UsageRate } from '../../turns/usage-rate.ts'
import type { HttpLimits } from '../limits.ts'

interface Waiting {
  bytes: number
  start(): void
}

/**
 * Limits the bytes of large request bodies: in memory, in total and per account, and per second of an account. A body beyond a limit
 * is not read from its socket until others are released; waiting accounts are served in rotation. So slow uploads and many large
 * requests fill only the share of their own account.
 */
export class BodyMemory {
  readonly #limits: HttpLimits
  readonly #rate: UsageRate
  #heldBytes = 0
  /** Bytes by account. */
  readonly #heldBy = new Map<string, number>()
  /** The waiting bodies by account, in the order of the next turns. */
  readonly #queues = new Map<string, Waiting[]>()
  /** Starts waiting bodies when the rate of their account allows it. */
  #retryTimer: NodeJS.Timeout | undefined = undefined

  constructor(limits: HttpLimits) {
    this.#limits = limits
    this.#rate = usageRate(limits.maxBodyBytesPerSecond)
  }

  /**
   * Waits until there is memory for a body.
   * @returns a function that releases the memory
   * @throws AppError `RATE_LIMITED` after `bodyWaitTimeoutMs`, or when `maxWaitingBodies` of the account wait already
   */
  async take(accountId: string, bytes: number): Promise<() => void> {
    const startsAtOnce = bytes <= this.#limits.maxSmallBodyBytes ||
      !this.#queues.has(accountId) && this.#rate.waitMs(accountId) === 0 && this.#fitsAccount(accountId, bytes) && this.#fits(bytes)
    if (startsAtOnce) this.#start(accountId, bytes)
    else await this.#wait(accountId, bytes)
    return () => {
      this.#hold(accountId, -bytes)
      this.#startNext()
    }
  }

  #fitsAccount(accountId: string, bytes: number) {
    return (this.#heldBy.get(accountId) ?? 0) + bytes <= this.#limits.maxBodyMemoryBytesPerAccount
  }

  #fits(bytes: number) {
    return this.#heldBytes + bytes <= this.#limits.maxBodyMemoryBytes
  }

  #start(accountId: string, bytes: number) {
    this.#hold(accountId, bytes)
    if (bytes > this.#limits.maxSmallBodyBytes) this.#rate.record(accountId, bytes)
  }

  #hold(accountId: string, bytes: number) {
    this.#heldBytes += bytes
    const byAccount = (this.#heldBy.get(accountId) ?? 0) + bytes
    if (byAccount > 0) this.#heldBy.set(accountId, byAccount)
    else this.#heldBy.delete(accountId)
  }

  async #wait(accountId: string, bytes: number) {
    const queue = this.#queues.get(accountId) ?? []
    if (queue.length >= this.#limits.maxWaitingBodies) throw tooManyBodies()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiting = { bytes, start: resolve }
    const timer = setTimeout(() => {
      this.#leave(accountId, waiting)
      reject(tooManyBodies())
      this.#startNext()
    }, this.#limits.bodyWaitTimeoutMs)
    queue.push(waiting)
    this.#queues.set(accountId, queue)
    this.#startNext()
    await promise.finally(() => clearTimeout(timer))
  }

  #startNext() {
    clearTimeout(this.#retryTimer)
    const waitMs = Math.min(...[...this.#queues.keys()].map(this.#rate.waitMs).filter((ms) => ms > 0))
    if (waitMs < Infinity) this.#retryTimer = setTimeout(() => this.#startNext(), waitMs)
    for (const [accountId, queue] of this.#queues) {
      const [first] = queue
      if (this.#rate.waitMs(accountId) > 0) continue
      if (!this.#fitsAccount(accountId, first!.bytes)) continue
      if (!this.#fits(first!.bytes)) return
      this.#leave(accountId, first!)
      if (this.#queues.delete(accountId)) this.#queues.set(accountId, queue)
      this.#start(accountId, first!.bytes)
      first!.start()
    }
  }

  #leave(accountId: string, waiting: Waiting) {
    const queue = this.#queues.get(accountId)
    const at = queue?.indexOf(waiting) ?? -1
    if (at < 0) return
    queue!.splice(at, 1)
    if (queue!.length === 0) this.#queues.delete(accountId)
  }
}

const tooManyBodies = () => rateLimited('Too many large bodies are being received for this account. Send fewer at once.')
