import type { App } from '../context.ts'
import type { SharedDatabase } from '../store/shared-database.ts'
import { jobTopic } from '../store/jobs/lanes.ts'

/** Interval of the query for due jobs that no notice has announced. */
const dueJobsMs = 1_000

/**
 * Tells other nodes of the commits of this one, and has this one look at what they have committed. Notices make it fast; jobs that no
 * notice announces, such as those of the command line, are found by a query every second. The feed polls by itself.
 * @returns a function that stops this
 */
export async function followOtherNodes({ db, log, clock }: App, shared: SharedDatabase): Promise<() => Promise<void>> {
  let isLost = false
  const notices = await shared.openNotices({
    receive(topics) {
      if (topics) db.commits.emit('committed', topics, true)
      else after = undefined // the next query begins with the first lane
      isLost = false
    },
    failed(error) {
      if (!isLost) log.warn({ err: error }, 'the connection for notices of other nodes is lost: their changes are seen later')
      isLost = true
    },
  })
  const send = (topics: Set<string>, isOfOtherNode = false) => {
    if (!isOfOtherNode) notices.send(topics)
  }
  db.commits.on('committed', send)

  let after: Awaited<ReturnType<SharedDatabase['dueLanes']>>['last']
  let hasFailed = false
  let looking: Promise<void> | undefined
  async function lookForJobs() {
    try {
      const { due, last } = await shared.dueLanes(clock.now(), after)
      after = last
      hasFailed = false
      if (due.length > 0) db.commits.emit('committed', new Set(due.map(({ task, lane }) => jobTopic(task, lane))), true)
    } catch (error) {
      if (!hasFailed) log.error({ err: error }, 'cannot look for due jobs')
      hasFailed = true
    }
  }
  const timer = setInterval(() => { looking ??= lookForJobs().finally(() => { looking = undefined }) }, dueJobsMs).unref()

  return async () => {
    clearInterval(timer)
    db.commits.off('committed', send)
    await Promise.all([looking, notices.close()])
  }
}
