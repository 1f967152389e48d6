import { setImmediate } from 'node:timers/promises'
import { openRotation } from '../rotation.ts'

/** Runs short work of an account when it is that account's turn. @param work synchronous in effect: it waits for no I/O */
export type FairTurns = <Result>(accountId: string, work: () => Promise<Result>) => Promise<Result>

/** Milliseconds that such work takes in one turn of the event loop: requests and mails come between. */
const maxSliceMs = 2

/**
 * Spreads reads that are long in sum over the turns of the event loop: one piece at a time, the accounts in rotation, the
 * pieces of an account in the order in which they were asked for. So a hundred streams of an account take as much as one.
 */
export function openFairTurns(): FairTurns {
  const waiting = openRotation<() => Promise<void>>()
  let isRunning = false

  async function run() {
    isRunning = true
    do {
      const sliceEnd = performance.now() + maxSliceMs
      while (waiting.size > 0 && performance.now() < sliceEnd) await waiting.shift()!()
      await setImmediate() // also when nothing is left: the work that follows at once belongs to the next slice
    } while (waiting.size > 0)
    isRunning = false
  }

  return (accountId, work) => new Promise((resolve, reject) => {
    waiting.push(accountId, () => work().then(resolve, reject))
    if (!isRunning) void run()
  })
}
