import { isMainThread } from 'node:worker_threads'
import { waitAtMost } from '../../deadline.ts'

/** The slot of a thread in the memory that all threads of the process share. */
export interface WritePlace {
  memory: SharedArrayBuffer
  slot: number
}

export interface WriteTurns {
  /** Assigns a slot to a thread. @param isUrgent the thread goes before others, at most every second time */
  join(isUrgent: boolean): WritePlace
  /** Frees the slot of a thread that has ended, and its turn. */
  leave(place: WritePlace): void
}

/** Maximum threads that write: up to 64 for small mail, and a few others. A replaced thread has its slot until it has ended. */
const maxThreads = 128
/** Milliseconds after which a thread writes without a turn; SQLite's own lock then decides. */
const maxWaitMs = 1_000

// Int32Array: the holder's slot + 1, or 0; the slot of the last turn; the state of each slot; whether each slot is urgent; the number of
// slots that were taken so far
const holder = 0
const last = 1
const stateOf = (slot: number) => 2 + slot
const urgencyOf = (slot: number) => 2 + maxThreads + slot
const used = 2 + 2 * maxThreads
const [idle, waiting, granted] = [0, 1, 2] as const

/**
 * Turns for the threads that write one SQLite file. SQLite's write lock has no queue: without turns, a thread that commits without
 * a pause takes the lock again before threads that poll for it get it, for seconds (docs/decisions/0014).
 */
export function openWriteTurns(): WriteTurns {
  const memory = new SharedArrayBuffer(4 * (used + 1))
  const cells = new Int32Array(memory)
  const taken = new Set<number>()
  return {
    join(isUrgent) {
      const slot = Array.from({ length: maxThreads }, (_, i) => i).find((i) => !taken.has(i))
      if (slot === undefined) throw new Error(`more than ${maxThreads} threads write one database`)
      taken.add(slot)
      Atomics.store(cells, urgencyOf(slot), Number(isUrgent))
      Atomics.store(cells, used, Math.max(Atomics.load(cells, used), slot + 1))
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

/** @returns false after `maxWaitMs` without a turn */
async function takeTurn(cells: Int32Array<SharedArrayBuffer>, slot: number): Promise<boolean> {
  const state = stateOf(slot)
  Atomics.store(cells, state, waiting) // before the holder is read: a holder first releases, then looks for waiting threads
  if (Atomics.compareExchange(cells, holder, 0, slot + 1) === 0) {
    Atomics.store(cells, state, idle)
    return true
  }
  if (isMainThread) await untilGranted(cells, state)
  // blocks the thread: if it did other work when its turn comes, all other writers would wait for the end of that work
  else Atomics.wait(cells, state, waiting, maxWaitMs)
  return Atomics.exchange(cells, state, idle) === granted
}

/** Waits without holding up the event loop. */
async function untilGranted(cells: Int32Array<SharedArrayBuffer>, state: number): Promise<void> {
  const wait = Atomics.waitAsync(cells, state, waiting)
  if (!wait.async) return
  await waitAtMost(maxWaitMs, wait.value) // its timer also keeps the process alive, which the wait does not
}

function release(cells: Int32Array<SharedArrayBuffer>) {
  Atomics.store(cells, last, Atomics.load(cells, holder) - 1)
  if (handOver(cells)) return
  Atomics.store(cells, holder, 0)
  // a thread that began to wait after handOver() has looked has seen the turn taken
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
  const lastUrgency = Atomics.load(cells, urgencyOf(lastSlot))
  let first: number | undefined
  const slots = Atomics.load(cells, used)
  for (let i = 1; i <= slots; i++) {
    const slot = (lastSlot + i) % slots
    if (Atomics.load(cells, stateOf(slot)) !== waiting) continue
    if (Atomics.load(cells, urgencyOf(slot)) !== lastUrgency) return slot
    first ??= slot
  }
  return first
}
