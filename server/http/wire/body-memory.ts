import { rateLimited } from '../../errors.ts'
import { FairDispatcher } from '../../turns/fair-queue.ts'
import { usageRate } from '../../turns/usage-rate.ts'
import type { UsageRate } from '../../turns/usage-rate.ts'
import type { HttpLimits } from '../limits.ts'

interface Waiting {
  party: string
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
  readonly #waiting: FairDispatcher<Waiting>
  #heldBytes = 0
  /** Bytes by account. */
  readonly #heldBy = new Map<string, number>()

  constructor(limits: HttpLimits) {
    this.#limits = limits
    this.#rate = usageRate(limits.maxBodyBytesPerSecond)
    const longBytes = limits.maxBodyMemoryBytesPerAccount / 2 // a longer body counts as so many: else it would never start
    this.#waiting = new FairDispatcher({
      isFull: () => this.#heldBytes >= limits.maxBodyMemoryBytes, // the last body may exceed it: short ones do not pass long ones
      mayStart: (party, { bytes }) =>
        this.#rate.waitMs(party) === 0
        && (this.#heldBy.get(party) ?? 0) + Math.min(bytes, longBytes) <= limits.maxBodyMemoryBytesPerAccount,
      start: ({ party, bytes, start }) => {
        this.#hold(party, bytes)
        this.#rate.record(party, bytes)
        start()
        this.#startWhenDue(party)
      },
    })
  }

  /**
   * Waits until there is memory for a body.
   * @returns a function that releases the memory
   * @throws AppError `RATE_LIMITED` after `bodyWaitTimeoutMs`, or when `maxWaitingBodies` of the account wait already
   */
  async take(party: string, bytes: number): Promise<() => void> {
    if (bytes <= this.#limits.maxSmallBodyBytes) this.#hold(party, bytes)
    else await this.#wait(party, bytes)
    return () => {
      this.#hold(party, -bytes)
      this.#waiting.startNext()
    }
  }

  /** Starts what waits, once the rate of an account allows it more. */
  #startWhenDue(party: string) {
    const waitMs = this.#rate.waitMs(party)
    if (waitMs > 0) setTimeout(() => this.#startWhenDue(party), Math.ceil(waitMs)).unref()
    else this.#waiting.startNext()
  }

  #hold(party: string, bytes: number) {
    this.#heldBytes += bytes
    const byAccount = (this.#heldBy.get(party) ?? 0) + bytes
    if (byAccount > 0) this.#heldBy.set(party, byAccount)
    else this.#heldBy.delete(party)
  }

  async #wait(party: string, bytes: number) {
    const { maxWaitingBodies, bodyWaitTimeoutMs } = this.#limits
    if (this.#waiting.waitingOf(party) >= maxWaitingBodies) throw tooManyBodies()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiting = { party, bytes, start: resolve }
    const timer = setTimeout(() => {
      this.#waiting.remove(party, waiting)
      reject(tooManyBodies())
      this.#waiting.startNext()
    }, bodyWaitTimeoutMs)
    this.#waiting.push(party, waiting)
    await promise.finally(() => clearTimeout(timer))
  }
}

const tooManyBodies = () => rateLimited('Too many large bodies are being received for this account. Send fewer at once.')
