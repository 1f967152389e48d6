import type { App } from '../context.ts'
import { jobTopic, lanesOf } from '../store/jobs.ts'
import { startLane } from './lane.ts'
import type { Lane } from './lane.ts'
import { openPace } from './pace.ts'
import type { Task } from './task.ts'
import { openTurns } from './turns.ts'

export interface Worker {
  /** Resolves when nothing is due and nothing runs. */
  settled(): Promise<void>
  /** Looks for due jobs in all lanes, including those that no commit has announced. */
  look(): void
  /** Ends after the jobs that run; what waits stays in the queue. */
  close(): Promise<void>
}

/** Works on the queue: woken by the commit that adds a job, and by the clock when the next one is due. */
export function startWorker(app: App, tasks: Record<string, Task<never>>): Worker {
  const crews = Object.entries(tasks).map(([name, task]) => startCrew(app, name, task))
  const wake = (topics: Set<string>) => {
    for (const crew of crews) crew.wake(topics)
  }
  app.db.commits.on('committed', wake)
  return {
    async settled() {
      do {
        for (const crew of crews) await crew.settled()
      } while (crews.some((crew) => crew.isBusy()))
    },
    look() {
      for (const crew of crews) crew.look()
    },
    async close() {
      app.db.commits.off('committed', wake)
      await Promise.all(crews.map((crew) => crew.close()))
    },
  }
}

/** The lanes of one task: there is one, or one for each name that its jobs have. */
function startCrew(app: App, name: string, task: Task<never>) {
  const turns = openTurns(task)
  const pace = openPace(task.underLoad)
  const prefix = jobTopic(name, '')
  const lanes = new Map<string, Lane>()
  let isClosed = false
  let isStarting = true

  function laneOf(lane: string) {
    let found = lanes.get(lane)
    if (!found) {
      const forget = () => { if (lane !== '') lanes.delete(lane) }
      lanes.set(lane, found = startLane(app, { name, lane, task, turns, pace, forget }))
    }
    return found
  }

  let looking = look()
  async function look() {
    isStarting = true
    laneOf('').wake()
    try {
      const waiting = task.inAllLanes ? await lanesOf(app.db, name) : []
      for (const lane of waiting) if (!isClosed) laneOf(lane).wake()
    } catch (error) {
      app.log.error({ err: error, task: name }, 'cannot list the lanes of a task: what waits in them is found at the next start')
    } finally {
      isStarting = false
    }
  }

  const isBusy = () => isStarting || [...lanes.values()].some((lane) => lane.isBusy())
  return {
    isBusy,
    wake(topics: Set<string>) {
      for (const topic of topics) if (topic.startsWith(prefix)) laneOf(topic.slice(prefix.length)).wake()
    },
    look() {
      looking = looking.then(look)
    },
    async settled() {
      await looking
      for (const lane of [...lanes.values()]) await lane.settled()
    },
    async close() {
      isClosed = true
      await Promise.all([looking, ...[...lanes.values()].map((lane) => lane.close())])
    },
  }
}
