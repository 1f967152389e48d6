import type { App } from '../context.ts'
import type { Claim } from '../store/jobs/claims.ts'
import type { TaskName } from '../store/jobs/job-payloads.ts'
import { laneKeysOf } from '../store/jobs/jobs.ts'
import type { Job } from '../store/jobs/jobs.ts'
import { jobTopic } from '../store/jobs/lanes.ts'
import { openClaimThrottle } from './claim-throttle.ts'
import { openConcurrencyLimit } from './concurrency-limit.ts'
import { LaneQueue } from './lane-queue.ts'
import { endClaim } from './run-job.ts'
import type { Task, Tasks } from './run-job.ts'

export interface Worker {
  /** Runs a job that was claimed in the transaction that queued it. */
  run<K extends TaskName>(job: Job<K>): void
  /** Makes a job due again that this node has claimed and does not run. Does nothing when there is no such job. */
  release(claim: Claim): void
  /** Resolves when no job is due and none runs. */
  settled(): Promise<void>
  /** Looks for due jobs of a task without lanes, such as those that another process has queued. */
  wake(task: TaskName): void
  /** Looks for due jobs in all lanes, including those that no commit has announced. */
  wakeAll(): void
  /** Resolves when the running jobs have ended; all others stay in the queue. */
  close(): Promise<void>
}

/** Runs the jobs of the given tasks: woken by the commit that queues a job, and by the clock when the next job is due. */
export function startWorker(app: App, tasks: Partial<Tasks>): Worker {
  const open = <K extends TaskName>(name: K) => openTaskQueue(app, name, tasks[name]!)
  const byTask = new Map((Object.keys(tasks) as TaskName[]).map((name) => [name, open<TaskName>(name)]))
  const queueOf = <K extends TaskName>(name: K) => byTask.get(name) as TaskQueue<K> | undefined
  const queues = [...byTask.values()]
  const wake = (topics: Set<string>, isOfOtherNode = false) => {
    for (const queue of queues) queue.wake(topics, isOfOtherNode)
  }
  let releasing: Promise<unknown> = Promise.resolve()
  app.db.commits.on('committed', wake)
  return {
    run: (job) => queueOf(job.task)?.run(job),
    release(claim) {
      const released = endClaim(app, claim, { isCounted: false, onLost() {} }).catch((error: unknown) => {
        app.log.error({ err: error, job: claim.id }, 'job left until its claim is released')
      })
      releasing = Promise.all([releasing, released])
    },
    async settled() {
      // the topics of a commit are announced in the turn after its results: at first those of a mail, then those of a job
      await new Promise(setImmediate)
      do {
        await releasing
        for (const queue of queues) await queue.settled()
        await new Promise(setImmediate)
      } while (queues.some((queue) => queue.isBusy()))
    },
    wake(task) {
      wake(new Set([jobTopic(task, '')]))
    },
    wakeAll() {
      for (const queue of queues) queue.wakeAll()
    },
    async close() {
      app.db.commits.off('committed', wake)
      await releasing
      await Promise.all(queues.map((queue) => queue.close()))
    },
  }
}

interface TaskQueue<K extends TaskName> {
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
function openTaskQueue<K extends TaskName>(app: App, taskName: K, task: Task<K>): TaskQueue<K> {
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
      lanes.set(laneKey, found = new LaneQueue(app, { taskName, laneKey, task, limit, throttle, onEmpty }))
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
