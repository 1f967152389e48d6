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
  async take(party: string, bytes: number): Promise<() => void> {
    const startsAtOnce = bytes <= this.#limits.maxSmallBodyBytes ||
      !this.#queues.has(party) && this.#rate.waitMs(party) === 0 && this.#fitsAccount(party, bytes) && this.#fits(bytes)
    if (startsAtOnce) this.#start(party, bytes)
    else await this.#wait(party, bytes)
    return () => {
      this.#hold(party, -bytes)
      this.#startNext()
    }
  }

  #fitsAccount(party: string, bytes: number) {
    return (this.#heldBy.get(party) ?? 0) + bytes <= this.#limits.maxBodyMemoryBytesPerAccount
  }

  #fits(bytes: number) {
    return this.#heldBytes + bytes <= this.#limits.maxBodyMemoryBytes
  }

  #start(party: string, bytes: number) {
    this.#hold(party, bytes)
    if (bytes > this.#limits.maxSmallBodyBytes) this.#rate.record(party, bytes)
  }

  #hold(party: string, bytes: number) {
    this.#heldBytes += bytes
    const byAccount = (this.#heldBy.get(party) ?? 0) + bytes
    if (byAccount > 0) this.#heldBy.set(party, byAccount)
    else this.#heldBy.delete(party)
  }

  async #wait(party: string, bytes: number) {
    const queue = this.#queues.get(party) ?? []
    if (queue.length >= this.#limits.maxWaitingBodies) throw tooManyBodies()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiting = { bytes, start: resolve }
    const timer = setTimeout(() => {
      this.#leave(party, waiting)
      reject(tooManyBodies())
      this.#startNext()
    }, this.#limits.bodyWaitTimeoutMs)
    queue.push(waiting)
    this.#queues.set(party, queue)
    this.#startNext()
    await promise.finally(() => clearTimeout(timer))
  }

  #startNext() {
    clearTimeout(this.#retryTimer)
    const waitMs = Math.min(...[...this.#queues.keys()].map(this.#rate.waitMs).filter((ms) => ms > 0))
    if (waitMs < Infinity) this.#retryTimer = setTimeout(() => this.#startNext(), waitMs)
    for (const [party, queue] of this.#queues) {
      const [first] = queue
      if (this.#rate.waitMs(party) > 0) continue
      if (!this.#fitsAccount(party, first!.bytes)) continue
      if (!this.#fits(first!.bytes)) return
      this.#leave(party, first!)
      if (this.#queues.delete(party)) this.#queues.set(party, queue)
      this.#start(party, first!.bytes)
      first!.start()
    }
  }

  #leave(party: string, waiting: Waiting) {
    const queue = this.#queues.get(party)
    const at = queue?.indexOf(waiting) ?? -1
    if (at < 0) return
    queue!.splice(at, 1)
    if (queue!.length === 0) this.#queues.delete(party)
  }
}

const tooManyBodies = () => rateLimited('Too many large bodies are being received for this account. Send fewer at once.')
