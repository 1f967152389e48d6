import { hostname } from 'node:os'
import type { App } from '../context.ts'
import { inTransaction, withReserve } from '../store/database.ts'
import { insertNode, recordBeat, removeNode, removeSilentNodes } from '../store/jobs/nodes.ts'
import { readVersion } from '../version.ts'

/** Milliseconds between two beats: two of them may be late before the node counts as dead. */
const beatMs = 5_000

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
 * removed, and registers under a new id: by then its jobs belong to others.
 */
export async function openSharedNode({ db, clock, log }: NodeApp): Promise<OwnNode> {
  const finishing = withReserve(db)
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
      const isRegistered = await inTransaction(finishing, (tx) => recordBeat(tx, id))
      if (!isRegistered) {
        const removed = id
        id = await register()
        log.warn({ node: removed, newNode: id }, 'other nodes have taken the jobs of this one over, as it was silent')
      }
      const { nodes, jobs } = await inTransaction(finishing, removeSilentNodes)
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
