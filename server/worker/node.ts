import { hostname } from 'node:os'
import type { App } from '../context.ts'
import { inTransaction, withReserve } from '../store/database.ts'
import { jobTopic } from '../store/jobs/lanes.ts'
import { insertNode, maxSilenceMs, recordBeat, removeNode, removeSilentNodes } from '../store/jobs/nodes.ts'
import type { SharedDatabase } from '../store/shared-database.ts'
import { readVersion } from '../version.ts'

/** Milliseconds between two beats: two of them may be late before the node counts as dead. */
const beatMs = 5_000
/** Milliseconds without a beat of its own after which a node removes no other: an outage of the database stops the beats of all. */
const lateMs = maxSilenceMs - beatMs

/** The name by which operators recognize this process. */
export const nodeLabel = (): string => `${hostname()}/${process.pid}`

type NodeApp = Pick<App, 'db' | 'clock' | 'log'>

/** This process as a node of its database. */
export interface OwnNode {
  /** The id by which it claims jobs. Another one after other nodes have counted it as dead. */
  readonly id: string
  /** Ends its claims. */
  close(): Promise<void>
}

/** Gives this process an id. Where several processes use the database, the others see that it is alive. */
export async function openNode(app: NodeApp): Promise<OwnNode> {
  if (app.db.engine.file) return { id: app.db.newId(), close: async () => {} }
  return openSharedNode(app)
}

/**
 * Registers a node of several. It sends beats, and takes the jobs over of nodes that send none. A process that was suspended finds itself
 * removed, and registers under a new id: by then its jobs belong to others. After an outage of the database, in which no node could send
 * beats, the jobs stay with the nodes that run them.
 */
export async function openSharedNode({ db, clock, log }: NodeApp): Promise<OwnNode> {
  const finishing = withReserve(db)
  const beats = new OwnBeats(db.now())
  let id = await register()
  let beating = Promise.resolve()
  let isClosed = false
  let cancelTimer = () => {}
  planBeat()

  async function register() {
    const node = { id: db.newId(), label: nodeLabel(), version: readVersion() }
    await inTransaction(finishing, (tx) => insertNode(tx, node))
    return node.id
  }

  function planBeat() {
    if (!isClosed) cancelTimer = clock.at(clock.now() + beatMs, () => { beating = beat().finally(planBeat) })
  }

  async function beat() {
    try {
      const { isRegistered, now } = await inTransaction(finishing, async (tx) => {
        beats.compare(tx.now)
        return { isRegistered: await recordBeat(tx, id), now: tx.now }
      })
      beats.record(now)
      if (!isRegistered) {
        const removed = id
        id = await register()
        log.warn({ node: removed, newNode: id }, 'other nodes have taken the jobs of this one over, as it was silent')
      }
      const { nodes, jobs } = await inTransaction(finishing, async (tx) => {
        beats.compare(tx.now)
        return beats.mayJudge(tx.now) ? removeSilentNodes(tx) : { nodes: [], jobs: 0 }
      })
      if (nodes.length > 0 || jobs > 0) log.warn({ nodes, jobs }, 'jobs of silent nodes are due again')
    } catch (error) {
      log.error({ err: error, node: id }, 'a node cannot record that it is alive')
    }
  }

  return {
    get id() {
      return id
    },
    async close() {
      isClosed = true
      cancelTimer()
      await beating
      await inTransaction(finishing, (tx) => removeNode(tx, id)).catch((error: unknown) => {
        log.warn({ err: error, node: id }, 'the jobs of this node are due again when other nodes find it silent')
      })
    },
  }
}

/** When this node was late, so that the others may have been, too. */
class OwnBeats {
  #lastAt: number
  #lateAt: number

  /** A node that has just started may follow an outage. */
  constructor(now: number) {
    this.#lastAt = now
    this.#lateAt = now
  }

  record(now: number): void {
    this.#lastAt = now
  }

  /** Compares the time with that of the last beat. */
  compare(now: number): void {
    if (now - this.#lastAt > lateMs) this.#lateAt = now
  }

  /** Whether the others have had time for a beat since this node was late. */
  mayJudge(now: number): boolean {
    return now - this.#lateAt >= maxSilenceMs
  }
}

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
