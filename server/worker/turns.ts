import type { Task } from './task.ts'

type Run = () => Promise<void>

/** Runs a job of a lane when there is room for it. */
export type Turns = (lane: string, run: Run) => Promise<void>

/** A part of a lane's name, and the maximum number of its jobs that run at once. */
interface Bound {
  name: string
  max: number
}

/**
 * Limits the jobs of a task that run at once: in total, and for each part of the lane's name, such as account and destination. A
 * job counts against its limits only when it starts, so jobs that wait for one account or destination do not delay others. The
 * lane that has waited longest goes first.
 */
export function openTurns({ concurrency, inAllLanes = concurrency, ofOnePart, startsPerTurn = Infinity }: Task<never>): Turns {
  const running = new Map<string, number>()
  const waiting = new Map<string, { bounds: Bound[], starts: (() => void)[] }>()
  let inAll = 0
  let started = 0 // in this turn of the event loop

  function boundsOf(lane: string): Bound[] {
    if (ofOnePart === undefined) return []
    return lane.split('/').map((part, i) => ({ name: `${i} ${part}`, max: ofOnePart[i]! }))
  }

  const hasRoom = (bounds: Bound[]) => bounds.every(({ name, max }) => (running.get(name) ?? 0) < max)

  function count(bounds: Bound[], change: 1 | -1) {
    inAll += change
    for (const { name } of bounds) {
      const jobs = (running.get(name) ?? 0) + change
      if (jobs > 0) running.set(name, jobs)
      else running.delete(name)
    }
  }

  function startNext() {
    for (const [lane, { bounds, starts }] of waiting) {
      while (starts.length > 0 && inAll < inAllLanes && hasRoom(bounds)) {
        if (started === startsPerTurn) return
        if (started++ === 0) setImmediate(beginTurn)
        count(bounds, 1)
        starts.shift()!()
      }
      if (starts.length === 0) waiting.delete(lane)
      if (inAll >= inAllLanes) return
    }
  }

  function beginTurn() {
    started = 0
    startNext()
  }

  return async (lane, run) => {
    const found = waiting.get(lane) ?? { bounds: boundsOf(lane), starts: [] }
    waiting.set(lane, found)
    await new Promise<void>((start) => {
      found.starts.push(start)
      startNext()
    })
    try {
      await run()
    } finally {
      count(found.bounds, -1)
      startNext()
    }
  }
}
