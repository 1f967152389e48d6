import type { App } from '../context.ts'
import type { TaskName } from '../store/jobs/job-payloads.ts'
import { laneKeysOf } from '../store/jobs/jobs.ts'
import type { Job } from '../store/jobs/jobs.ts'
import { jobTopic } from '../store/jobs/lanes.ts'
import { openClaimThrottle } from './claim-throttle.ts'
import { openConcurrencyLimit } from './concurrency-limit.ts'
import { openLaneQueue } from './lane-queue.ts'
import type { LaneQueue } from './lane-queue.ts'
import type { Task } from './task.ts'

export interface TaskQueue<K extends TaskName> {
  /** Runs a claimed job. */
  run(job: Job<K>): void
  /** Looks for due jobs in the lanes of this task that a commit has announced. */
  wake(topics: Set<string>, isOfOtherNode: boolean): void
  /** Looks for due jobs in all lanes. */
  wakeAll(): void
  isBusy(): boolean
  settled(): Promise<void>
  close(): Promise<void>
}

/** The lanes of one task. A queue for a lane exists while the lane has jobs. */
export function openTaskQueue<K extends TaskName>(app: App, taskName: K, task: Task<K>): TaskQueue<K> {
  const limit = openConcurrencyLimit(taskName, task)
  const throttle = openClaimThrottle(task.underLoad)
  const topicPrefix = jobTopic(taskName, '')
  const lanes = new Map<string, LaneQueue<K>>()
  let isClosed = false
  let isListing = true

  function laneOf(laneKey: string) {
    let found = lanes.get(laneKey)
    if (!found) {
      const onEmpty = () => { if (laneKey !== '') lanes.delete(laneKey) }
      lanes.set(laneKey, found = openLaneQueue(app, { taskName, laneKey, task, limit, throttle, onEmpty }))
    }
    return found
  }

  let listing = wakeListed()
  async function wakeListed() {
    isListing = true
    laneOf('').wake()
    try {
      const laneKeys = task.maxInAllLanes ? await laneKeysOf(app.db, taskName) : []
      for (const laneKey of laneKeys) if (!isClosed) laneOf(laneKey).wake()
    } catch (error) {
      app.log.error({ err: error, task: taskName }, 'cannot list the lanes of a task: their jobs start later')
    } finally {
      isListing = false
    }
  }

  return {
    run(job) {
      if (!isClosed) laneOf(job.laneKey).run(job)
    },
    wake(topics, isOfOtherNode) {
      for (const topic of topics) if (topic.startsWith(topicPrefix)) laneOf(topic.slice(topicPrefix.length)).wake(isOfOtherNode)
    },
    wakeAll() {
      listing = listing.then(wakeListed)
    },
    isBusy: () => isListing || [...lanes.values()].some((lane) => lane.isBusy()),
    async settled() {
      await listing
      for (const lane of [...lanes.values()]) await lane.settled()
    },
    async close() {
      isClosed = true
      await Promise.all([listing, ...[...lanes.values()].map((lane) => lane.close())])
    },
  }
}
