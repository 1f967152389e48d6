import { setImmediate as endOfTurn } from 'node:timers/promises'

/** Items that wait, by name. Names take turns, whatever the number of items that each has waiting; the items of a name keep their order. */
export class FairQueue<Item> {
  /** By name, in the order of the next turns. */
  readonly #waiting = new Map<string, Item[]>()
  /** Items that wait, of all names. */
  size = 0

  waitingOf(name: string): number {
    return this.#waiting.get(name)?.length ?? 0
  }

  /** The names of items that wait. */
  names(): Iterable<string> {
    return this.#waiting.keys()
  }

  push(name: string, item: Item): void {
    this.size++
    const items = this.#waiting.get(name)
    if (items) items.push(item)
    else this.#waiting.set(name, [item])
  }

  /**
   * Removes and returns the first item of the next name, which moves to the end of the rotation.
   * @param mayStart whether the first item of a name may start; by default each may
   */
  shift(mayStart?: (name: string, item: Item) => boolean): Item | undefined {
    for (const [name, items] of this.#waiting) {
      if (mayStart && !mayStart(name, items[0]!)) continue
      const item = items.shift()!
      this.size--
      this.#waiting.delete(name)
      if (items.length > 0) this.#waiting.set(name, items)
      return item
    }
    return undefined
  }

  remove(name: string, item: Item): void {
    const items = this.#waiting.get(name)
    const at = items?.indexOf(item) ?? -1
    if (at < 0) return
    items!.splice(at, 1)
    this.size--
    if (items!.length === 0) this.#waiting.delete(name)
  }
}

interface DispatcherOptions<Item> {
  start(item: Item): void
  /** Whether the first item of a name may start, by the limits of that name; by default each may. */
  mayStart?(name: string, item: Item): boolean
  /** Whether nothing may start at the moment, by the limits of all. */
  isFull(): boolean
}

/** A fair queue that starts its items as soon as limits allow. */
export class FairDispatcher<Item> {
  readonly #queue = new FairQueue<Item>()
  readonly #options: DispatcherOptions<Item>

  constructor(options: DispatcherOptions<Item>) {
    this.#options = options
  }

  waitingOf(name: string): number {
    return this.#queue.waitingOf(name)
  }

  names(): Iterable<string> {
    return this.#queue.names()
  }

  push(name: string, item: Item): void {
    this.#queue.push(name, item)
    this.startNext()
  }

  /** Starts what may start. To be called when a limit has room again. */
  startNext(): void {
    const { start, mayStart, isFull } = this.#options
    while (this.#queue.size > 0 && !isFull()) {
      const item = this.#queue.shift(mayStart)
      if (item === undefined) return
      start(item)
    }
  }

  remove(name: string, item: Item): void {
    this.#queue.remove(name, item)
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
