import { setImmediate } from 'node:timers/promises'

/** Runs short work of an account when it is that account's turn. @param work synchronous in effect: it waits for no I/O */
export type FairTurns = <Result>(accountId: string, work: () => Promise<Result>) => Promise<Result>

/** Milliseconds that such work takes in one turn of the event loop: requests and mails come between. */
const maxSliceMs = 2

/**
 * Spreads reads that are long in sum over the turns of the event loop: one piece at a time, the accounts in rotation, the
 * pieces of an account in the order in which they were asked for. So a hundred streams of an account take as much as one.
 */
export function openFairTurns(): FairTurns {
  // in the order of the next turns
  const queues = new Map<string, (() => Promise<void>)[]>()
  let isRunning = false

  async function run() {
    isRunning = true
    do {
      const sliceEnd = performance.now() + maxSliceMs
      while (queues.size > 0 && performance.now() < sliceEnd) await runNext()
      await setImmediate() // also when nothing is left: the work that follows at once belongs to the next slice
    } while (queues.size > 0)
    isRunning = false
  }

  async function runNext() {
    const [accountId, queue] = queues.entries().next().value!
    queues.delete(accountId)
    const piece = queue.shift()!
    if (queue.length > 0) queues.set(accountId, queue)
    await piece()
  }

  return (accountId, work) => new Promise((resolve, reject) => {
    const queue = queues.get(accountId) ?? []
    queue.push(() => work().then(resolve, reject))
    queues.set(accountId, queue)
    if (!isRunning) void run()
  })
}
