import { rateLimited } from '../errors.ts'
import type { HttpLimits } from './limits.ts'

export interface BodyMemory {
  /**
   * Waits until there is memory for a body.
   * @returns a function that releases the memory
   * @throws AppError `RATE_LIMITED` after `bodyWaitMs`, or when `waitingBodies` of the account wait already
   */
  take(accountId: string, bytes: number): Promise<() => void>
}

interface Waiting {
  bytes: number
  start(): void
}

/**
 * Limits the bytes of request bodies in memory, in total and per account. A body beyond a limit is not read from its socket until
 * others are released; waiting accounts are served in rotation. So slow uploads and many large requests fill only the share of their
 * own account.
 */
export function bodyMemory({ bodyBytes, bodyBytesPerAccount, smallBodyBytes, waitingBodies, bodyWaitMs }: HttpLimits): BodyMemory {
  let heldBytes = 0
  const heldBy = new Map<string, number>()
  const queues = new Map<string, Waiting[]>() // in the order of the next turns

  const fitsAccount = (accountId: string, bytes: number) => (heldBy.get(accountId) ?? 0) + bytes <= bodyBytesPerAccount

  function hold(accountId: string, bytes: number) {
    heldBytes += bytes
    const byAccount = (heldBy.get(accountId) ?? 0) + bytes
    if (byAccount > 0) heldBy.set(accountId, byAccount)
    else heldBy.delete(accountId)
  }

  function startNext() {
    for (const [accountId, queue] of queues) {
      const [first] = queue
      if (!fitsAccount(accountId, first!.bytes)) continue
      if (heldBytes + first!.bytes > bodyBytes) return
      leave(accountId, first!)
      if (queues.delete(accountId)) queues.set(accountId, queue)
      hold(accountId, first!.bytes)
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

  function wait(accountId: string, bytes: number) {
    const queue = queues.get(accountId) ?? []
    if (queue.length >= waitingBodies) throw tooManyBodies()
    return new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        leave(accountId, waiting)
        reject(tooManyBodies())
        startNext()
      }, bodyWaitMs)
      const waiting = {
        bytes,
        start() {
          clearTimeout(timer)
          resolve()
        },
      }
      queue.push(waiting)
      queues.set(accountId, queue)
    })
  }

  return {
    async take(accountId, bytes) {
      const startsAtOnce = bytes <= smallBodyBytes ||
        !queues.has(accountId) && fitsAccount(accountId, bytes) && heldBytes + bytes <= bodyBytes
      if (startsAtOnce) hold(accountId, bytes)
      else await wait(accountId, bytes)
      return () => {
        hold(accountId, -bytes)
        startNext()
      }
    },
  }
}

const tooManyBodies = () => rateLimited('Too many large bodies are being received for this account. Send fewer at once.')
