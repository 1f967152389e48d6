import { setImmediate as endOfTurn } from 'node:timers/promises'
import { FairQueue } from './fair-queue.ts'

/** Runs short work in a turn of its account. @param work must not wait for I/O */
export type FairTurns = <Result>(accountId: string, work: () => Promise<Result>) => Promise<Result>

/** Maximum milliseconds of such work per turn of the event loop; requests and mails are handled in between. */
const maxSliceMs = 2

/**
 * Spreads long sequences of reads over turns of the event loop: one piece at a time, accounts in rotation, the pieces of an
 * account in the order of their requests. So a hundred streams of an account get as much time as one.
 */
export function openFairTurns(): FairTurns {
  const waiting = new FairQueue<() => Promise<void>>()
  let isRunning = false

  async function runWaiting() {
    isRunning = true
    do {
      const sliceEnd = performance.now() + maxSliceMs
      while (waiting.size > 0 && performance.now() < sliceEnd) await waiting.shift()!()
      await endOfTurn() // also when nothing waits: work that is added right after this belongs to the next slice
    } while (waiting.size > 0)
    isRunning = false
  }

  return (accountId, work) => new Promise((resolve, reject) => {
    waiting.push(accountId, () => work().then(resolve, reject))
    if (!isRunning) void runWaiting()
  })
}
