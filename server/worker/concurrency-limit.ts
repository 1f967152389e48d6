import type { TaskName } from '../store/jobs/job-payloads.ts'
import { decodeLane, laneParts } from '../store/jobs/lanes.ts'
import type { Task } from './run-job.ts'

type Run = () => Promise<void>

/** Runs a job of a lane as soon as the limits of its task allow it. */
export type ConcurrencyLimit = (laneKey: string, run: Run) => Promise<void>

/** A part of a lane with its value, and the maximum number of its jobs that run at once. */
interface Bound {
  name: string
  max: number
}

/**
 * Limits the jobs of a task that run at once: in total, and for each part of a lane, such as account and destination. A job counts
 * against its limits only when it starts, so jobs that wait for one account or destination do not delay others. The lane that has waited
 * longest goes first.
 */
export function openConcurrencyLimit<K extends TaskName>(
  taskName: K, { maxPerLane, maxInAllLanes = maxPerLane, maxPerLanePart, maxStartsPerLoopTurn = Infinity }: Task<K>,
): ConcurrencyLimit {
  const running = new Map<string, number>()
  const waiting = new Map<string, { bounds: Bound[], starts: (() => void)[] }>()
  let runningInAllLanes = 0
  let startedInLoopTurn = 0

  function boundsOf(laneKey: string): Bound[] {
    if (maxPerLanePart === undefined) return []
    const lane = decodeLane(taskName, laneKey)
    return laneParts[taskName].map((part) => ({ name: `${part} ${lane[part]}`, max: maxPerLanePart[part] }))
  }

  const isBelowMax = (bounds: Bound[]) => bounds.every(({ name, max }) => (running.get(name) ?? 0) < max)

  function count(bounds: Bound[], change: 1 | -1) {
    runningInAllLanes += change
    for (const { name } of bounds) {
      const jobs = (running.get(name) ?? 0) + change
      if (jobs > 0) running.set(name, jobs)
      else running.delete(name)
    }
  }

  function startNext() {
    for (const [laneKey, { bounds, starts }] of waiting) {
      while (starts.length > 0 && runningInAllLanes < maxInAllLanes && isBelowMax(bounds)) {
        if (startedInLoopTurn === maxStartsPerLoopTurn) return
        if (startedInLoopTurn++ === 0) setImmediate(beginLoopTurn)
        count(bounds, 1)
        starts.shift()!()
      }
      if (starts.length === 0) waiting.delete(laneKey)
      if (runningInAllLanes >= maxInAllLanes) return
    }
  }

  function beginLoopTurn() {
    startedInLoopTurn = 0
    startNext()
  }

  return async (laneKey, run) => {
    const found = waiting.get(laneKey) ?? { bounds: boundsOf(laneKey), starts: [] }
    waiting.set(laneKey, found)
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
