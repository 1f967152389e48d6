import type { App } from '../context.ts'
import type { Tx } from '../store/database.ts'
import { enqueue, enqueueOnce } from '../store/jobs.ts'

const task = 'shrink-database'

/** Pages that one transaction gives back to the file system: it must not hold the database for long. */
const pagesAtOnce = 64

/** Plans to give free pages back, if there are so many that new mail will not need them soon. */
export async function planShrinking({ db }: Pick<App, 'db'>, tx: Tx): Promise<void> {
  if (db.engine.excessPages() > 0) await enqueueOnce(tx, task)
}

/** Gives some free pages back to the file system, and plans the next step. */
export async function shrinkDatabase({ db }: Pick<App, 'db'>, tx: Tx): Promise<void> {
  const excess = db.engine.excessPages()
  if (excess === 0) return
  db.engine.shrink(Math.min(excess, pagesAtOnce))
  if (excess > pagesAtOnce) await enqueue(tx, task, {})
}
