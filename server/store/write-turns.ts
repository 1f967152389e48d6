import { isMainThread } from 'node:worker_threads'

/** Where a thread stands: in the memory that all threads of the process share. */
export interface WritePlace {
  memory: SharedArrayBuffer
  slot: number
}

export interface WriteTurns {
  /** A place for another thread. @param isUrgent it goes before all others, every second time at most */
  join(isUrgent: boolean): WritePlace
  /** Frees the place of a thread that has ended, and its turn. */
  leave(place: WritePlace): void
}

const places = 32
/** A thread that was not given its turn by then writes all the same: SQLite's own lock decides. */
const maxWaitMs = 1_000

// Int32Array: the holder's slot + 1 or 0; the slot that had the last turn; then for each slot its state, and whether it is urgent
const holder = 0
const last = 1
const stateOf = (slot: number) => 2 + slot
const urgencyOf = (slot: number) => 2 + places + slot
const [idle, waiting, granted] = [0, 1, 2] as const

/**
 * Threads that write one SQLite file take turns. SQLite has one write lock and no queue for it: without turns, a thread that
 * commits without a pause takes the lock again before those that ask now and then, for seconds on end.
 */
export function openWriteTurns(): WriteTurns {
  const memory = new SharedArrayBuffer(4 * (2 + 2 * places))
  const cells = new Int32Array(memory)
  const taken = new Set<number>()
  return {
    join(isUrgent) {
      const slot = Array.from({ length: places }, (_, i) => i).find((i) => !taken.has(i))
      if (slot === undefined) throw new Error(`more than ${places} threads write one database`)
      taken.add(slot)
      Atomics.store(cells, urgencyOf(slot), Number(isUrgent))
      return { memory, slot }
    },
    leave({ slot }) {
      Atomics.store(cells, stateOf(slot), idle)
      if (Atomics.load(cells, holder) === slot + 1) release(cells)
      taken.delete(slot)
    },
  }
}

/** Runs a transaction when it is this thread's turn. */
export type WriteTurn = <T>(write: () => Promise<T>) => Promise<T>

export function writeTurnAt({ memory, slot }: WritePlace): WriteTurn {
  const cells = new Int32Array(memory)
  return async (write) => {
    const hasTurn = await takeTurn(cells, slot)
    try {
      return await write()
    } finally {
      if (hasTurn) release(cells)
    }
  }
}

/** @returns false when the time is over */
async function takeTurn(cells: Int32Array<SharedArrayBuffer>, slot: number): Promise<boolean> {
  const state = stateOf(slot)
  Atomics.store(cells, state, waiting) // before the look at the holder, who looks for those that wait after it has let go
  if (Atomics.compareExchange(cells, holder, 0, slot + 1) === 0) {
    Atomics.store(cells, state, idle)
    return true
  }
  if (isMainThread) await granting(cells, state)
  // with its turn, a thread that went on to other work meanwhile would hold up all that write until that is done
  else Atomics.wait(cells, state, waiting, maxWaitMs)
  return Atomics.exchange(cells, state, idle) === granted
}

/** Waits without holding up the event loop. */
async function granting(cells: Int32Array<SharedArrayBuffer>, state: number): Promise<void> {
  const wait = Atomics.waitAsync(cells, state, waiting)
  if (!wait.async) return
  // the timer also keeps the process alive, which the wait does not
  let timer: NodeJS.Timeout
  await Promise.race([wait.value, new Promise((resolve) => { timer = setTimeout(resolve, maxWaitMs) })])
  clearTimeout(timer!)
}

function release(cells: Int32Array<SharedArrayBuffer>) {
  Atomics.store(cells, last, Atomics.load(cells, holder) - 1)
  if (handOver(cells)) return
  Atomics.store(cells, holder, 0)
  // a thread that began to wait since the look has found the place taken
  const next = nextWaiting(cells)
  if (next !== undefined && Atomics.compareExchange(cells, holder, 0, next + 1) === 0 && !grant(cells, next)) release(cells)
}

function handOver(cells: Int32Array<SharedArrayBuffer>): boolean {
  for (let next = nextWaiting(cells); next !== undefined; next = nextWaiting(cells)) {
    Atomics.store(cells, holder, next + 1)
    if (grant(cells, next)) return true
  }
  return false
}

/** @returns false when the thread has stopped waiting */
function grant(cells: Int32Array<SharedArrayBuffer>, slot: number): boolean {
  if (Atomics.compareExchange(cells, stateOf(slot), waiting, granted) !== waiting) return false
  Atomics.notify(cells, stateOf(slot))
  return true
}

/** The next in rotation, urgent threads and the others in alternation. */
function nextWaiting(cells: Int32Array<SharedArrayBuffer>): number | undefined {
  const lastSlot = Atomics.load(cells, last)
  const inRotation = Array.from({ length: places }, (_, i) => (lastSlot + 1 + i) % places)
    .filter((slot) => Atomics.load(cells, stateOf(slot)) === waiting)
  const isUrgent = (slot: number) => Atomics.load(cells, urgencyOf(slot)) === 1
  return inRotation.find((slot) => isUrgent(slot) !== isUrgent(lastSlot)) ?? inRotation[0]
}
