import type { TaskName } from '../store/jobs/job-payloads.ts'
import { decodeLane, laneParts } from '../store/jobs/lanes.ts'
import { FairDispatcher } from '../turns/fair-queue.ts'
import type { Task } from './run-job.ts'

type Run = () => Promise<void>

/** Runs a job of a lane as soon as the limits of its task allow it. */
export type ConcurrencyLimit = (laneKey: string, run: Run) => Promise<void>

/** A part of a lane with its value, and the maximum number of its jobs that run at once. */
interface Bound {
  name: string
  max: number
}

interface WaitingJob {
  bounds: Bound[]
  start(): void
}

/**
 * Limits the jobs of a task that run at once: in total, and for each part of a lane, such as account and destination. A job counts
 * against its limits only when it starts, so jobs that wait for one account or destination do not delay others. Lanes take turns.
 */
export function openConcurrencyLimit<K extends TaskName>(
  taskName: K, { maxPerLane, maxInAllLanes = maxPerLane, maxPerLanePart, maxStartsPerLoopTurn = Infinity }: Task<K>,
): ConcurrencyLimit {
  const running = new Map<string, number>()
  let runningInAllLanes = 0
  let startedInLoopTurn = 0
  const waiting = new FairDispatcher<WaitingJob>({
    isFull: () => runningInAllLanes >= maxInAllLanes || startedInLoopTurn >= maxStartsPerLoopTurn,
    mayStart: (_laneKey, { bounds }) => bounds.every(({ name, max }) => (running.get(name) ?? 0) < max),
    start({ bounds, start }) {
      if (startedInLoopTurn++ === 0) setImmediate(beginLoopTurn)
      count(bounds, 1)
      start()
    },
  })

  function boundsOf(laneKey: string): Bound[] {
    if (maxPerLanePart === undefined) return []
    const lane = decodeLane(taskName, laneKey)
    return laneParts[taskName].map((part) => ({ name: `${part} ${lane[part]}`, max: maxPerLanePart[part] }))
  }

  function count(bounds: Bound[], change: 1 | -1) {
    runningInAllLanes += change
    for (const { name } of bounds) {
      const jobs = (running.get(name) ?? 0) + change
      if (jobs > 0) running.set(name, jobs)
      else running.delete(name)
    }
  }

  function beginLoopTurn() {
    startedInLoopTurn = 0
    waiting.startNext()
  }

  return async (laneKey, run) => {
    const bounds = boundsOf(laneKey)
    await new Promise<void>((start) => { waiting.push(laneKey, { bounds, start }) })
    try {
      await run()
    } finally {
      count(bounds, -1)
      waiting.startNext()
    }
  }
}
