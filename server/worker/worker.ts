import PQueue from 'p-queue'
import type { App } from '../context.ts'
import { inTransaction } from '../store/database.ts'
import { claimJobs, jobTopic, nextDue } from '../store/jobs.ts'
import { runJob } from './run-job.ts'
import type { Task } from './task.ts'

export interface Worker {
  /** Resolves when nothing is due and nothing runs. */
  settled(): Promise<void>
  /** Ends after the jobs that run; what waits stays in the queue. */
  close(): Promise<void>
}

/** Works on the queue: woken by the commit that adds a job, and by the clock when the next one is due. */
export function startWorker(app: App, tasks: Record<string, Task<never>>): Worker {
  const lanes = Object.entries(tasks).map(([name, task]) => startLane(app, name, task))
  const wake = (topics: Set<string>) => {
    for (const lane of lanes) if (topics.has(lane.topic)) lane.wake()
  }
  app.db.commits.on('committed', wake)
  for (const lane of lanes) lane.wake()
  return {
    async settled() {
      do {
        for (const lane of lanes) await lane.settled()
      } while (lanes.some((lane) => lane.isBusy()))
    },
    async close() {
      app.db.commits.off('committed', wake)
      await Promise.all(lanes.map((lane) => lane.close()))
    },
  }
}

/** The jobs of one task: a slow kind of work holds back only itself. */
function startLane(app: App, name: string, task: Task<never>) {
  const queue = new PQueue({ concurrency: task.concurrency })
  const lease = task.lease * 1000
  const claimed = new Set<string>()
  let isClosed = false
  let isClaiming = false
  let isWoken = false
  let cancelTimer = () => {}

  const wake = () => {
    if (isClosed) return
    isWoken = true
    if (!isClaiming) void claimAll()
  }

  async function claimAll() {
    isClaiming = true
    cancelTimer()
    try {
      while (isWoken && !isClosed) {
        isWoken = false
        await claimDue()
      }
      if (!isClosed) await wakeInTime()
    } catch (error) {
      app.log.error({ err: error, task: name }, 'cannot claim jobs')
      cancelTimer = app.clock.at(app.clock.now() + 1000, wake)
    } finally {
      isClaiming = false
      // woken between the last look and now
      if (isWoken) wake()
    }
  }

  /** Claims as many as can start soon: the rest stays free for other processes. */
  async function claimDue() {
    const room = task.concurrency * 2 - claimed.size
    if (room < task.concurrency) return // enough to go on with; the next one to end wakes us
    const jobs = await inTransaction(app.db, (tx) => claimJobs(tx, { task: name, limit: room, lease }))
    for (const job of jobs) {
      if (claimed.has(job.id)) continue // still running here, though its lease is over
      claimed.add(job.id)
      void queue.add(() => isClosed ? undefined : runJob(app, task, job))
        .catch((error: unknown) => app.log.error({ err: error, task: name, job: job.id }, 'job abandoned until its lease ends'))
        .finally(() => {
          claimed.delete(job.id)
          if (claimed.size <= task.concurrency) wake()
        })
    }
  }

  async function wakeInTime() {
    if (claimed.size > task.concurrency) return
    const due = await nextDue(app.db, name)
    if (due !== null && !isClosed) cancelTimer = app.clock.at(due, wake)
  }

  const isBusy = () => isClaiming || claimed.size > 0
  return {
    topic: jobTopic(name),
    wake,
    isBusy,
    async settled() {
      while (isBusy()) {
        await queue.onIdle()
        await new Promise(setImmediate)
      }
    },
    async close() {
      isClosed = true
      cancelTimer()
      await queue.onIdle()
    },
  }
}
