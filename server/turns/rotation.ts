import { setImmediate as endOfTurn } from 'node:timers/promises'

/** Queues by name, served in rotation: each name gets one item per round, regardless of the number that it has waiting. */
export interface Rotation<Item> {
  readonly size: number
  push(name: string, item: Item): void
  /** Removes and returns the oldest item of the next name, which moves to the end of the rotation. */
  shift(): Item | undefined
}

export function openRotation<Item>(): Rotation<Item> {
  const queues = new Map<string, Item[]>() // in the order in which they are served
  let size = 0
  return {
    get size() {
      return size
    },
    push(name, item) {
      size++
      const queue = queues.get(name)
      if (queue) queue.push(item)
      else queues.set(name, [item])
    },
    shift() {
      const next = queues.entries().next().value
      if (!next) return undefined
      const [name, queue] = next
      size--
      queues.delete(name)
      const item = queue.shift()!
      if (queue.length > 0) queues.set(name, queue)
      return item
    },
  }
}

/** Limits the work of SMTP sessions per turn of the event loop, so that a flood of commands leaves time for HTTP and other mail. */
export interface TurnBudget {
  /**
   * Runs work now, or in a later turn when this one is used up. Waiting clients are served in rotation, regardless of how many
   * sessions each has; the work of one client runs in the order of its arrival.
   * @param client by `clientNetwork`
   * @param cost in commands
   */
  run(client: string, cost: number, work: () => void): void
}

/** @param maxCostPerTurn maximum cost of the work per turn, in commands; the last piece may exceed it */
export function openTurnBudget(maxCostPerTurn: number): TurnBudget {
  const waiting = openRotation<{ cost: number, work: () => void }>()
  let spent = 0
  let isScheduled = false

  function runNow(cost: number, work: () => void) {
    spent += cost
    if (!isScheduled) {
      isScheduled = true
      setImmediate(nextTurn)
    }
    work()
  }

  function nextTurn() {
    isScheduled = false
    spent = 0
    while (spent < maxCostPerTurn && waiting.size > 0) {
      const { cost, work } = waiting.shift()!
      runNow(cost, work)
    }
  }

  return {
    run(client, cost, work) {
      if (spent < maxCostPerTurn && waiting.size === 0) runNow(cost, work)
      else waiting.push(client, { cost, work })
    },
  }
}

/** Runs short work in a turn of its account. @param work must not wait for I/O */
export type FairTurns = <Result>(accountId: string, work: () => Promise<Result>) => Promise<Result>

/** Maximum milliseconds of such work per turn of the event loop; requests and mails are handled in between. */
const maxSliceMs = 2

/**
 * Spreads long sequences of reads over turns of the event loop: one piece at a time, accounts in rotation, the pieces of an
 * account in the order of their requests. So a hundred streams of an account get as much time as one.
 */
export function openFairTurns(): FairTurns {
  const waiting = openRotation<() => Promise<void>>()
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
