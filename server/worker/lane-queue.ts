import PQueue from 'p-queue'
import type { App } from '../context.ts'
import { inTransaction, withReserve } from '../store/database.ts'
import type { TaskName } from '../store/jobs/job-payloads.ts'
import { claimJobs, nextDue } from '../store/jobs/jobs.ts'
import type { Job } from '../store/jobs/jobs.ts'
import type { ClaimThrottle } from './claim-throttle.ts'
import type { ConcurrencyLimit } from './concurrency-limit.ts'
import { runJob } from './run-job.ts'
import type { Task } from './run-job.ts'

export interface LaneQueue<K extends TaskName> {
  /** Runs a claimed job. */
  run(job: Job<K>): void
  /** Looks for due jobs after a commit that queued some. @param isOfOtherNode whose commits are no load of this process */
  wake(isOfOtherNode?: boolean): void
  isBusy(): boolean
  settled(): Promise<void>
  close(): Promise<void>
}

interface LaneQueueOptions<K extends TaskName> {
  taskName: K
  laneKey: string
  task: Task<K>
  limit: ConcurrencyLimit
  throttle: ClaimThrottle
  /** Called when the lane has no jobs, due now or later. */
  onEmpty(): void
}

const claimRetryMs = 1_000

/** Claims and runs the jobs of one lane of a task, so that slow jobs delay only those of the same lane. */
export function openLaneQueue<K extends TaskName>(
  app: App, { taskName, laneKey, task, limit, throttle, onEmpty }: LaneQueueOptions<K>,
): LaneQueue<K> {
  const queue = new PQueue({ concurrency: task.maxPerLane })
  /** The jobs that wait for a slot or run, by id, each with a promise of its end. */
  const claimed = new Map<string, Promise<void>>()
  let claiming = Promise.resolve()
  let isClosed = false
  let isClaiming = false
  let isWoken = false
  /** Whether more jobs may be due than were claimed. */
  let mayHaveMore = false
  let cancelTimer = () => {}

  const wake = () => {
    if (isClosed || app.closing.aborted) return
    isWoken = true
    if (!isClaiming) claiming = claimAll()
  }

  async function claimAll() {
    isClaiming = true
    cancelTimer()
    let isEmpty = false
    try {
      while (isWoken && !isClosed) {
        isWoken = false
        await claimDue()
      }
      if (!isClosed) isEmpty = await planWake()
    } catch (error) {
      app.log.error({ err: error, task: taskName }, 'cannot claim jobs')
      cancelTimer = app.clock.at(app.clock.now() + claimRetryMs, wake)
    } finally {
      isClaiming = false
      if (isWoken) wake() // woken since the last claim
      else if (isEmpty) onEmpty()
    }
  }

  /** Claims as many jobs as can start soon: the others stay free for other processes. */
  async function claimDue() {
    const room = task.maxPerLane * 2 - claimed.size
    mayHaveMore = room < task.maxPerLane
    if (mayHaveMore) return // enough jobs are claimed; the next one that ends wakes this lane
    const due = await nextDue(app.db, taskName, laneKey)
    if (due === null || due > app.clock.now()) return // without a transaction: the job that woke this lane may be due in days
    const maxJobs = await throttle.admit(room, secondsLate)
    if (isClosed) return
    const jobs = await inTransaction(withReserve(app.db), (tx) =>
      claimJobs(tx, { task: taskName, laneKey, limit: maxJobs, claimedBy: app.node.id }))
    throttle.giveBack(maxJobs - jobs.length)
    mayHaveMore = jobs.length === maxJobs
    for (const job of jobs) run(job)
  }

  function run(job: Job<K>) {
    if (isClosed) return
    // a run whose claim was lost, and that still works on this job: two at once would take each other's results
    const former = claimed.get(job.id)
    const ended = queue.add(async () => {
      await former
      await limit(laneKey, async () => {
        if (!isClosed && job.claimedBy === app.node.id) await runJob(app, task, job)
      })
    })
      .catch((error: unknown) => app.log.error({ err: error, task: taskName, job: job.id }, 'job left until its claim is released'))
      .finally(() => {
        if (claimed.get(job.id) === ended) claimed.delete(job.id)
        if (claimed.size === 0 || mayHaveMore && claimed.size <= task.maxPerLane) wake()
      })
    claimed.set(job.id, ended)
  }

  async function secondsLate() {
    const due = await nextDue(app.db, taskName, laneKey)
    return due === null ? 0 : Math.max(0, app.clock.now() - due) / 1000
  }

  /** Sets the timer for the next due job. @returns whether the lane has no jobs */
  async function planWake() {
    if (claimed.size > task.maxPerLane) return false
    const due = await nextDue(app.db, taskName, laneKey)
    if (due !== null && !isClosed) cancelTimer = app.clock.at(due, wake)
    return due === null && claimed.size === 0
  }

  const isBusy = () => isClaiming || claimed.size > 0
  return {
    run,
    wake(isOfOtherNode = false) {
      if (!isOfOtherNode) throttle.recordCommit()
      wake()
    },
    isBusy,
    async settled() {
      while (isBusy()) {
        await claiming
        await queue.onIdle()
        await new Promise(setImmediate)
      }
    },
    async close() {
      isClosed = true
      await claiming
      cancelTimer()
      await queue.onIdle()
    },
  }
}
