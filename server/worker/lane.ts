import PQueue from 'p-queue'
import type { App } from '../context.ts'
import { inTransaction, withReserve } from '../store/database.ts'
import { claimJobs, nextDue } from '../store/jobs.ts'
import { runJob } from './run-job.ts'
import type { Pace } from './pace.ts'
import type { Task } from './task.ts'
import type { Turns } from './turns.ts'

export interface Lane {
  /** Looks for due jobs. */
  wake(): void
  isBusy(): boolean
  settled(): Promise<void>
  close(): Promise<void>
}

interface LaneOptions {
  name: string
  lane: string
  task: Task<never>
  turns: Turns
  pace: Pace
  /** Called when nothing is left to do, now or later. */
  forget(): void
}

/** The jobs of one task, or of one lane of it: slow work holds back only itself. */
export function startLane(app: App, { name, lane, task, turns, pace, forget }: LaneOptions): Lane {
  const queue = new PQueue({ concurrency: task.concurrency })
  const lease = task.lease * 1000
  const claimed = new Set<string>()
  let claiming = Promise.resolve()
  let isClosed = false
  let isClaiming = false
  let isWoken = false
  let cancelTimer = () => {}

  const wake = () => {
    if (isClosed || app.closing.aborted) return
    isWoken = true
    if (!isClaiming) claiming = claimAll()
  }

  async function claimAll() {
    isClaiming = true
    cancelTimer()
    let isDone = false
    try {
      while (isWoken && !isClosed) {
        isWoken = false
        await claimDue()
      }
      if (!isClosed) isDone = await wakeInTime()
    } catch (error) {
      app.log.error({ err: error, task: name }, 'cannot claim jobs')
      cancelTimer = app.clock.at(app.clock.now() + 1000, wake)
    } finally {
      isClaiming = false
      // woken between the last look and now
      if (isWoken) wake()
      else if (isDone) forget()
    }
  }

  /** Claims as many as can start soon: the rest stays free for other processes. */
  async function claimDue() {
    const room = task.concurrency * 2 - claimed.size
    if (room < task.concurrency) return // enough to go on with; the next one to end wakes us
    const limit = await pace.admit(room, secondsLate)
    if (isClosed) return
    const jobs = await inTransaction(withReserve(app.db), (tx) => claimJobs(tx, { task: name, lane, limit, lease }))
    pace.giveBack(limit - jobs.length)
    for (const job of jobs) {
      if (claimed.has(job.id)) continue // still running here, though its lease is over
      claimed.add(job.id)
      void queue.add(() => turns(lane, async () => isClosed ? undefined : runJob(app, task, job)))
        .catch((error: unknown) => app.log.error({ err: error, task: name, job: job.id }, 'job abandoned until its lease ends'))
        .finally(() => {
          claimed.delete(job.id)
          if (claimed.size <= task.concurrency) wake()
        })
    }
  }

  async function secondsLate() {
    const due = await nextDue(app.db, name, lane)
    return due === null ? 0 : Math.max(0, app.clock.now() - due) / 1000
  }

  /** @returns whether nothing is left to do */
  async function wakeInTime() {
    if (claimed.size > task.concurrency) return false
    const due = await nextDue(app.db, name, lane)
    if (due !== null && !isClosed) cancelTimer = app.clock.at(due, wake)
    return due === null && claimed.size === 0
  }

  const isBusy = () => isClaiming || claimed.size > 0
  return {
    wake() {
      pace.note()
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
