import { AppError } from '../errors.ts'
import type { HttpLimits } from './limits.ts'

export interface BodyMemory {
  /**
   * Waits until a body of so many bytes may be read.
   * @returns gives the bytes back
   * @throws AppError `RATE_LIMITED` when that takes too long, or too many bodies of the account wait already
   */
  take(accountId: string, bytes: number): Promise<() => void>
}

interface Waiting {
  bytes: number
  start(): void
}

/**
 * Bounds the bytes of bodies in memory, of all accounts and of each. A body that finds no room stays in its socket; when there is room,
 * the accounts take turns. So slow senders, and callers of many large requests, take no more than their own account's part.
 */
export function bodyMemory({ bodyBytes, bodyBytesPerAccount, smallBodyBytes, waitingBodies, bodyWaitMs }: HttpLimits): BodyMemory {
  let held = 0
  const heldBy = new Map<string, number>()
  const queues = new Map<string, Waiting[]>() // in the order of the next turns

  const hasPart = (accountId: string, bytes: number) => (heldBy.get(accountId) ?? 0) + bytes <= bodyBytesPerAccount

  function hold(accountId: string, bytes: number) {
    held += bytes
    const byAccount = (heldBy.get(accountId) ?? 0) + bytes
    if (byAccount > 0) heldBy.set(accountId, byAccount)
    else heldBy.delete(accountId)
  }

  function startNext() {
    for (const [accountId, queue] of queues) {
      const [first] = queue
      if (!hasPart(accountId, first!.bytes)) continue
      if (held + first!.bytes > bodyBytes) return
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
      const isFree = bytes <= smallBodyBytes || !queues.has(accountId) && hasPart(accountId, bytes) && held + bytes <= bodyBytes
      if (isFree) hold(accountId, bytes)
      else await wait(accountId, bytes)
      return () => {
        hold(accountId, -bytes)
        startNext()
      }
    },
  }
}

const tooManyBodies = () => Object.assign(
  new AppError('RATE_LIMITED', 'Too many large bodies are being received for this account. Send fewer at once.'), { retryAfter: 1 },
)
