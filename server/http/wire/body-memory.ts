import { rateLimited } from '../../errors.ts'
import { usageRate } from '../../turns/usage-rate.ts'
import type { HttpLimits } from '../limits.ts'

export interface BodyMemory {
  /**
   * Waits until there is memory for a body.
   * @returns a function that releases the memory
   * @throws AppError `RATE_LIMITED` after `bodyWaitTimeoutMs`, or when `maxWaitingBodies` of the account wait already
   */
  take(accountId: string, bytes: number): Promise<() => void>
}

interface Waiting {
  bytes: number
  start(): void
}

/**
 * Limits the bytes of large request bodies: in memory, in total and per account, and per second of an account. A body beyond a limit
 * is not read from its socket until others are released; waiting accounts are served in rotation. So slow uploads and many large
 * requests fill only the share of their own account.
 */
export function bodyMemory(limits: HttpLimits): BodyMemory {
  const rate = usageRate(limits.maxBodyBytesPerSecond)
  let retryTimer: NodeJS.Timeout | undefined
  let heldBytes = 0
  const heldBy = new Map<string, number>()
  const queues = new Map<string, Waiting[]>() // in the order of the next turns

  const fitsAccount = (accountId: string, bytes: number) => (heldBy.get(accountId) ?? 0) + bytes <= limits.maxBodyMemoryBytesPerAccount

  function hold(accountId: string, bytes: number) {
    heldBytes += bytes
    const byAccount = (heldBy.get(accountId) ?? 0) + bytes
    if (byAccount > 0) heldBy.set(accountId, byAccount)
    else heldBy.delete(accountId)
  }

  function start(accountId: string, bytes: number) {
    hold(accountId, bytes)
    if (bytes > limits.maxSmallBodyBytes) rate.record(accountId, bytes)
  }

  function startNext() {
    clearTimeout(retryTimer)
    const waitMs = Math.min(...[...queues.keys()].map(rate.waitMs).filter((ms) => ms > 0))
    if (waitMs < Infinity) retryTimer = setTimeout(startNext, waitMs)
    for (const [accountId, queue] of queues) {
      const [first] = queue
      if (rate.waitMs(accountId) > 0) continue
      if (!fitsAccount(accountId, first!.bytes)) continue
      if (heldBytes + first!.bytes > limits.maxBodyMemoryBytes) return
      leave(accountId, first!)
      if (queues.delete(accountId)) queues.set(accountId, queue)
      start(accountId, first!.bytes)
      first!.start()
    }
  }

  function leave(accountId: string, waiting: Waiting) {
    const queue = queues.get(accountId)
    const at = queue?.indexOf(waiting) ?? -1
    if (at < 0) return
    queue!.splice(at, 1)
    if (queue!.length === 0) queues.delete(accountId)
  }

  async function wait(accountId: string, bytes: number) {
    const queue = queues.get(accountId) ?? []
    if (queue.length >= limits.maxWaitingBodies) throw tooManyBodies()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiting = { bytes, start: resolve }
    const timer = setTimeout(() => {
      leave(accountId, waiting)
      reject(tooManyBodies())
      startNext()
    }, limits.bodyWaitTimeoutMs)
    queue.push(waiting)
    queues.set(accountId, queue)
    startNext()
    await promise.finally(() => clearTimeout(timer))
  }

  return {
    async take(accountId, bytes) {
      const startsAtOnce = bytes <= limits.maxSmallBodyBytes ||
        !queues.has(accountId) && rate.waitMs(accountId) === 0 && fitsAccount(accountId, bytes) &&
          heldBytes + bytes <= limits.maxBodyMemoryBytes
      if (startsAtOnce) start(accountId, bytes)
      else await wait(accountId, bytes)
      return () => {
        hold(accountId, -bytes)
        startNext()
      }
    },
  }
}

const tooManyBodies = () => rateLimited('Too many large bodies are being received for this account. Send fewer at once.')
