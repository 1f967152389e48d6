import type { App } from '../context.ts'
import type { Tx } from '../store/database.ts'
import { enqueue, enqueueOnce } from '../store/jobs/jobs.ts'

const task = 'shrink-database'

/** Maximum pages that one transaction gives back to the file system, so that it does not block other writers for long. */
const maxPagesAtOnce = 64

/** Queues a job that gives free pages back to the file system, if there are more than are kept for new mail. */
export async function planShrinking({ db }: Pick<App, 'db'>, tx: Tx): Promise<void> {
  if (excessPages(db) > 0) await enqueueOnce(tx, task)
}

/** Gives some free pages back to the file system, and queues the next step. */
export async function shrinkDatabase({ db }: Pick<App, 'db'>, tx: Tx): Promise<void> {
  const excess = excessPages(db)
  if (excess === 0) return
  db.engine.file?.shrink(Math.min(excess, maxPagesAtOnce))
  if (excess > maxPagesAtOnce) await enqueue(tx, task, {})
}

const excessPages = ({ engine }: App['db']) => engine.file?.excessPages() ?? 0
