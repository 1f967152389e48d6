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
export class LaneQueue<K extends TaskName> {
  readonly #app: App
  readonly #options: LaneQueueOptions<K>
  readonly #queue: PQueue
  /** The jobs that wait for a slot or run, by id, each with a promise of its end. */
  readonly #claimed = new Map<string, Promise<void>>()
  #claiming = Promise.resolve()
  #isClaiming = false
  /** Whether jobs may have become due since the last claim began. */
  #isWoken = false
  /** Whether more jobs may be due than were claimed. */
  #mayHaveMore = false
  /** Cancels the timer of the next claim. */
  #cancelTimer = (): void => {}
  #isClosed = false

  constructor(app: App, options: LaneQueueOptions<K>) {
    this.#app = app
    this.#options = options
    this.#queue = new PQueue({ concurrency: options.task.maxPerLane })
  }

  /** Looks for due jobs after a commit that queued some. @param isOfOtherNode whose commits are no load of this process */
  wake(isOfOtherNode = false): void {
    if (!isOfOtherNode) this.#options.throttle.recordCommit()
    this.#wake()
  }

  #wake() {
    if (this.#isClosed || this.#app.closing.aborted) return
    this.#isWoken = true
    if (!this.#isClaiming) this.#claiming = this.#claimAll()
  }

  async #claimAll() {
    const { clock, log } = this.#app
    this.#isClaiming = true
    this.#cancelTimer()
    let isEmpty = false
    try {
      while (this.#isWoken && !this.#isClosed) {
        this.#isWoken = false
        await this.#claimDue()
      }
      if (!this.#isClosed) isEmpty = await this.#planWake()
    } catch (error) {
      log.error({ err: error, task: this.#options.taskName }, 'cannot claim jobs')
      this.#cancelTimer = clock.at(clock.now() + claimRetryMs, () => this.#wake())
    } finally {
      this.#isClaiming = false
      if (this.#isWoken) this.#wake() // woken since the last claim
      else if (isEmpty) this.#options.onEmpty()
    }
  }

  /** Claims as many jobs as can start soon: the others stay free for other processes. */
  async #claimDue() {
    const { db, clock, node } = this.#app
    const { taskName, laneKey, task, throttle } = this.#options
    const room = task.maxPerLane * 2 - this.#claimed.size
    this.#mayHaveMore = room < task.maxPerLane
    if (this.#mayHaveMore) return // enough jobs are claimed; the next one that ends wakes this lane
    const due = await this.#nextDue()
    if (due === null || due > clock.now()) return // without a transaction: the job that woke this lane may be due in days
    const maxJobs = await throttle.admit(room, () => this.#secondsLate())
    if (this.#isClosed) return
    const jobs = await inTransaction(withReserve(db), (tx) =>
      claimJobs(tx, { task: taskName, laneKey, limit: maxJobs, claimedBy: node.id }))
    throttle.giveBack(maxJobs - jobs.length)
    this.#mayHaveMore = jobs.length === maxJobs
    for (const job of jobs) this.run(job)
  }

  async #secondsLate() {
    const due = await this.#nextDue()
    return due === null ? 0 : Math.max(0, this.#app.clock.now() - due) / 1000
  }

  /** Sets the timer for the next due job. @returns whether the lane has no jobs */
  async #planWake() {
    if (this.#claimed.size > this.#options.task.maxPerLane) return false
    const due = await this.#nextDue()
    if (due !== null && !this.#isClosed) this.#cancelTimer = this.#app.clock.at(due, () => this.#wake())
    return due === null && this.#claimed.size === 0
  }

  #nextDue() {
    return nextDue(this.#app.db, this.#options.taskName, this.#options.laneKey)
  }

  /** Runs a claimed job. */
  run(job: Job<K>): void {
    if (this.#isClosed) return
    const { taskName, task } = this.#options
    // a run whose claim was lost, and that still works on this job: two at once would take each other's results
    const former = this.#claimed.get(job.id)
    const ended = this.#queue.add(async () => {
      await former
      await this.#runWithinLimit(job)
    })
      .catch((error: unknown) => this.#app.log.error({ err: error, task: taskName, job: job.id }, 'job left until its claim is released'))
      .finally(() => {
        if (this.#claimed.get(job.id) === ended) this.#claimed.delete(job.id)
        if (this.#claimed.size === 0 || this.#mayHaveMore && this.#claimed.size <= task.maxPerLane) this.#wake()
      })
    this.#claimed.set(job.id, ended)
  }

  #runWithinLimit(job: Job<K>) {
    const { laneKey, task, limit } = this.#options
    return limit(laneKey, async () => {
      if (!this.#isClosed && job.claimedBy === this.#app.node.id) await runJob(this.#app, task, job)
    })
  }

  isBusy(): boolean {
    return this.#isClaiming || this.#claimed.size > 0
  }

  async settled(): Promise<void> {
    while (this.isBusy()) {
      await this.#claiming
      await this.#queue.onIdle()
      await new Promise(setImmediate)
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#claiming
    this.#cancelTimer()
    await this.#queue.onIdle()
  }
}
