import type { App } from '../context.ts'
import type { MaybePromise } from '../store/engine.ts'
import type { SharedDatabase, WindowCalls } from '../store/shared-database.ts'

/** Calls by name, counted in windows of time that are aligned to the clock. */
export interface CounterOptions {
  /** Distinguishes these counters from others. */
  kind: string
  windowMs: number
  /** Maximum names with a counter of their own in a window; further ones share one, which limits the memory. */
  maxNames: number
}

/**
 * Adds a call in the window of that number.
 * @param limit calls of the name in a window that are allowed; the count beyond it may be too low
 * @returns the count, this call included; a promise where several nodes count together
 */
export type CountCall = (window: number, name: string, limit: number) => number | Promise<number>

/** A counter and its limit in each window. */
export interface CallLimit {
  name: string
  limit: number
}

/**
 * Adds a call to counters, one after the other up to the first whose limit it exceeds: a refused call does not use up the limits of wider
 * networks, which others share.
 * @returns the limit with the fewest calls left, and these; less than 0 for a call that is refused
 */
export function countInTurn(count: CountCall, window: number, limits: CallLimit[]): MaybePromise<{ limit: number, left: number }> {
  let fewest = { limit: Infinity, left: Infinity }
  const next = (i: number): MaybePromise<typeof fewest> => {
    const limit = limits[i]
    if (!limit || fewest.left < 0) return fewest
    const go = (calls: number) => {
      const left = limit.limit - calls
      if (left < fewest.left) fewest = { limit: limit.limit, left }
      return next(i + 1)
    }
    const calls = count(window, limit.name, limit.limit)
    return typeof calls === 'number' ? go(calls) : calls.then(go)
  }
  return next(0)
}

/** Counts for all nodes that share the database, or in memory for a single process. */
export function openCounters({ db, log }: Pick<App, 'db' | 'log'>, options: CounterOptions): CountCall {
  const { shared } = db.engine
  if (!shared) return windowCounters(options.maxNames)
  return sharedCounters(openCallBatch(shared), options, (endedBefore) => {
    shared.removeCalls(endedBefore).catch((error: unknown) => log.warn({ err: error }, 'old counters of calls cannot be removed'))
  })
}

/** Counts calls by name within a window. @returns a function that adds a call and returns the count, this call included */
export function windowCounters(maxNames: number): (window: number, name: string) => number {
  let current: number | undefined
  let counts = new Map<string, number>()
  return (window, name) => {
    if (window !== current) {
      current = window
      counts = new Map()
    }
    const counted = counts.has(name) || counts.size < maxNames ? name : 'others'
    const count = (counts.get(counted) ?? 0) + 1
    counts.set(counted, count)
    return count
  }
}

/** A window that has ended is kept for this time: the time of another node may be a little behind. */
const keepMs = 60_000

function sharedCounters(
  add: AddCall, { kind, windowMs, maxNames }: CounterOptions,
  removeOld: (endedBefore: number) => void,
): CountCall {
  let current: number | undefined
  /** The highest count that is known of each name. */
  let known = new Map<string, number>()
  return (window, name, limit) => {
    if (window !== current) {
      if (current !== undefined) removeOld(window * windowMs - keepMs)
      current = window
      known = new Map()
    }
    const counts = known
    const counted = counts.has(name) || counts.size < maxNames ? name : 'others'
    const count = counts.get(counted) ?? 0
    if (count > limit) return count // without the database: a caller that does not stop must not cost more than its refusal
    counts.set(counted, count)
    return add(`${kind} ${counted}`, (window + 1) * windowMs, () => counts.get(counted)!).then((sum) => {
      counts.set(counted, Math.max(sum, counts.get(counted)!))
      return sum
    })
  }
}

/** @param known the highest count that was received */
type AddCall = (name: string, endsAt: number, known: () => number) => Promise<number>

interface CountedCalls extends Omit<WindowCalls, 'calls' | 'known'> {
  known(): number
  waiting: { resolve(count: number): void, reject(error: unknown): void }[]
}

/** Adds the calls of a turn of the event loop in one statement; those that come during a statement share the next one. */
function openCallBatch({ addCalls }: SharedDatabase): AddCall {
  let calls = new Map<string, CountedCalls>()
  let isRunning = false

  async function addAll() {
    isRunning = true
    await new Promise(setImmediate)
    while (calls.size > 0) {
      const added = [...calls.values()]
      calls = new Map()
      try {
        const sums = await addCalls(added.map(({ name, endsAt, known, waiting }) =>
          ({ name, endsAt, known: known(), calls: waiting.length })))
        for (const [i, { waiting }] of added.entries()) {
          for (const [j, { resolve }] of waiting.entries()) resolve(sums[i]! - waiting.length + 1 + j)
        }
      } catch (error) {
        for (const { waiting } of added) for (const { reject } of waiting) reject(error)
      }
    }
    isRunning = false
  }

  return (name, endsAt, known) => new Promise((resolve, reject) => {
    const key = `${endsAt} ${name}`
    const counted = calls.get(key) ?? { name, endsAt, known, waiting: [] }
    calls.set(key, counted)
    counted.waiting.push({ resolve, reject })
    if (!isRunning) void addAll()
  })
}
